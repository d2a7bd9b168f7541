"""Calls about tournaments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.callers import caller_of
from games.api import requests as game_requests
from games.api.permissions import Look, Play
from games.api.shapes import actor_of, unchanged
from games.services import lobby
from games.tables import Table
from httpapi.answers import Answer, answer, json_answer
from httpapi.idempotency import once
from httpapi.paging import Listing, page
from httpapi.parsing import decode_body, decode_query, uuid_or_404
from httpapi.plain import plain
from httpapi.versions import etag, if_match
from httpapi.views import ApiView
from tournaments import selectors
from tournaments.api import requests
from tournaments.boards import tournament_at
from tournaments.pages import chart_answer

Key = tuple[UUID]


def _answer(request: Request, tournament_id: UUID, status: int = 200) -> Answer:
    view = selectors.tournament(tournament_id, caller_of(request).player_id)
    headers = {"ETag": etag(view.version)}
    if status == 201:  # noqa: PLR2004 (created)
        headers["Location"] = f"/api/v1/tournaments/{view.id}"
    return answer(view, status, headers)


def _change(request: Request, tournament_id: str, change: Callable[[UUID], None]) -> HttpResponse:
    """Carry a change of an open tournament out once; the answer is the tournament."""
    game = uuid_or_404(tournament_id)

    def work() -> Answer:
        tournament_at(game)
        change(game)
        return _answer(request, game)

    return once(request, work)


class TournamentsView(ApiView):
    """All tournaments of one table: open one, list them."""

    queries: ClassVar = ("GET",)

    def get_permissions(self) -> list[Any]:
        """Opening a table is part of playing."""
        return [Play()] if self.request.method == "POST" else [Look()]

    def post(self, request: Request) -> HttpResponse:
        """Open a table in tournament mode."""

        def work() -> Answer:
            wish = requests.wish_of(decode_body(request, requests.OpenTournament))
            return _answer(request, lobby.open_table(actor_of(request), wish), 201)

        return once(request, work)

    def get(self, request: Request) -> HttpResponse:
        """The listed ones, newest first."""
        query = decode_query(request, requests.TournamentsQuery)
        conditions = requests.conditions_of(query)
        listing: Listing[Table, Key] = Listing(
            key_type=Key,
            key=lambda table: (table.id,),
            fetch=lambda position, count: selectors.listed(conditions, position, count),
            show=selectors.entry,
        )
        return json_answer(page(request, query, listing))


class TournamentView(ApiView):
    """A tournament."""

    permission_classes = (Look,)

    def get(self, request: Request, tournament_id: str) -> HttpResponse:
        """The stage of each player and how they came there."""
        table = tournament_at(uuid_or_404(tournament_id))
        return unchanged(request, table) or json_answer(
            selectors.present(table, caller_of(request).player_id), headers={"ETag": etag(table.version)}
        )


class JoinView(ApiView):
    """A seat in a tournament."""

    permission_classes = (Play,)

    def post(self, request: Request, tournament_id: str) -> HttpResponse:
        """Take the next seat."""

        def change(game: UUID) -> None:
            asked = decode_body(request, game_requests.Join)
            lobby.join(game, actor_of(request), asked.client_seed, if_match(plain(request)))

        return _change(request, tournament_id, change)


class StartView(ApiView):
    """The start, by the host."""

    permission_classes = (Play,)

    def post(self, request: Request, tournament_id: str) -> HttpResponse:
        """Deal."""

        def change(game: UUID) -> None:
            decode_body(request, game_requests.Nothing)
            lobby.start(game, actor_of(request), if_match(plain(request)))

        return _change(request, tournament_id, change)


class StagesView(ApiView):
    """The chart."""

    permission_classes = (Look,)

    def get(self, request: Request, tournament_id: str) -> HttpResponse:
        """Stage over time as SVG, as of the version of the table."""
        table = tournament_at(uuid_or_404(tournament_id))
        return unchanged(request, table) or chart_answer(table)
