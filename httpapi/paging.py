"""Lists by cursor: each page begins after a row's key, so pages stay stable while rows are added."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar
from urllib.parse import parse_qsl, urlencode

import msgspec
from django.http import HttpRequest

from httpapi.plain import plain
from httpapi.problems import invalid_field

MOST: Final = 200
USUAL: Final = 50
_DIGEST_BYTES: Final = 6

K = TypeVar("K", bound=tuple[Any, ...])
R = TypeVar("R")


class PageQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a list; lists with filters extend it."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = USUAL
    cursor: Annotated[str, msgspec.Meta(max_length=500)] | None = None


class Position(msgspec.Struct, Generic[K], frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page begins: beyond the row with this key, towards the end of the list or its beginning."""

    backward: bool
    key: K


class _Cursor(msgspec.Struct, Generic[K], frozen=True, array_like=True, forbid_unknown_fields=True):
    """A position, and the list in which it is one: `of` is a digest of path and filters."""

    position: Position[K]
    of: bytes


class Page(msgspec.Struct, frozen=True):
    """One page; `next` and `previous` are addresses on this server."""

    results: Sequence[Any]
    next: str | None
    previous: str | None


class Listing(msgspec.Struct, Generic[R, K], frozen=True):
    """How a list is read: the type of a row's key, the key itself, the rows, and how one is shown.

    `fetch(position, count)` gives up to `count` rows in the order in which they are met from `position`
    (None: from the beginning): for a backward position that is the reverse of the list's order.
    """

    key_type: Any
    key: Callable[[R], K]
    fetch: Callable[[Position[K] | None, int], Sequence[R]]
    show: Callable[[R], Any]


def page(request: Any, query: PageQuery, listing: Listing[R, K]) -> Page:
    """The page that a query asks for."""
    inner = plain(request)
    position: Position[K] | None = _read(query.cursor, listing.key_type, _digest(inner))
    rows = list(listing.fetch(position, query.limit + 1))
    more = len(rows) > query.limit
    rows = rows[: query.limit]
    backward = position is not None and position.backward
    if backward:
        rows.reverse()
    has_next, has_previous = (True, more) if backward else (more, position is not None)

    def link(row: R, *, backward: bool) -> str:
        return _address(inner, Position(backward, listing.key(row)))

    return Page(
        results=[listing.show(row) for row in rows],
        next=link(rows[-1], backward=False) if rows and has_next else None,
        previous=link(rows[0], backward=True) if rows and has_previous else None,
    )


def _read(cursor: str | None, key_type: Any, of: bytes) -> Position[K] | None:
    if cursor is None:
        return None
    try:
        packed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        read: _Cursor[K] = msgspec.msgpack.decode(packed, type=_Cursor[key_type])
    except (binascii.Error, ValueError) as error:
        raise invalid_field("/?cursor", "invalid_cursor") from error
    if read.of != of:  # in another list it would lead nowhere in particular
        raise invalid_field("/?cursor", "invalid_cursor")
    return read.position


def _address(request: HttpRequest, position: Position[Any]) -> str:
    packed = msgspec.msgpack.encode(_Cursor(position, _digest(request)))
    cursor = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
    kept = [pair for pair in _given(request) if pair[0] != "cursor"]
    return f"{request.path}?{urlencode([*kept, ('cursor', cursor)])}"


def _digest(request: HttpRequest) -> bytes:
    """What tells one list from another; the order of the filters and the length of a page do not."""
    filters = sorted(pair for pair in _given(request) if pair[0] not in PageQuery.__struct_fields__)
    return hashlib.sha256(msgspec.msgpack.encode((request.path, filters))).digest()[:_DIGEST_BYTES]


def _given(request: HttpRequest) -> list[tuple[str, str]]:
    return parse_qsl(request.META.get("QUERY_STRING", ""))
