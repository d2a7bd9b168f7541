"""Django's request, also out of the one that Django REST framework wraps around it."""

from typing import Any

from django.http import HttpRequest


def plain(request: Any) -> HttpRequest:
    """The request that middleware sees and whose attributes last until the answer."""
    inner: HttpRequest = getattr(request, "_request", request)
    return inner
