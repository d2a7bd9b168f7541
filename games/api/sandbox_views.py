"""Calls of the sandbox: a game from a position, and its clock."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request

from accounts.api.callers import caller_of
from games import selectors
from games.api import sandbox_requests
from games.api.permissions import Host, Play
from games.api.shapes import actor_of, game_answer
from games.services import sandbox
from games.shown import GameView
from httpapi import versions
from httpapi.answers import Answer, answer
from httpapi.clock import isoformat
from httpapi.idempotency import once
from httpapi.parsing import decode_body, uuid_or_404
from httpapi.plain import plain
from httpapi.versions import if_match
from httpapi.views import ApiView


class SeatToken(Struct, frozen=True):
    """A seat of a sandbox game, with the token to play it; `player` exists for this game alone."""

    seat: int
    name: str
    player: UUID
    token: str
    expires_at: str


class SandboxGame(Struct, frozen=True):
    """A sandbox game just started, as its host sees it, and the tokens of its seats."""

    game: GameView
    seats: tuple[SeatToken, ...]


class SandboxGamesView(ApiView):
    """Games from positions."""

    permission_classes = (Host,)
    limited_by_caller: ClassVar = {"POST": "sandbox"}

    def post(self, request: Request) -> HttpResponse:
        """Start a game from a position."""

        def work() -> Answer:
            setup = sandbox_requests.setup_of(decode_body(request, sandbox_requests.OpenSandboxGame))
            caller = caller_of(request)
            opened = sandbox.open_game(actor_of(request), setup, caller.language)
            return _started(opened, selectors.present(selectors.table(opened.game_id), caller.player_id))

        return once(request, work)


def _started(opened: sandbox.Opened, game: GameView) -> Answer:
    seats = tuple(
        SeatToken(number, seat.name, seat.player, seat.token, isoformat(seat.expires_at))
        for number, seat in enumerate(opened.seats)
    )
    headers = {
        "ETag": versions.etag(game.version),
        "Location": f"/api/v1/games/{game.id}",
        "Cache-Control": "no-store",
    }
    return answer(SandboxGame(game, seats), 201, headers)


class ClockView(ApiView):
    """The clock of a sandbox game."""

    permission_classes = (Play,)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Move it forward."""
        game = uuid_or_404(game_id)

        def work() -> Answer:
            asked = decode_body(request, sandbox_requests.MoveClock)
            sandbox.move_clock(game, actor_of(request), asked.seconds, if_match(plain(request)))
            return game_answer(selectors.present(selectors.table(game), caller_of(request).player_id))

        return once(request, work)
