"""Versions in headers: ETag, If-Match and If-None-Match, which take `17`, `"17"` and `W/"17"`."""

import re
from typing import Final

from django.http import HttpRequest, HttpResponse

from httpapi.problems import invalid_header

_VERSION: Final = re.compile(r'(?:W/)?"([0-9]{1,15})"|([0-9]{1,15})')
_EXPECTED: Final = '17, "17" or W/"17"'


def etag(version: int) -> str:
    """The ETag of a version."""
    return f'"{version}"'


def if_match(request: HttpRequest) -> int | None:
    """The version a write expects; None if it expects none (no header, or `*`).

    An empty header is a mistake, such as a variable that was never filled: it must not count as no expectation.
    """
    header = request.META.get("HTTP_IF_MATCH", "*").strip()
    if header == "*":
        return None
    version = _read(header)
    if version is None:
        raise invalid_header("If-Match", _EXPECTED)
    return version


def if_none_match(request: HttpRequest) -> frozenset[int]:
    """The versions a reader holds already. Tags that are not ours match nothing and do no harm."""
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return frozenset()
    return frozenset(version for tag in header.split(",") if (version := _read(tag.strip())) is not None)


def not_modified(version: int) -> HttpResponse:
    """304 for a reader who holds this version."""
    response = HttpResponse(status=304, headers={"ETag": etag(version)})
    del response.headers["Content-Type"]
    return response


def _read(tag: str) -> int | None:
    found = _VERSION.fullmatch(tag)
    return int(found[1] or found[2]) if found else None
