"""What the clock owes a log, judged from the log alone: each deadline settled, once, before anything that came later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from eventlog import store
from eventlog.records import Cause, StoredEvent
from games.engine.clock import due
from games.engine.events import ClockExtended, TurnTimedOut, WindowTimedOut
from games.engine.evolve import evolve
from games.engine.state import State
from games.log import event_of

_DUE: Final = (
    "SELECT g.id::text FROM games_game g JOIN games_deadline d ON d.game_id = g.id WHERE g.status = 'running' "
    "AND d.at <= to_timestamp(%s / 1000.0)"
)
_NOW: Final = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_ALL: Final = "SELECT id FROM games_game"
_VERSIONS: Final = "SELECT id::text, version FROM games_game WHERE status = 'running'"


def now() -> int:
    """The database's clock (ms)."""
    with store.cursor() as raw:
        row = raw.execute(_NOW).fetchone()
    return 0 if row is None else int(row[0])


def still_due(moment: int) -> list[str]:
    """Running games with a deadline that had passed by then (ms) and is not settled."""
    with store.cursor() as raw:
        return [row[0] for row in raw.execute(_DUE, [moment]).fetchall()]


def running_versions() -> dict[str, int]:
    """How far each running game is."""
    with store.cursor() as raw:
        return dict(raw.execute(_VERSIONS).fetchall())


def all_games() -> list[UUID]:
    """Every game."""
    with store.cursor() as raw:
        return [row[0] for row in raw.execute(_ALL).fetchall()]


class Settled:
    """What was found in many logs."""

    def __init__(self) -> None:
        self.timeouts = self.extensions = 0
        self.faults: list[str] = []

    def look_at(self, game: UUID, rows: Sequence[StoredEvent]) -> None:
        """Read one log."""
        seen: Counter[tuple[str, int]] = Counter()
        for row in rows:
            event = event_of(row)
            if isinstance(event, TurnTimedOut | WindowTimedOut):
                self.timeouts += 1
                seen[row.kind, event.deadline] += 1
            self.extensions += isinstance(event, ClockExtended)
        self.faults += [f"{game}: {kind} of {at} settled {n} times" for (kind, at), n in seen.items() if n > 1]
        self.faults += [f"{game}: {fault}" for fault in _passed_over(rows)]


def _passed_over(rows: Sequence[StoredEvent]) -> Iterator[str]:
    """Commands that came after a deadline which nobody had settled."""
    state: State | None = None
    for row in rows:
        if state is not None and row.span is not None and row.cause is not Cause.CLOCK:
            late = [one for one in due(state) if one.at <= row.at]
            if late:
                yield f"event {row.version} at {row.at} passed over the {late[0].kind.value} that ended at {late[0].at}"
        state = evolve(state, event_of(row), row.at)
