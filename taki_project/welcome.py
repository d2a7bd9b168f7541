"""The pages for people at the root, and the documents of `docs/` as they stand."""

from functools import cache
from html import escape
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from msgspec import Struct
from rest_framework.request import Request

from httpapi.answers import json_answer
from httpapi.views import ApiView

LINKS = {
    "rules": "/api/v1/rules",
    "presets": "/api/v1/rules/presets",
    "games": "/api/v1/games",
    "sign_up": "/api/v1/players",
    "guests": "/api/v1/players/guest",
    "description": "/api/schema",
    "documentation": "/api/docs",
    "health": "/health/ready",
}


def page(request: HttpRequest) -> HttpResponse:
    """A small page of links."""
    return HttpResponse(render_to_string("welcome.html", {"links": LINKS, "documents": sorted(documents())}))


class Root(Struct, frozen=True):
    """Where everything is."""

    name: str
    version: int
    links: dict[str, str]


class RootView(ApiView):
    """The same links for programs."""

    anonymous = ("GET", "HEAD")

    def get(self, request: Request) -> HttpResponse:
        """Every link by name."""
        return json_answer(Root(name="taki", version=1, links=LINKS))


def document(request: HttpRequest, name: str) -> HttpResponse:
    """One document, as text: Markdown is made to be read so."""
    found = documents().get(name)
    if found is None:
        raise Http404(escape(name))
    return HttpResponse(found.read_bytes(), content_type="text/markdown; charset=utf-8")


@cache
def documents() -> dict[str, Path]:
    """What may be asked for, by name: nothing else on the disk can be reached."""
    folder = Path(settings.BASE_DIR) / "docs"
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.md")}
