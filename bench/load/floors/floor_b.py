"""(b) Django REST framework tuned: signed token, msgspec as parser and renderer, one write, the state read and written, 2 KB."""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
from django.urls import path
from rest_framework.authentication import BaseAuthentication
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bench.load.floors.work import MOVED, READ, Move, cursor, player_of

_decode: Final = msgspec.json.Decoder(Move).decode
_encode: Final = msgspec.json.Encoder().encode
_SEATS: Final = [
    {"seat": seat, "player": {"id": "0" * 36, "name": f"Player {seat}", "kind": "human"}, "hand_count": 8, "stage": 8}
    for seat in range(4)
]
_MOVES: Final = [{"type": "play", "card": f"red-{number}", "needs": None, "run": None} for number in range(1, 9)]


class Parser(BaseParser):
    """JSON in."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The move."""
        return _decode(stream.read())


class Renderer(BaseRenderer):
    """JSON out."""

    media_type = "application/json"
    format = "json"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The bytes."""
        return _encode(data)


class Signed(BaseAuthentication):
    """A token that tells its player by itself."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """The player's number."""
        player = player_of(request.META)
        return None if player is None else (player, None)


class MoveView(APIView):
    """One move."""

    authentication_classes = (Signed,)
    permission_classes = ()
    parser_classes = (Parser,)
    renderer_classes = (Renderer,)

    def post(self, request: Request, game_id: str) -> Response:
        """Read, write in one statement, answer with a view."""
        move, player = cast("Move", request.data), request.user
        with cursor() as raw:
            row = raw.execute(READ, [game_id]).fetchone()
            while row is not None:
                version, state = row
                params = [state[1:] + state[:1], game_id, version, player, move.kind, _encode(move).decode()]
                if raw.execute(MOVED, params).fetchone() is not None:
                    break
                row = raw.execute(READ, [game_id]).fetchone()
        answer = {
            "version": version + 1,
            "events": [{"version": version + 1, "kind": move.kind, "seat": 0, "data": {"cards": move.cards}}],
            "game": {"id": game_id, "status": "running", "seats": _SEATS, "legal_moves": _MOVES, "state": state.hex()},
        }
        return Response(answer, status=201)


urlpatterns = [path("games/<str:game_id>/moves", MoveView.as_view())]
