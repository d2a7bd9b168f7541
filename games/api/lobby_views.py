"""Calls about a table before the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.callers import caller_of
from games import lists, selectors
from games.api import requests
from games.api.permissions import Look, Play
from games.api.shapes import actor_of, game_answer
from games.services import lobby, play
from games.tables import Table
from httpapi.answers import Answer, json_answer
from httpapi.idempotency import once
from httpapi.paging import Listing, page
from httpapi.parsing import decode_body, decode_query, uuid_or_404
from httpapi.plain import plain
from httpapi.problems import NotFound, Problem
from httpapi.versions import if_match
from httpapi.views import ApiView

GameKey = tuple[UUID]


def _present(request: Request, game_id: UUID, status: int = 200) -> Answer:
    return game_answer(selectors.present(selectors.table(game_id), caller_of(request).player_id), status)


def _change(request: Request, game_id: str, change: Callable[[UUID], None]) -> HttpResponse:
    """Carry a change of an open table out once; the answer is the game."""
    game = uuid_or_404(game_id)

    def work() -> Answer:
        change(game)
        return _present(request, game)

    return once(request, work)


class GamesView(ApiView):
    """All tables: open one, list them."""

    queries: ClassVar = ("GET",)

    def get_permissions(self) -> list[Any]:
        """Opening a table is part of playing."""
        return [Play()] if self.request.method == "POST" else [Look()]

    def post(self, request: Request) -> HttpResponse:
        """Open a table."""

        def work() -> Answer:
            wish = requests.wish_of(decode_body(request, requests.OpenTable))
            return _present(request, lobby.open_table(actor_of(request), wish), 201)

        return once(request, work)

    def get(self, request: Request) -> HttpResponse:
        """The listed tables, newest first."""
        query = decode_query(request, requests.GamesQuery)
        conditions = requests.conditions_of(query)
        listing: Listing[Table, GameKey] = Listing(
            key_type=GameKey,
            key=lambda table: (table.id,),
            fetch=lambda position, count: lists.listed(conditions, position, count),
            show=lists.entry,
        )
        return json_answer(page(request, query, listing))


class JoinView(ApiView):
    """A seat at a table one knows."""

    permission_classes = (Play,)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Take the next seat."""

        def change(game: UUID) -> None:
            asked = decode_body(request, requests.Join)
            lobby.join(game, actor_of(request), asked.client_seed, if_match(plain(request)))

        return _change(request, game_id, change)


class JoinByCodeView(ApiView):
    """A seat by the code that the host gave away."""

    permission_classes = (Play,)

    def post(self, request: Request) -> HttpResponse:
        """Take the next seat."""

        def work() -> Answer:
            asked = decode_body(request, requests.JoinByCode)
            game = lobby.find_by_code(asked.join_code)
            lobby.join(game, actor_of(request), asked.client_seed, if_match(plain(request)))
            return _present(request, game)

        return once(request, work)


class LeaveView(ApiView):
    """The way out."""

    permission_classes = (Play,)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Give the seat back before the start, leave the game afterwards."""
        game = uuid_or_404(game_id)

        def work() -> Answer | Problem:
            decode_body(request, requests.Nothing)
            left = play.leave(game, actor_of(request), if_match(plain(request)))
            return left if isinstance(left, Problem) else game_answer(left)

        return once(request, work)


class StartView(ApiView):
    """The start, by the host."""

    permission_classes = (Play,)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Deal."""

        def change(game: UUID) -> None:
            decode_body(request, requests.Nothing)
            lobby.start(game, actor_of(request), if_match(plain(request)))

        return _change(request, game_id, change)


class CancelView(ApiView):
    """The end before the start, by the host."""

    permission_classes = (Play,)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Void the table."""

        def change(game: UUID) -> None:
            decode_body(request, requests.Nothing)
            lobby.cancel(game, actor_of(request), if_match(plain(request)))

        return _change(request, game_id, change)


class SeatView(ApiView):
    """One seat of an open table."""

    permission_classes = (Play,)

    def delete(self, request: Request, game_id: str, number: str) -> HttpResponse:
        """Remove its player."""

        def change(game: UUID) -> None:
            if not (number.isascii() and number.isdecimal()) or len(number) > 1:
                raise NotFound
            lobby.remove(game, actor_of(request), int(number), if_match(plain(request)))

        return _change(request, game_id, change)
