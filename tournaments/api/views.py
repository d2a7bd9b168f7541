"""Calls about tournaments."""

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.callers import caller_of
from games.api.permissions import Look
from httpapi import versions
from httpapi.answers import json_answer
from httpapi.parsing import uuid_or_404
from httpapi.plain import plain
from httpapi.views import ApiView
from tournaments import selectors


class TournamentView(ApiView):
    """A tournament."""

    permission_classes = (Look,)

    def get(self, request: Request, tournament_id: str) -> HttpResponse:
        """The stage of each player and how they came there."""
        view = selectors.tournament(uuid_or_404(tournament_id), caller_of(request).player_id)
        if view.version in versions.if_none_match(plain(request)):
            return versions.not_modified(view.version)
        return json_answer(view, headers={"ETag": versions.etag(view.version)})
