"""The call that plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.late import LateView, with_proof
from games.api import requests
from games.api.permissions import Play
from games.api.shapes import DryRun, actor_of, moved_answer
from games.engine.commands import Command
from games.services import play
from httpapi.answers import json_answer
from httpapi.idempotency import key_of
from httpapi.parsing import decode_body, decode_query, uuid_or_404
from httpapi.plain import plain
from httpapi.problems import MalformedRequest
from httpapi.versions import if_match


class MovesView(LateView):
    """One command of the rules."""

    permission_classes = (Play,)

    queries: ClassVar = ("POST",)

    def post(self, request: Request, game_id: str) -> HttpResponse:
        """Play, draw, pass, call or catch."""

        def command() -> Command:
            return requests.command_of(decode_body(request, requests.MOVE_BODY))

        query = decode_query(request, requests.MoveQuery)
        asked = play.Asked(
            game=uuid_or_404(game_id),
            actor=actor_of(request),
            command=command,
            key=key_of(request),
            expected=_version_meant(request, command),
            token=with_proof(request),
        )
        if query.dry_run:
            return json_answer(DryRun(allowed=True, version=play.try_out(asked)))
        return moved_answer(play.move(asked))


def _version_meant(request: Request, command: Callable[[], Command]) -> int | None:
    """What `If-Match` says. Faults of the body are told before those of the header."""
    try:
        return if_match(plain(request))
    except MalformedRequest:
        command()
        raise
