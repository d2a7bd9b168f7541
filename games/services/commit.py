"""The one statement that moves a game on: its row, its deadlines, its events, and the key under which it was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from eventlog.chain import chain
from eventlog.records import Head, NewEvent, Stamp, StoredEvent
from eventlog.store import Writer, insert_guarded
from games.engine.clock import DueKind, due
from games.engine.state import State, pack
from games.models import DeadlineKind, Status
from games.tables import STATE_FORMAT, Standing, awaited_in, status_of

_KINDS: Final = {
    DueKind.TURN: DeadlineKind.TURN,
    DueKind.WINDOW: DeadlineKind.TURN,
    DueKind.CALL: DeadlineKind.CALL,
}
_FORMAT: Final = bytes([STATE_FORMAT])

_MOVED: Final = (
    "moved AS (UPDATE games_game SET status = %s, finished_at = to_timestamp(%s::bigint / 1000.0), "
    "acted_at = to_timestamp(%s::bigint / 1000.0), version = %s, turn = %s, awaited = %s, head = %s, state = %s "
    "WHERE id = %s AND version = %s RETURNING id, coalesce(ahead_ms, 0) AS ahead)"
)
# By the row's own `ahead`: a clock that was moved since the game was read moves what follows, too.
_CLOCKED: Final = (
    "clocked AS (INSERT INTO games_deadline (game_id, kind, at) "
    "SELECT moved.id, row.kind, to_timestamp((row.at - moved.ahead) / 1000.0) "
    "FROM moved, unnest(%s::text[], %s::bigint[]) AS row (kind, at) "
    "ON CONFLICT (game_id, kind) DO UPDATE SET at = EXCLUDED.at)"
)
_CLEARED: Final = (
    "cleared AS (DELETE FROM games_deadline USING moved WHERE game_id = moved.id AND kind <> ALL(%s::text[]))"
)


class Progress(Struct, frozen=True, kw_only=True):
    """How far a write takes a game. `deadlines` are all that run afterwards (ms); None: they stay as they are."""

    status: Status
    state: State | None
    events: tuple[NewEvent, ...]
    deadlines: Mapping[DeadlineKind, int] | None


class Guard(Struct, frozen=True):
    """A further part of the statement: a common table expression that may select from `moved`."""

    sql: str
    params: tuple[object, ...]


def deadlines_of(state: State) -> dict[DeadlineKind, int]:
    """What runs out next, by kind of deadline."""
    found: dict[DeadlineKind, int] = {}
    for one in due(state):
        kind = _KINDS[one.kind]
        found[kind] = min(one.at, found.get(kind, one.at))
    return found


def progress(state: State, events: tuple[NewEvent, ...]) -> Progress:
    """What follows from a table that plays or has played."""
    deadlines = deadlines_of(state) if state.outcome is None else {}
    return Progress(status=status_of(state), state=state, events=events, deadlines=deadlines)


def write(
    cursor: Writer, table: Standing, progress: Progress, stamp: Stamp, key: Guard | None = None
) -> tuple[StoredEvent, ...] | None:
    """Move a game on from the version that `table` shows; None if it has moved on already, and nothing is kept."""
    rows = chain(Head(table.id, table.version, table.head), progress.events, stamp)
    guards = [Guard(_MOVED, moved_params(table, progress, rows[-1], stamp.at))]
    if progress.deadlines is not None:
        guards += _clocks(progress.deadlines, _running_before(table))
    if key is not None:
        guards.append(key)
    sql = _joined(tuple(guard.sql for guard in guards))
    params = [param for guard in guards for param in guard.params]
    return rows if insert_guarded(cursor, sql, params, rows) else None


@lru_cache(maxsize=64)
def _joined(parts: tuple[str, ...]) -> str:
    return ", ".join(parts)


def moved_params(table: Standing, progress: Progress, last: StoredEvent, at: int) -> tuple[object, ...]:
    """The values of a game's row after `last`, then the id and version it must still have."""
    state = progress.state
    playing = state if progress.status is Status.RUNNING else None
    over = progress.status in (Status.FINISHED, Status.VOID)
    return (
        progress.status.value,
        at if over else None,
        at,
        last.version,
        None if playing is None else playing.turn,
        0 if playing is None else awaited_in(playing),
        last.digest,
        None if state is None else _FORMAT + pack(state),
        table.id,
        table.version,
    )


def _running_before(table: Standing) -> Mapping[DeadlineKind, int | None]:
    """The deadlines that a table had until now; None where the row alone knows the moment."""
    state = table.state()
    if state is None:
        return {DeadlineKind.EXPIRY: None}
    running = deadlines_of(state)
    return running if table.ahead is None else dict.fromkeys(running)


def _clocks(deadlines: Mapping[DeadlineKind, int], before: Mapping[DeadlineKind, int | None]) -> list[Guard]:
    """Write a deadline that is new or comes earlier; one that moves on is left where it stands, for the sweep to correct.

    So a row is never later than the truth, unless a sweep has put the game off. docs/adr/clock-sweeps-due-rows.md tells what that saves.
    """
    guards = []
    if earlier := {kind: at for kind, at in deadlines.items() if _is_earlier(at, before.get(kind))}:
        moments = f"{{{','.join(map(str, earlier.values()))}}}"
        guards.append(Guard(_CLOCKED, (_words(earlier), moments)))
    if not before.keys() <= deadlines.keys():
        guards.append(Guard(_CLEARED, (_words(deadlines),)))
    return guards


def _is_earlier(at: int, before: int | None) -> bool:
    return before is None or at < before


def _words(kinds: Iterable[DeadlineKind]) -> str:
    """As words of PostgreSQL's own: the driver's lists cost more than the rules."""
    return f"{{{','.join(kind.value for kind in kinds)}}}"
