"""Answers of Django REST framework, written by msgspec; JSON whatever the caller accepts."""

from collections.abc import Iterable, Mapping
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

    def select_parser(self, request: Any, parsers: Iterable[Any]) -> Any:
        """The parser; it judges Content-Type itself."""
        return next(iter(parsers))

    def select_renderer(self, request: Any, renderers: Iterable[Any], format_suffix: str | None = None) -> Any:
        """The renderer and its type."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
