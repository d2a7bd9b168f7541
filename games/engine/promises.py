"""What the events of a whole game must keep to: the commitment, the client seeds, the deal; the first that does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec import Struct

from games.engine.draft import Chance
from games.engine.events import Event, GameOpened, GameStarted, PositionSet, SeatLeft, SeatTaken, SeedRevealed
from games.engine.fairness import commitment_of
from games.engine.opening import deal_again

Events = Sequence[Event]
"""All events of a game in their order: event 1 stands at place 0."""


class Fault(Struct, frozen=True):
    """The first event at which a proof fails, and why."""

    version: int
    detail: str


def seed_of(events: Events) -> bytes | None:
    """Give the server seed, once it is revealed."""
    for event in reversed(events):
        if isinstance(event, SeedRevealed):
            return bytes.fromhex(event.seed)
    return None


def start_of(events: Events) -> int | None:
    """Give the place of `game_started`; None if the table never started."""
    return next((place for place, event in enumerate(events) if isinstance(event, GameStarted)), None)


def is_placed(events: Events) -> bool:
    """Tell whether a position took the place of the deal, as only in the sandbox."""
    return any(isinstance(event, PositionSet) for event in events)


def commitment_fault(events: Events) -> Fault | None:
    """The commitment stands first, before every client seed; the start and the revealed seed keep to it."""
    opened = events[0]
    if not isinstance(opened, GameOpened):
        return Fault(1, "the log does not begin with game_opened")
    given: list[str | None] = []
    for version, event in enumerate(events, 1):
        if isinstance(event, SeatTaken):
            given.append(event.client_seed)
        elif isinstance(event, SeatLeft):
            del given[event.seat]
        elif detail := _broken_promise(event, opened.commitment, given):
            return Fault(version, detail)
    return None


def _broken_promise(event: Event, commitment: str, given: list[str | None]) -> str | None:
    if isinstance(event, GameStarted) and event.commitment != commitment:
        return "started under another commitment than it was opened under"
    if isinstance(event, GameStarted) and list(event.client_seeds) != given:
        return "started with other client seeds than were given"
    if isinstance(event, SeedRevealed) and commitment_of(bytes.fromhex(event.seed)) != commitment:
        return "the revealed seed is not the one committed to"
    return None


def dealing_fault(events: Events, place: int, chance: Chance, now: int) -> Fault | None:
    """Deal and opening lead come from the seeds: the events from `game_started`, which stands at this place, on."""
    dealt = deal_again(cast("GameStarted", events[place]), chance, now)
    for version, (expected, found) in enumerate(zip(dealt, events[place:], strict=False), place + 1):
        if expected != found:
            return Fault(version, "the seeds give another deal")
    return None


def placing_fault(events: Events) -> Fault | None:
    """A position stands only right after the start of a game that was opened as a sandbox."""
    opened, start = events[0], start_of(events)
    for place, event in enumerate(events):
        if not isinstance(event, PositionSet):
            continue
        if not isinstance(opened, GameOpened) or not opened.sandbox:
            return Fault(place + 1, "cards were placed in a game that is no sandbox game")
        if start is None or place != start + 1:
            return Fault(place + 1, "a position stands elsewhere than after the start")
    return None
