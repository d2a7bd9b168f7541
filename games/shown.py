"""What a viewer is shown: the view of a game, events, the conflict of versions. Cards come through `visibility` alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from msgspec import UNSET, Raw, Struct, UnsetType

from eventlog import store
from eventlog.records import StoredEvent
from games.engine.cards import Cards, Color, Lead
from games.engine.events import Event
from games.engine.state import Ended, Owed, State
from games.engine.templates import Template, legal_moves
from games.engine.visibility import (
    ClockView,
    Result,
    SeatView,
    TableView,
    Viewer,
    Whole,
    WindowView,
    You,
    redact,
    view_for,
)
from games.log import event_of
from games.models import Status
from games.tables import Player, Table
from httpapi.clock import isoformat, isoformat_ms
from httpapi.problems import VersionConflict

MISSED_AT_MOST: Final = 200


class SeatShown(Struct, frozen=True):
    """A seat with its player."""

    seat: int
    player: Player
    status: str
    hand_count: int
    stage: int | None
    said_last: bool
    owes_last_card: bool
    timeouts: int


class Fairness(Struct, frozen=True):
    """The SHA-256 of the server seed, published before any client seed was taken."""

    commitment: str


class GameView(Struct, frozen=True, kw_only=True):
    """A game as one viewer sees it; before the start what lies on the table is null."""

    id: UUID
    status: str
    mode: str
    version: int
    name: str
    server_time: str
    ruleset: Raw
    seats: tuple[SeatShown, ...]
    you: You | None
    turn: int | None = None
    direction: int | None = None
    lead: Lead | None = None
    top: str | None = None
    open_taki: Color | None = None
    plus2: int = 0
    owed: Owed | None = None
    window: WindowView | None = None
    draw_count: int | None = None
    discard_count: int | None = None
    clock: ClockView | None = None
    legal_moves: list[Template] | UnsetType = UNSET
    fairness: Fairness
    result: Result | None = None
    whole: Whole | UnsetType = UNSET
    host: UUID
    visibility: str
    min_players: int
    max_players: int
    auto_start: bool
    sandbox: bool
    opened_at: str
    started_at: str | None
    join_code: str | UnsetType = UNSET


class EventView(Struct, frozen=True):
    """An event as one viewer sees it."""

    version: int
    kind: str
    at: str
    seat: int | None
    cause: str
    data: dict[str, Any]


class Glance(Struct, frozen=True):
    """What is looked at: the table's cards after `version`, at the moment `now` (ms)."""

    state: State | None
    version: int
    now: int


def viewer_at(state: State | None, seat: int | None) -> Viewer:
    """What a seat, or a spectator, may see: everything once the game is over."""
    return Viewer(seat, sees_all=state is not None and state.outcome is not None)


def game_view(table: Table, glance: Glance, seat: int | None, viewer: Viewer | None = None) -> GameView:
    """The game for a seat (None: a spectator), with the rights of `viewer` if those are others."""
    state = glance.state
    if state is None:
        return _before_start(table, glance, seat)
    seen = view_for(state, viewer or viewer_at(state, seat), glance.now)
    return GameView(
        id=table.id,
        status=_status(state),
        mode=table.mode,
        version=glance.version,
        name=table.name,
        server_time=isoformat_ms(glance.now),
        ruleset=table.ruleset.shown,
        seats=_seats(seen, table.players),
        you=seen.you,
        turn=seen.turn,
        direction=seen.direction,
        lead=seen.lead,
        top=seen.top,
        open_taki=seen.open_taki,
        plus2=seen.plus2,
        owed=seen.owed,
        window=seen.window,
        draw_count=seen.draw_count,
        discard_count=seen.discard_count,
        clock=seen.clock,
        legal_moves=UNSET if seen.you is None else seen.legal_moves,
        fairness=Fairness(table.commitment.hex()),
        result=seen.result,
        whole=seen.whole,
        **_lasting(table),
    )


def _status(state: State) -> str:
    if state.outcome is None:
        return Status.RUNNING.value
    return Status.VOID.value if state.outcome.ended is Ended.VOID else Status.FINISHED.value


def _seats(seen: TableView, players: Sequence[Player]) -> tuple[SeatShown, ...]:
    return tuple(_seat(seat, player) for seat, player in zip(seen.seats, players, strict=True))


def _seat(seat: SeatView, player: Player) -> SeatShown:
    return SeatShown(
        seat.seat,
        player,
        seat.status,
        seat.hand_count,
        seat.stage,
        seat.said_last,
        seat.owes_last_card,
        seat.timeouts,
    )


def _lasting(table: Table) -> dict[str, Any]:
    """What does not change in a game's life."""
    return {
        "host": table.host,
        "visibility": table.visibility,
        "min_players": table.min_players,
        "max_players": table.max_players,
        "auto_start": table.auto_start,
        "sandbox": table.sandbox,
        "opened_at": isoformat(table.opened_at),
        "started_at": None if table.started_at is None else isoformat(table.started_at),
    }


def _before_start(table: Table, glance: Glance, seat: int | None) -> GameView:
    """An open table, or one that came to nothing."""
    void = table.status == Status.VOID and glance.version == table.version
    lasting = _lasting(table) | {"started_at": None}
    return GameView(
        id=table.id,
        status=Status.VOID.value if void else Status.OPEN.value,
        mode=table.mode,
        version=glance.version,
        name=table.name,
        server_time=isoformat_ms(glance.now),
        ruleset=table.ruleset.shown,
        seats=tuple(
            SeatShown(number, player, "playing", 0, None, said_last=False, owes_last_card=False, timeouts=0)
            for number, player in enumerate(table.players)
        ),
        you=None if seat is None else You(seat, Cards(), awaited=False),
        legal_moves=UNSET if seat is None else [],
        fairness=Fairness(table.commitment.hex()),
        result=Result(Ended.VOID, None, ()) if void else None,
        **lasting,
    )


def event_view(row: StoredEvent, event: Event, viewer: Viewer) -> EventView:
    """An event for a viewer."""
    shown = redact(event, viewer)
    return EventView(row.version, shown.kind, isoformat_ms(row.at), shown.seat, row.cause.word, shown.data)


def event_views(rows: Sequence[StoredEvent], viewer: Viewer) -> list[EventView]:
    """Stored events for a viewer."""
    return [event_view(row, event_of(row), viewer) for row in rows]


def moves_for(state: State | None, seat: int | None, now: int) -> list[Template]:
    """The legal moves of a seat; a spectator has none."""
    return [] if state is None or seat is None else legal_moves(state, seat, now)


def nothing_possible(table: Table) -> dict[str, object]:
    """What a refusal tells where nobody can act: at a table that was never dealt, or is over."""
    return {"version": table.version, "legal_moves": []}


def conflict(table: Table, player: UUID, expected: int) -> VersionConflict:
    """412, with the events missed since `expected` as the caller may see them."""
    rows = [row for row in store.read(table.id, expected, MISSED_AT_MOST + 1) if row.version <= table.version]
    viewer = viewer_at(table.state(), table.seat_of(player))
    return VersionConflict(
        params={"version": table.version},
        headers={"X-Server-Time": isoformat_ms(table.now)},
        extra={
            "version": table.version,
            "events": event_views(rows[:MISSED_AT_MOST], viewer),
            "more": len(rows) > MISSED_AT_MOST,
        },
    )
