"""Django REST framework's exception handler: every refusal becomes an RFC 9457 answer."""

from typing import Any

from django.http import HttpResponse

from httpapi import exception_answers


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer for an exception that a view raised; None lets it rise and be answered with 500."""
    return exception_answers.answer(error, context["request"]._request)  # noqa: SLF001 (the request that Django made)
