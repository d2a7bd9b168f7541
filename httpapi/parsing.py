"""Bodies, queries and ids of requests, read strictly into msgspec Structs."""

import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec

from httpapi.bodies import body_of
from httpapi.faults import field_error
from httpapi.plain import plain
from httpapi.problems import FieldError, MalformedRequest, NotFound, invalid_field
from httpapi.strictness import escaped, lone_surrogate, passed_over

T = TypeVar("T")

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_MOST_PARAMETERS: Final = 50
_BYTE: Final = re.compile(r"\(byte (\d+)\)")


def decode_body(request: Any, type_: type[T]) -> T:
    """The body as a Struct. An absent body counts as `{}`: it is refused only where a field is required."""
    return decode(body_of(plain(request)) or b"{}", type_)


def decode(body: bytes, type_: type[T]) -> T:
    """JSON bytes as a Struct: no unknown or duplicate fields, no NUL, no lone surrogates."""
    try:
        value: T = _decoder(cast("Hashable", type_)).decode(body)
        fault = passed_over(body)
    except msgspec.ValidationError as error:
        fault = field_error(str(error), cast("Hashable", type_))
    except RecursionError:
        fault = FieldError("", "nested_too_deeply")
    except ValueError as error:  # msgspec.DecodeError among them
        raise _malformed(body, str(error)) from error
    if fault is not None:
        raise MalformedRequest(errors=(fault,))
    return value


def decode_query(request: Any, type_: type[T]) -> T:
    """The query as a Struct; numbers and booleans (`true`, `false`) are read from their words.

    Pointers of faults look like `/?limit`.
    """
    words = plain(request).META.get("QUERY_STRING", "")
    if not words:
        return _convert_query({}, type_)
    try:
        pairs = parse_qsl(words, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except ValueError as error:
        raise MalformedRequest("bad_request") from error
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in given:
            raise invalid_field(f"/?{escaped(name)}", "duplicate_field")
        if "\x00" in name or "\x00" in value:
            raise invalid_field(f"/?{escaped(name)}", "nul_character")
        if value.lower() == "null":  # would be read as if the parameter were not there
            raise invalid_field(f"/?{escaped(name)}", "invalid_value")
        given[name] = value
    return _convert_query(given, type_)


def _convert_query(given: dict[str, str], type_: type[T]) -> T:
    try:
        return msgspec.convert(given, type_, strict=False)
    except msgspec.ValidationError as error:
        fault = field_error(str(error), cast("Hashable", type_))
        pointer = "/?" + fault.pointer.removeprefix("/")
        raise MalformedRequest(errors=(FieldError(pointer, fault.code, fault.params),)) from error


def uuid_or_404(text: str) -> UUID:
    """An id from a path; whatever is none is an unknown one."""
    if not _UUID.fullmatch(text):
        raise NotFound
    return UUID(text)


@lru_cache(maxsize=256)
def _decoder(type_: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(type_)


def _malformed(body: bytes, words: str) -> MalformedRequest:
    if fault := lone_surrogate(body):
        return MalformedRequest(errors=(fault,))
    params = {"byte": _place_of_fault(body, words)}
    return MalformedRequest("malformed_json", params=params, errors=(FieldError("", "malformed_json", params),))


def _place_of_fault(body: bytes, words: str) -> int:
    """The byte at which reading stopped: where UTF-8 breaks, where msgspec says, or the end."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return error.start
    place = _BYTE.search(words)
    return int(place[1]) if place else len(body)
