"""The chart as a picture: for pages outside of the API too, which show pictures without a token."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse

from games.models import Visibility
from games.tables import Table
from httpapi import versions
from httpapi.parsing import uuid_or_404
from httpapi.problems import NotFound, response
from tournaments.boards import picture, tournament_at
from tournaments.chart.drawing import svg

SVG: Final = "image/svg+xml"
# Opened by itself the picture is a document: it may hold its style and nothing else.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def chart_answer(table: Table) -> HttpResponse:
    """The chart of a tournament."""
    headers = {"ETag": versions.etag(table.version), "Content-Security-Policy": POLICY}
    return HttpResponse(svg(picture(table)), content_type=SVG, headers=headers)


def stages(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The chart of a listed tournament, for everybody; others are not told from unknown ones."""
    try:
        table = tournament_at(uuid_or_404(tournament_id))
    except NotFound:
        return response(NotFound(), request)
    if table.visibility != Visibility.PUBLIC or table.sandbox:
        return response(NotFound(), request)
    held = table.version in versions.if_none_match(request)
    answer = versions.not_modified(table.version) if held else chart_answer(table)
    answer.headers["Cache-Control"] = "public, no-cache"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer
