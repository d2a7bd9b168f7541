"""The bytes of a request body: at most 64 KiB, JSON, not compressed."""

from typing import Final

from django.http import HttpRequest
from django.http.request import UnreadablePostError

from httpapi.problems import MalformedRequest, TooLarge, UnsupportedMedia

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
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        return _read_chunked(request)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > LIMIT:
        raise TooLarge(params={"limit": LIMIT})
    return request.body


def _read_chunked(request: HttpRequest) -> bytes:
    """Reads a body without a length; Django itself takes it for empty (WSGIRequest counts on CONTENT_LENGTH)."""
    source = request.META.get("wsgi.input")
    if source is None:
        return request.body
    pieces, size = [], 0
    while piece := source.read(min(8192, LIMIT + 1 - size)):
        pieces.append(piece)
        size += len(piece)
        if size > LIMIT:
            raise TooLarge(params={"limit": LIMIT})
    return b"".join(pieces)


def _is_json(content_type: str) -> bool:
    media, *parameters = (part.strip().lower() for part in content_type.split(";"))
    charsets = [value.strip('"') for name, _, value in (p.partition("=") for p in parameters) if name == "charset"]
    return media == "application/json" and all(charset in {"utf-8", "utf8"} for charset in charsets)
