"""The bytes of a request body: at most 64 KiB, JSON, not compressed, and not waited for too long."""

from typing import Any, Final, cast

from django.conf import settings
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from httpapi.callers import judge_again
from httpapi.patience import Limits, TooMany, TooSlow, read_in_time
from httpapi.problems import MalformedRequest, TooLarge, TooSlowBody, Unavailable, UnsupportedMedia
from httpapi.unanswered import has_lately_shut

LIMIT: Final = 64 * 1024
_ATTRIBUTE: Final = "_checked_body"


def body_of(request: HttpRequest) -> bytes:
    """The body, read once and within the limit; what its headers say is judged first."""
    known: bytes | None = request.__dict__.get(_ATTRIBUTE)
    if known is not None:
        return known
    refuse_encoding(request)
    try:
        body = _read(request)
    except UnreadablePostError as error:
        raise MalformedRequest("bad_request") from error
    if body and not _is_json(request.META.get("CONTENT_TYPE", "")):
        raise UnsupportedMedia
    request.__dict__[_ATTRIBUTE] = body
    return body


def refuse_encoding(request: HttpRequest) -> None:
    """Refuses compressed bodies, whose length says nothing about what they hold."""
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() not in {"", "identity"}:
        raise UnsupportedMedia("content_encoding_unsupported")


def _read(request: HttpRequest) -> bytes:
    chunked = "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
    if chunked:
        size = LIMIT + 1  # Django itself takes a body without a length for empty (WSGIRequest counts on CONTENT_LENGTH)
    else:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > LIMIT:
            raise _too_large()
        size = int(length)
    source = request.META.get("wsgi.input")
    if source is None or not size:
        return request.body
    body = _in_time(request, source, size)
    # The connection was cut: what came is not what was meant. Of chunks nobody says that they broke off; but the beginning
    # of an object is never JSON, unless nothing of it came: then it would count as an absent body.
    if not body or (len(body) < size and not chunked):
        if has_lately_shut(request.META.get("REMOTE_ADDR", "")):
            raise _too_many()
        raise MalformedRequest("bad_request", headers={"Connection": "close"})
    if len(body) > LIMIT:
        raise _too_large()
    return body


def _in_time(request: HttpRequest, source: Any, size: int) -> bytes:
    seconds = settings.BODY_READ_SECONDS
    if not seconds:
        return cast("bytes", source.read(size))
    limits = Limits(seconds, settings.SLOW_BODIES)
    try:
        body, was_slow = read_in_time(source, size, limits, request.META.get("REMOTE_ADDR", ""))
    except TooSlow:
        raise TooSlowBody(params={"seconds": seconds}, headers={"Connection": "close"}) from None
    except TooMany:
        raise _too_many() from None
    if was_slow:  # whoever called may have left meanwhile
        judge_again(request)
    return body


def _too_many() -> Unavailable:
    return Unavailable("too_many_slow_bodies", headers={"Retry-After": "1", "Connection": "close"})


def _too_large() -> TooLarge:
    return TooLarge(params={"limit": LIMIT}, headers={"Connection": "close"})


def _is_json(content_type: str) -> bool:
    media, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [value.strip('"') for name, _, value in (p.partition("=") for p in parameters) if name == "charset"]
    return media == "application/json" and all(charset in {"utf-8", "utf8"} for charset in charsets)
