"""Calls about checkpoints. Everybody may keep them, so none needs a token."""

from __future__ import annotations

from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from games import checkpoints
from httpapi.answers import json_answer
from httpapi.paging import Listing, PageQuery, page
from httpapi.parsing import decode_query
from httpapi.views import ApiView

NumberKey = tuple[int]
FOREVER = "public, max-age=31536000, immutable"
"""A checkpoint never changes, so whoever stands between may keep it."""


class CheckpointsView(ApiView):
    """All checkpoints."""

    anonymous = ("GET", "HEAD")

    queries: ClassVar = ("GET",)

    def get(self, request: Request) -> HttpResponse:
        """Without their lists, newest first."""
        listing = Listing(
            key_type=NumberKey,
            key=lambda checkpoint: (checkpoint.header.number,),
            fetch=checkpoints.listed,
            show=checkpoints.shown,
        )
        return json_answer(page(request, decode_query(request, PageQuery), listing))


class CheckpointView(ApiView):
    """A checkpoint."""

    anonymous = ("GET", "HEAD")

    def get(self, request: Request, checkpoint: str) -> HttpResponse:
        """With its list."""
        return json_answer(checkpoints.whole(checkpoint), headers={"Cache-Control": FOREVER})


class CheckpointKeysView(ApiView):
    """The public keys."""

    anonymous = ("GET", "HEAD")

    def get(self, request: Request) -> HttpResponse:
        """All of them, with what they sign."""
        return json_answer(checkpoints.keys())
