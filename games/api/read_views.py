"""Calls that look: at a game, its log, its past, its proofs, and one's own games."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.callers import caller_of
from accounts.api.late import LateView, with_proof
from games import lists, selectors
from games.api import requests
from games.api.permissions import Look
from games.api.shapes import seen, unchanged
from games.services import audit
from games.tables import Table
from httpapi.answers import json_answer
from httpapi.paging import Listing, PageQuery, page
from httpapi.parsing import decode_query, uuid_or_404
from httpapi.problems import NotFound
from httpapi.versions import etag

OwnKey = tuple[int, UUID]
NDJSON = "application/x-ndjson"
LONGEST_VERSION = 9


class Looking(LateView):
    """A view that changes nothing."""

    permission_classes = (Look,)

    def table(self, game_id: str) -> Table:
        """The game of the path; the token is looked at in the same statement."""
        return selectors.table(uuid_or_404(game_id), with_proof(self.request))


class GameView(Looking):
    """A game."""

    def get(self, request: Request, game_id: str) -> HttpResponse:
        """The view for the caller."""
        table = self.table(game_id)
        return unchanged(request, table) or seen(selectors.present(table, caller_of(request).player_id), table.version)


class LegalMovesView(Looking):
    """What the caller may do."""

    def get(self, request: Request, game_id: str) -> HttpResponse:
        """The templates; none for a spectator."""
        table = self.table(game_id)
        return unchanged(request, table) or seen(selectors.moves(table, caller_of(request).player_id), table.version)


class EventsView(Looking):
    """The log."""

    queries: ClassVar = ("GET",)

    def get(self, request: Request, game_id: str) -> HttpResponse:
        """The events after a version, as the caller may see them."""
        query = decode_query(request, requests.EventsQuery)
        table = self.table(game_id)
        if query.after >= table.version and (same := unchanged(request, table)):
            return same
        events = selectors.events(table, caller_of(request).player_id, query.after, query.limit)
        return json_answer(events, headers={"ETag": etag(table.version)})


class HistoryView(Looking):
    """The past."""

    queries: ClassVar = ("GET",)

    def get(self, request: Request, game_id: str, version: str) -> HttpResponse:
        """The view as of a version."""
        query = decode_query(request, requests.HistoryQuery)
        if not (version.isascii() and version.isdecimal()) or len(version) > LONGEST_VERSION:
            raise NotFound
        table = self.table(game_id)
        view = selectors.past(table, caller_of(request).player_id, int(version), query.seat)
        # Before the deal seats may be named by what their players are called now, which changes without a version.
        same = None if view.top is None else unchanged(request, table, view.version)
        return same or seen(view, view.version)


class RecordView(Looking):
    """The finished game as a file."""

    def get(self, request: Request, game_id: str) -> HttpResponse:
        """A header line, then each event with its digest."""
        table = self.table(game_id)
        return HttpResponse(
            b"".join(audit.record(table)),
            content_type=NDJSON,
            headers={
                "ETag": etag(table.version),
                "Content-Disposition": f'attachment; filename="taki-{table.id}.ndjson"',
            },
        )


class VerificationView(Looking):
    """The proofs."""

    limited_by_caller: ClassVar = {"GET": "verification"}

    def get(self, request: Request, game_id: str) -> HttpResponse:
        """Every check, as far as it can be made now."""
        table = self.table(game_id)
        return json_answer(audit.verification(table), headers={"ETag": etag(table.version)})


class OwnGamesView(Looking):
    """The caller's games."""

    queries: ClassVar = ("GET",)

    def get(self, request: Request) -> HttpResponse:
        """Those that wait for the caller first."""
        player = caller_of(request).player_id
        listing: Listing[lists.OwnRow, OwnKey] = Listing(
            key_type=OwnKey,
            key=lambda row: (row.urgency, row.table.id),
            fetch=lambda position, count: lists.own(player, position, count),
            show=lists.own_entry,
        )
        return json_answer(page(request, decode_query(request, PageQuery), listing))
