"""(c) A lean Django view: signed token, one statement through psycopg, a short answer."""

from __future__ import annotations

from typing import Final

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from bench.load.floors.work import RAISED, Move, cursor, player_of

_decode: Final = msgspec.json.Decoder(Move).decode
_encode: Final = msgspec.json.Encoder().encode


@csrf_exempt
def move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Raise the version and insert the event, in one statement."""
    player = player_of(request.META)
    if player is None:
        return HttpResponse(status=401)
    sent = _decode(request.body)
    with cursor() as raw:
        row = raw.execute(RAISED, [game_id, player, sent.kind, _encode(sent).decode()]).fetchone()
    return HttpResponse(_encode({"version": row and row[0]}), content_type="application/json", status=201)


urlpatterns = [path("games/<str:game_id>/moves", move)]
