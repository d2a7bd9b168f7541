"""The stages of a tournament, read from its game's log."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from games import selectors
from games.engine.ruleset import Mode
from games.engine.visibility import Result
from games.shown import SeatShown
from games.tables import Player
from httpapi.clock import isoformat
from httpapi.problems import NotFound
from tournaments.models import StageReached


class Contestant(Struct, frozen=True):
    """A player with the stage reached so far (0: through) and the moment it was reached."""

    seat: int
    player: Player
    status: str
    stage: int | None
    hand_count: int
    since: str | None


class StageChange(Struct, frozen=True):
    """One line of the timeline: the stage cleared and the stage reached by it."""

    version: int
    at: str
    seat: int
    cleared: int
    reached: int


class TournamentView(Struct, frozen=True):
    """A tournament of one table; its id is that of its game."""

    id: UUID
    game: UUID
    status: str
    name: str
    version: int
    stages: int
    players: tuple[Contestant, ...]
    timeline: tuple[StageChange, ...]
    started_at: str | None
    finished_at: str | None
    result: Result | None


def tournament(game_id: UUID, player: UUID) -> TournamentView:
    """The tournament that a game is; other games are none."""
    table = selectors.table(game_id)
    if table.mode != Mode.TOURNAMENT.value:
        raise NotFound
    view = selectors.present(table, player)
    reached = list(StageReached.objects.filter(game_id=game_id, version__lte=table.version).order_by("version"))
    since: dict[int, datetime] = {row.seat: row.at for row in reached}
    return TournamentView(
        id=game_id,
        game=game_id,
        status=view.status,
        name=view.name,
        version=view.version,
        stages=table.ruleset.rules.tournament_stages,
        players=tuple(_contestant(seat, since.get(seat.seat, table.started_at)) for seat in view.seats),
        timeline=tuple(
            StageChange(row.version, isoformat(row.at), row.seat, row.cleared, row.reached) for row in reached
        ),
        started_at=view.started_at,
        finished_at=None if table.finished_at is None else isoformat(table.finished_at),
        result=view.result,
    )


def _contestant(seat: SeatShown, since: datetime | None) -> Contestant:
    return Contestant(
        seat.seat,
        seat.player,
        seat.status,
        seat.stage,
        seat.hand_count,
        None if since is None else isoformat(since),
    )
