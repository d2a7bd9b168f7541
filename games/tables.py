"""A table as the hot paths read it: one statement, no ORM."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from eventlog import store
from eventlog.digest import EPOCH
from eventlog.store import Cursor
from games import log
from games.engine.state import Ended, State, unpack
from games.models import Status
from games.rulesets import Pinned, pinned

STATE_FORMAT: Final = 2
"""Stands before the packed state; a state of another format is folded again from the log."""


class Player(Struct, frozen=True):
    """Who sits on a seat: name and kind as they were when the seat was taken."""

    id: UUID
    name: str
    kind: str


class Standing(Struct, frozen=True, kw_only=True):
    """How far a game has come, and its clock (`now`, ms) at the moment of reading: all the clock needs.

    That clock is the database's; in the sandbox it goes `ahead` of it (ms), and for every other game that is None.
    """

    now: int
    id: UUID
    ruleset: Pinned
    status: str
    version: int
    head: bytes
    packed: bytes | None
    ahead: int | None = None

    def state(self) -> State | None:
        """The table's cards; None before the start."""
        if self.packed is None:
            return None
        if self.packed[0] == STATE_FORMAT:
            return unpack(self.packed[1:], self.ruleset.rules)
        return log.fold(store.facts(self.id, self.version))

    def real(self, moment: int) -> int:
        """When this moment of the game's clock comes by the database's, as deadlines are stored (ms)."""
        return moment - (self.ahead or 0)

    @property
    def is_over(self) -> bool:
        """Finished or void."""
        return self.status in (Status.FINISHED, Status.VOID)


class Table(Standing, frozen=True, kw_only=True):
    """A game's whole row with its seats."""

    host: UUID
    mode: str
    name: str
    visibility: str
    min_players: int
    max_players: int
    auto_start: bool
    sandbox: bool
    join_code: str
    commitment: bytes
    opened_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    turn: int | None
    players: tuple[Player, ...]

    def seat_of(self, player: UUID) -> int | None:
        """The seat of a player, None for a spectator."""
        for number, seated in enumerate(self.players):
            if seated.id == player:
                return number
        return None


_MS: Final = "(extract(epoch FROM {}) * 1000)::bigint"
# The clock never runs backward within a game, whatever the machine's does.
NOW: Final = f"greatest({_MS.format('clock_timestamp()')} + coalesce(g.ahead_ms, 0), {_MS.format('g.acted_at')})"
SELECT: Final = (
    f"SELECT {NOW}, g.id, g.host_id, g.ruleset_id, "  # noqa: S608 (constants)
    "g.mode, g.name, g.visibility, g.min_players, g.max_players, g.auto_start, g.sandbox, g.join_code, g.commitment, "
    "g.opened_at, g.started_at, g.finished_at, g.status, g.turn, g.version, g.head, g.state, g.ahead_ms, "
    "(SELECT json_agg(json_build_object('id', s.player_id, 'name', s.name, 'kind', s.kind) ORDER BY s.number)::text "
    "FROM games_seat s WHERE s.game_id = g.id)"
)
CONCERNING: Final = (
    "g.id IN (SELECT game_id FROM games_seat WHERE player_id = %s UNION SELECT id FROM games_game WHERE host_id = %s)"
)
"""The condition that a player sits at the table or hosts it: takes the player twice."""
BY_ID: Final = f"{SELECT} FROM games_game g WHERE g.id = %s"
COLUMNS: Final = 23
_players = msgspec.json.Decoder(tuple[Player, ...]).decode


def moment_of(ms: int) -> datetime:
    """Milliseconds since 1970 as a time."""
    return EPOCH + timedelta(milliseconds=ms)


def status_of(state: State) -> Status:
    """How far a game is whose table has started."""
    if state.outcome is None:
        return Status.RUNNING
    return Status.VOID if state.outcome.ended is Ended.VOID else Status.FINISHED


def awaited_in(state: State) -> int:
    """The mask of the seats that may act now: hidden while a window is open (4.3). None may once the game is over."""
    if state.outcome is not None:
        return 0
    return 1 << state.turn if state.window is None else state.window.awaited


def read(cursor: Cursor, game_id: UUID) -> Table | None:
    """Read a table without locking it."""
    row = cursor.execute(BY_ID, [game_id], binary=True).fetchone()
    return None if row is None else table_of(row)


def lock(cursor: Cursor, game_id: UUID) -> None:
    """Wait until nobody else writes to this game, and keep them out until the transaction ends.

    A statement of its own: one that waited would still see the rows beside the game's as they were before.
    """
    cursor.execute("SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE", [game_id])


def table_of(row: tuple[Any, ...]) -> Table:
    """The table in the first COLUMNS of a row that SELECT gave."""
    now, game_id, host, ruleset_id, mode, name, visibility, least, most, auto_start, sandbox, code, *rest = row
    commitment, opened_at, started_at, finished_at, status, turn, version, head, packed, ahead, players = rest[:11]
    return Table(
        now=now,
        id=game_id,
        host=host,
        ruleset=pinned(ruleset_id),
        mode=mode,
        name=name,
        visibility=visibility,
        min_players=least,
        max_players=most,
        auto_start=auto_start,
        sandbox=sandbox,
        join_code=code,
        commitment=commitment,
        opened_at=opened_at,
        started_at=started_at,
        finished_at=finished_at,
        status=status,
        turn=turn,
        version=version,
        head=head,
        packed=packed,
        ahead=ahead,
        players=_players(players) if players else (),
    )
