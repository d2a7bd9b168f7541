"""Reads of games, always through `shown`: the present, the past, the log, the lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from accounts.proof import STANDING, Proof
from accounts.selectors import public_players
from eventlog import store
from eventlog.records import StoredEvent
from games import tables
from games.engine.events import SeatLeft, SeatTaken
from games.engine.templates import Template
from games.engine.visibility import ALL_SEEING
from games.log import event_of, fold
from games.models import Status
from games.shown import EventView, GameView, Glance, event_views, game_view, moves_for, viewer_at
from games.tables import Player, Table
from httpapi.database import one_row
from httpapi.problems import Forbidden, NotFound, invalid_field

EVERYBODY: Final = "all"
_BY_ID_PROVEN: Final = f"{tables.SELECT}, {STANDING} FROM games_game g WHERE g.id = %s"


class EventsPage(Struct, frozen=True):
    """Part of the log; `version` is the last the game had, `more` tells that the part ends before it."""

    events: list[EventView]
    version: int
    more: bool


class MovesView(Struct, frozen=True):
    """The legal moves of the caller at a version."""

    version: int
    legal_moves: list[Template]


def table(game_id: UUID, token: Proof | None = None) -> Table:
    """A game as it is now. Whoever knows the id of an unlisted table may look at it, as a spectator at least.

    Where a `token` is given that must still count, the same statement asks for it.
    """
    row = one_row(tables.BY_ID, (game_id,)) if token is None else one_row(_BY_ID_PROVEN, (token.digest, game_id))
    if row is None:
        raise NotFound
    if token is not None:
        token.check(row[tables.COLUMNS])
    return tables.table_of(row)


def is_sandbox(game_id: UUID) -> bool:
    """Whether this is a sandbox game; not if there is no such game."""
    row = one_row("SELECT sandbox FROM games_game WHERE id = %s", (game_id,))
    return row is not None and bool(row[0])


def present(table: Table, player: UUID) -> GameView:
    """The game for a player; the code to join is for the host of an open table."""
    view = game_view(table, Glance(table.state(), table.version, table.now), table.seat_of(player))
    if table.status == Status.OPEN and table.host == player:
        return replace(view, join_code=table.join_code)
    return view


def moves(table: Table, player: UUID) -> MovesView:
    """What the player may do now."""
    return MovesView(table.version, moves_for(table.state(), table.seat_of(player), table.now))


def events(table: Table, player: UUID, after: int, limit: int) -> EventsPage:
    """The log after a version, as the player may see it."""
    rows = [row for row in store.read(table.id, after, limit) if row.version <= table.version]
    viewer = viewer_at(table.state(), table.seat_of(player))
    last = rows[-1].version if rows else max(after, table.version)
    return EventsPage(event_views(rows, viewer), table.version, last < table.version)


def past(table: Table, player: UUID, version: int, whose: str | None) -> GameView:
    """The game as it was after a version: for one's own seat while it runs, for any or all once it is over.

    Amid the deal, before the first card lies open, it is shown as it was before the start.
    """
    own = table.seat_of(player)
    if not table.is_over and whose is not None and whose != str(own):
        raise Forbidden("history_not_visible")
    seat = own if whose is None else _seat(table, whose)
    rows = store.read(table.id, limit=version)
    if not 0 < version <= table.version or len(rows) < version:
        raise NotFound
    state = fold(rows)
    if state is None or not state.discard:
        then = _before(table, rows)
        return game_view(then, Glance(None, version, rows[-1].at), then.seat_of(player))
    glance = Glance(state, version, rows[-1].at)
    return game_view(table, glance, seat, ALL_SEEING if whose == EVERYBODY else None)


def _seat(table: Table, whose: str) -> int | None:
    if whose == EVERYBODY:
        return None
    if int(whose) >= len(table.players):
        raise invalid_field("/?seat", "out_of_range", bound=f"< {len(table.players)}")
    return int(whose)


def _before(table: Table, rows: Sequence[StoredEvent]) -> Table:
    """The table with the seats that were taken before the start."""
    taken: list[UUID] = []
    for row in rows:
        event = event_of(row)
        if isinstance(event, SeatTaken):
            taken.append(event.player)
        elif isinstance(event, SeatLeft):
            del taken[event.seat]
    known = {player.id: player for player in table.players}
    others = public_players([player for player in taken if player not in known])
    known |= {player.id: Player(player.id, player.name, player.kind) for player in others.values()}
    return replace(table, players=tuple(known[player] for player in taken))
