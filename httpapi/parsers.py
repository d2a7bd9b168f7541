"""Bodies for the serializers of Django REST framework, under the same rules as httpapi.parsing."""

from collections.abc import Mapping
from typing import Any

from rest_framework.parsers import BaseParser

from httpapi.answers import JSON
from httpapi.parsing import decode_body


class MsgspecParser(BaseParser):
    """JSON in: one object, no duplicate fields, no NUL."""

    media_type = JSON

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The members of the body. Serializers refuse unknown fields themselves."""
        if parser_context is None:
            raise TypeError("a body is read from its request")
        return decode_body(parser_context["request"], dict[str, Any])
