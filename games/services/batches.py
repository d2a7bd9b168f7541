"""Several games moved on by one statement: their rows, their deadlines, their events. For the clock's sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Struct

from eventlog.records import StoredEvent
from eventlog.store import Cursor, insert_moved
from games.models import DeadlineKind
from games.services.commit import Progress, moved_params
from games.tables import Standing

_COLUMNS: Final = (
    "status text, finished bigint, acted bigint, version integer, turn smallint, awaited smallint, head bytea, "
    "state bytea, id uuid, before integer"
)
_MOVED: Final = (
    "moved AS (UPDATE games_game g SET status = row.status, "  # noqa: S608 (constants alone)
    "finished_at = to_timestamp(row.finished / 1000.0), acted_at = to_timestamp(row.acted / 1000.0), "
    "version = row.version, turn = row.turn, awaited = row.awaited, head = row.head, state = row.state "
    f"FROM json_to_recordset(%s::json) AS row ({_COLUMNS}) "
    "WHERE g.id = row.id AND g.version = row.before RETURNING g.id)"
)
_CLOCKED: Final = (
    "clocked AS (INSERT INTO games_deadline (game_id, kind, at) SELECT moved.id, row.kind, to_timestamp(row.at / 1000.0) "
    "FROM json_to_recordset(%s::json) AS row (id uuid, kind text, at bigint) JOIN moved ON moved.id = row.id "
    "ON CONFLICT (game_id, kind) DO UPDATE SET at = EXCLUDED.at)"
)
_CLEARED: Final = (
    "cleared AS (DELETE FROM games_deadline d USING moved WHERE d.game_id = moved.id AND NOT EXISTS "
    "(SELECT FROM json_to_recordset(%s::json) AS row (id uuid, kind text) WHERE row.id = d.game_id AND row.kind = d.kind))"
)
_CORRECTED: Final = f"WITH moved AS (SELECT unnest(%s::uuid[]) AS id), {_CLOCKED}, {_CLEARED} SELECT"
_NAMES: Final = tuple(column.split()[0] for column in _COLUMNS.split(", "))


Clocks: TypeAlias = Mapping[DeadlineKind, int]


class Advance(Struct, frozen=True):
    """One game of a batch: as it was read, what happens, and its events, chained."""

    table: Standing
    progress: Progress
    rows: tuple[StoredEvent, ...]


class _Clock(Struct, frozen=True):
    id: UUID
    kind: str
    at: int


def write_all(cursor: Cursor, advances: Sequence[Advance]) -> None:
    """Move all games on, or none. To be called with their rows locked: no one can have been faster."""
    games = msgspec.json.encode([_row(one) for one in advances]).decode()
    clocks = _clocks((one.table, one.progress.deadlines or {}) for one in advances)
    rows = [row for one in advances for row in one.rows]
    insert_moved(cursor, f"{_MOVED}, {_CLOCKED}, {_CLEARED}", [games, clocks, clocks], rows)


def correct(cursor: Cursor, clocks: Sequence[tuple[Standing, Clocks]]) -> None:
    """Write down the deadlines (ms) that really run, so that stale ones are not found again and again."""
    rows = _clocks(clocks)
    cursor.execute(_CORRECTED, [[table.id for table, _ in clocks], rows, rows])


def _clocks(clocks: Iterable[tuple[Standing, Clocks]]) -> str:
    return msgspec.json.encode(
        [_Clock(table.id, kind.value, table.real(at)) for table, found in clocks for kind, at in found.items()]
    ).decode()


def _row(one: Advance) -> dict[str, object]:
    values = moved_params(one.table, one.progress, one.rows[-1], one.rows[-1].at)
    return {
        name: "\\x" + value.hex() if isinstance(value, bytes) else value
        for name, value in zip(_NAMES, values, strict=True)
    }
