"""A whole log with its events read, and where its parts begin: the table before the game, the deal, the play, the end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from eventlog.records import StoredEvent
from games.engine import promises
from games.engine.events import Event, GameFinished, GameOpened, GameStarted, GameVoided, SeatLeft, SeatTaken
from games.engine.evolve import evolve
from games.engine.state import State


class Broken(Exception):
    """The first event at which a proof fails, by its version, and why."""

    def __init__(self, version: int, detail: str) -> None:
        super().__init__(f"event {version}: {detail}")
        self.version = version
        self.detail = detail


class Story(Struct, frozen=True):
    """Rows as stored, from the first on, and the events in them."""

    rows: Sequence[StoredEvent]
    events: Sequence[Event]

    def opened(self) -> GameOpened:
        """Give the opening; Broken if the log begins otherwise."""
        first = self.events[0] if self.events else None
        if not isinstance(first, GameOpened):
            raise Broken(1, "it is not game_opened")
        return first

    def started(self) -> GameStarted | None:
        """Give the start; None if the table never started."""
        return next((event for event in self.events if isinstance(event, GameStarted)), None)

    def start(self) -> int:
        """Give the place of the start, or that behind the last event if there is none."""
        return self._place_of(GameStarted)

    def play(self) -> int:
        """Give the place of the first event behind the deal, or behind the position that stands for it."""
        started = self.started()
        if started is None:
            return len(self.events)
        return self.start() + (2 if self.is_placed() else len(started.players) + 3)

    def end(self) -> int:
        """Give the place of the event that ended the game, or that behind the last event while it goes on."""
        return min(self._place_of(GameFinished), self._place_of(GameVoided))

    def seed(self) -> bytes | None:
        """Give the server seed, once it is revealed."""
        return promises.seed_of(self.events)

    def is_placed(self) -> bool:
        """Tell whether a position took the place of the deal, as only in the sandbox."""
        return promises.is_placed(self.events)

    def fold(self, until: int | None = None) -> State | None:
        """Give the table that the events before this place lead to, or all of them."""
        state: State | None = None
        for row, event in zip(self.rows[:until], self.events[:until], strict=True):
            state = evolve(state, event, row.at)
        return state

    def _place_of(self, kind: type[Event]) -> int:
        places = (place for place, event in enumerate(self.events) if isinstance(event, kind))
        return next(places, len(self.events))


def client_seeds(events: Sequence[Event]) -> list[str | None]:
    """Give the client seeds of those who sit at the table, by seat."""
    given: list[str | None] = []
    for event in events:
        if isinstance(event, SeatTaken):
            given.append(event.client_seed)
        elif isinstance(event, SeatLeft):
            del given[event.seat]
    return given
