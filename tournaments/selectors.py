"""Tournaments as callers see them: one with its stages and their timeline, and short entries for lists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import asdict

from games import lists, selectors
from games.engine.ruleset import Mode
from games.engine.visibility import SPECTATOR, Result, view_for
from games.lists import Conditions, Entry
from games.shown import Fairness, GameView, SeatShown
from games.tables import Player, Table
from httpapi.clock import isoformat, isoformat_ms
from httpapi.paging import Position
from tournaments.boards import Board, board, tournament_at
from tournaments.courses import Course
from tournaments.models import StageReached


class TimeSpent(Struct, frozen=True):
    """How long a player was at a stage, in milliseconds; a stage that goes on counts up to `server_time`."""

    stage: int
    ms: int


class Contestant(Struct, frozen=True):
    """A player with the stage reached so far (0: through) and the moment it was reached.

    `strikes` are turns that ran out in a row; `place` is final once the game is over, by the same rule before (14.11).
    """

    seat: int
    player: Player
    status: str
    stage: int | None
    hand_count: int
    since: str | None
    strikes: int
    place: int | None
    spent: tuple[TimeSpent, ...]


class StageChange(Struct, frozen=True):
    """One line of the timeline: the stage cleared and the stage reached by it."""

    version: int
    at: str
    seat: int
    cleared: int
    reached: int


class TournamentView(Struct, frozen=True, kw_only=True):
    """A tournament of one table; its id is that of its game, where it is played."""

    id: UUID
    game: UUID
    status: str
    name: str
    version: int
    server_time: str
    ruleset: Raw
    stages: int
    turn: int | None
    players: tuple[Contestant, ...]
    timeline: tuple[StageChange, ...]
    host: UUID
    visibility: str
    min_players: int
    max_players: int
    auto_start: bool
    opened_at: str
    started_at: str | None
    finished_at: str | None
    result: Result | None
    fairness: Fairness
    join_code: str | UnsetType = UNSET


class TournamentEntry(Entry, frozen=True):
    """A tournament in a list: the first stage, and the stage of each seat now (empty before the start)."""

    first_stage: int
    stages: tuple[int, ...]


def present(table: Table, player: UUID) -> TournamentView:
    """The tournament of a table for a player."""
    seen, view = board(table), selectors.present(table, player)
    return TournamentView(
        id=table.id,
        game=table.id,
        status=view.status,
        name=view.name,
        version=view.version,
        server_time=view.server_time,
        ruleset=view.ruleset,
        stages=table.ruleset.rules.tournament_stages,
        turn=table.turn,
        players=_contestants(seen, view),
        timeline=tuple(map(_change, seen.timeline)),
        host=view.host,
        visibility=view.visibility,
        min_players=view.min_players,
        max_players=view.max_players,
        auto_start=view.auto_start,
        opened_at=view.opened_at,
        started_at=view.started_at,
        finished_at=None if table.finished_at is None else isoformat(table.finished_at),
        result=view.result,
        fairness=view.fairness,
        join_code=view.join_code,
    )


def tournament(game_id: UUID, player: UUID) -> TournamentView:
    """The tournament with this id; games in single mode are none."""
    return present(tournament_at(game_id), player)


def _contestants(seen: Board, view: GameView) -> tuple[Contestant, ...]:
    ways, standing = seen.courses(seen.table.now), seen.standing()
    return tuple(_contestant(seat, ways[seat.seat] if ways else None, standing.get(seat.seat)) for seat in view.seats)


def _contestant(seat: SeatShown, way: Course | None, place: int | None) -> Contestant:
    spans = () if way is None else way.spans
    return Contestant(
        seat=seat.seat,
        player=seat.player,
        status=seat.status,
        stage=seat.stage,
        hand_count=seat.hand_count,
        since=None if way is None else isoformat_ms(way.since),
        strikes=seat.timeouts,
        place=place,
        spent=tuple(TimeSpent(span.stage, span.ended - span.began) for span in spans),
    )


def _change(row: StageReached) -> StageChange:
    return StageChange(row.version, isoformat(row.at), row.seat, row.cleared, row.reached)


def listed(conditions: Conditions, position: Position[tuple[UUID]] | None, count: int) -> Any:
    """Listed tables in tournament mode, newest first, from a position on."""
    return lists.listed({**conditions, lists.BY_MODE: Mode.TOURNAMENT.value}, position, count)


def entry(table: Table) -> TournamentEntry:
    """A tournament for a list."""
    state = table.state()
    seats = () if state is None else view_for(state, SPECTATOR, table.now).seats
    return TournamentEntry(
        **asdict(lists.entry(table)),
        first_stage=table.ruleset.rules.tournament_stages,
        stages=tuple(seat.stage for seat in seats if seat.stage is not None),
    )
