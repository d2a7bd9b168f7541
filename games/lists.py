"""Lists of tables: short entries, newest first, or what needs the caller first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from games import tables
from games.engine.visibility import SPECTATOR, Result, view_for
from games.tables import Player, Table
from httpapi.clock import isoformat
from httpapi.database import raw_cursor
from httpapi.paging import Position

Conditions = dict[str, object]
"""SQL conditions with their parameter."""

_SEATED: Final = "EXISTS (SELECT 1 FROM games_seat f WHERE f.game_id = g.id AND f.player_id = %s"
BY_PLAYER: Final = f"{_SEATED})"
BY_TURN: Final = f"g.status = 'running' AND {_SEATED} AND f.number = g.turn)"
BY_STATUS: Final = "g.status = %s"
BY_MODE: Final = "g.mode = %s"
_LISTED: Final = "g.visibility = 'public' AND NOT g.sandbox"
_URGENCY: Final = (
    "CASE WHEN g.status = 'running' AND (g.awaited >> m.number) & 1 = 1 THEN 0 WHEN g.status = 'running' THEN 1 "
    "WHEN g.status = 'open' THEN 2 ELSE 3 END"
)
_OWN: Final = (
    f"SELECT * FROM ({tables.SELECT}, m.number, {_URGENCY} AS urgency "  # noqa: S608 (constants)
    "FROM games_game g LEFT JOIN games_seat m ON m.game_id = g.id AND m.player_id = %s "
    f"WHERE {tables.CONCERNING} AND NOT g.sandbox) AS mine"
)


class Entry(Struct, frozen=True):
    """A table in a list."""

    id: UUID
    status: str
    mode: str
    version: int
    name: str
    preset: str
    host: UUID
    seats: tuple[Player, ...]
    min_players: int
    max_players: int
    visibility: str
    auto_start: bool
    turn: int | None
    result: Result | None
    opened_at: str
    started_at: str | None
    finished_at: str | None


class OwnEntry(Entry, frozen=True):
    """A table of the caller's: which seat is theirs (none of a host who only hosts), and whether the game waits for them."""

    you: int | None
    awaited: bool


class OwnRow(Struct, frozen=True):
    """A table of the caller's as read: `urgency` 0 waits for them, 1 runs, 2 is open, 3 is over."""

    table: Table
    seat: int | None
    urgency: int


def listed(conditions: Conditions, position: Position[tuple[UUID]] | None, count: int) -> Sequence[Table]:
    """Listed tables that meet all conditions, newest first, from a position on."""
    where, params = [_LISTED, *conditions], list(conditions.values())
    backward = position is not None and position.backward
    if position is not None:
        where.append(f"g.id {'>' if backward else '<'} %s")
        params.append(position.key[0])
    order = "ASC" if backward else "DESC"
    sql = f"{tables.SELECT} FROM games_game g WHERE {' AND '.join(where)} ORDER BY g.id {order} LIMIT %s"
    return [tables.table_of(row) for row in _rows(sql, [*params, count])]


def own(player: UUID, position: Position[tuple[int, UUID]] | None, count: int) -> Sequence[OwnRow]:
    """Tables where the caller sits or hosts, those that wait for the caller first, then newest first, from a position on."""
    backward = position is not None and position.backward
    params: list[object] = [player, player, player]
    beyond = ""
    if position is not None:
        urgency, game_id = position.key
        sign, older = ("<", ">") if backward else (">", "<")
        beyond = f"WHERE urgency {sign} %s OR (urgency = %s AND id {older} %s) "
        params += [urgency, urgency, game_id]
    order = "urgency DESC, id ASC" if backward else "urgency ASC, id DESC"
    sql = f"{_OWN} {beyond}ORDER BY {order} LIMIT %s"
    return [OwnRow(tables.table_of(row), *row[tables.COLUMNS :]) for row in _rows(sql, [*params, count])]


def _rows(sql: str, params: Sequence[object]) -> Sequence[tuple[Any, ...]]:
    with raw_cursor() as cursor:
        return cursor.execute(sql, params, binary=True).fetchall()


def entry(table: Table) -> Entry:
    """A table for a list."""
    return Entry(**_facts(table))


def own_entry(row: OwnRow) -> OwnEntry:
    """A table of the caller's for a list."""
    return OwnEntry(**_facts(row.table), you=row.seat, awaited=row.urgency == 0)


def _facts(table: Table) -> dict[str, Any]:
    state = table.state() if table.is_over else None
    return {
        "id": table.id,
        "status": table.status,
        "mode": table.mode,
        "version": table.version,
        "name": table.name,
        "preset": table.ruleset.preset,
        "host": table.host,
        "seats": table.players,
        "min_players": table.min_players,
        "max_players": table.max_players,
        "visibility": table.visibility,
        "auto_start": table.auto_start,
        "turn": table.turn,
        "result": None if state is None else view_for(state, SPECTATOR, table.now).result,
        "opened_at": isoformat(table.opened_at),
        "started_at": None if table.started_at is None else isoformat(table.started_at),
        "finished_at": None if table.finished_at is None else isoformat(table.finished_at),
    }
