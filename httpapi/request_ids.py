"""The id of a request: taken from X-Request-ID or made, answered, and put on every log line."""

import logging
import re
import secrets
from contextvars import ContextVar
from typing import Final

from django.http import HttpRequest

HEADER: Final = "X-Request-ID"
_ACCEPTABLE: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ATTRIBUTE: Final = "_request_id"

current: Final[ContextVar[str]] = ContextVar("request_id", default="-")


def request_id_of(request: HttpRequest) -> str:
    """The id of this request, the same each time it is asked for."""
    known: str | None = request.__dict__.get(_ATTRIBUTE)
    if known is not None:
        return known
    offered = request.META.get("HTTP_X_REQUEST_ID", "")
    request_id = offered if _ACCEPTABLE.fullmatch(offered) else secrets.token_hex(8)
    request.__dict__[_ATTRIBUTE] = request_id
    return request_id


class RequestIdFilter(logging.Filter):
    """Gives each log record the attribute `request_id`; `-` outside a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Adds the id, drops nothing."""
        record.request_id = current.get()
        return True
