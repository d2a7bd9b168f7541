"""Answers of Django REST framework, written by msgspec; JSON whatever the caller accepts."""

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer

from httpapi.answers import ENCODER, JSON


class MsgspecRenderer(BaseRenderer):
    """JSON out."""

    media_type = JSON
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The bytes of an answer."""
        return b"" if data is None else ENCODER.encode(data)


class JsonAlways(BaseContentNegotiation):
    """There is one form of answer, so Accept is not asked."""

    def select_parser(self, request: Any, parsers: Sequence[Any]) -> Any:
        """The parser; it judges Content-Type itself."""
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Sequence[Any], format_suffix: str | None = None) -> Any:
        """The renderer and its type."""
        return renderers[0], renderers[0].media_type
