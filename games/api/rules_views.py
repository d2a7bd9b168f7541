"""The rules and the presets, for everybody."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from games import presets
from games.i18n import rules_text
from httpapi.answers import json_answer
from httpapi.languages import asked_for
from httpapi.plain import plain
from httpapi.views import ApiView


class Everybody(ApiView):
    """A view that needs no token."""

    anonymous = ("GET", "HEAD")


class RulesView(Everybody):
    """The rules."""

    def get(self, request: Request) -> HttpResponse:
        """All rules by number, in the language asked for."""
        language = asked_for(plain(request))
        return json_answer(rules_text(language), headers={"Content-Language": language})


class PresetsView(Everybody):
    """What a table can be opened with."""

    def get(self, request: Request) -> HttpResponse:
        """The presets, and every option with its values and its default."""
        language = asked_for(plain(request))
        return json_answer(presets.catalog(language), headers={"Content-Language": language})
