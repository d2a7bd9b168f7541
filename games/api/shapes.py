"""How answers of the game go out: headers, bodies, and the caller as the services know him."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request

from accounts.api.callers import caller_of
from games.selectors import MovesView
from games.services.actors import Actor
from games.services.play import Moved
from games.shown import EventView, GameView
from games.tables import Table
from httpapi import versions
from httpapi.answers import Answer, answer, json_answer
from httpapi.clock import isoformat_ms
from httpapi.idempotency import REPLAYED
from httpapi.plain import plain
from httpapi.request_ids import request_id_of

SERVER_TIME: Final = "X-Server-Time"


class MoveAnswer(Struct, frozen=True):
    """The answer to a move: what it caused, and the game after it."""

    version: int
    events: list[EventView]
    game: GameView


class DryRun(Struct, frozen=True):
    """The answer to a move that was only tried: allowed, at this version."""

    allowed: bool
    version: int


def actor_of(request: Request) -> Actor:
    """The caller, for the log."""
    caller = caller_of(request)
    return Actor(caller.player_id, caller.name, caller.kind.value, request_id_of(plain(request)))


def game_answer(view: GameView, status: int = 200) -> Answer:
    """A game's view, to be kept with an Idempotency-Key."""
    headers = {"ETag": versions.etag(view.version)}
    if status == 201:  # noqa: PLR2004 (created)
        headers["Location"] = f"/api/v1/games/{view.id}"
    return answer(view, status, headers)


def seen(body: GameView | MovesView, version: int) -> HttpResponse:
    """Something of a game at a version."""
    return json_answer(body, headers={"ETag": versions.etag(version)})


def unchanged(request: Request, table: Table, version: int | None = None) -> HttpResponse | None:
    """304, if the caller holds this version already; the table's own, or one of its past."""
    shown = table.version if version is None else version
    if shown not in versions.if_none_match(plain(request)):
        return None
    response = versions.not_modified(shown)
    response.headers[SERVER_TIME] = isoformat_ms(table.now)
    return response


def moved_answer(moved: Moved) -> HttpResponse:
    """The answer to a move, now or again."""
    headers = {"ETag": versions.etag(moved.version)}
    if moved.repeated:
        headers[REPLAYED] = "true"
    return json_answer(MoveAnswer(moved.version, moved.events, moved.game), 201, headers)
