"""What msgspec lets pass in JSON: duplicate keys and NUL; and where a lone surrogate hides."""

import json
from collections.abc import Iterator
from typing import Any, Final

from httpapi.problems import FieldError

_Pairs = list[tuple[str, Any]]


class _Duplicate(Exception):
    """An object names a member twice."""


class _Members(list[tuple[str, Any]]):
    """The members of an object, duplicates kept."""


def _refuse_duplicates(pairs: _Pairs) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Duplicate
    return members


_PLAIN: Final = json.JSONDecoder(object_pairs_hook=_refuse_duplicates)
_KEEPING: Final = json.JSONDecoder(object_pairs_hook=_Members)


def passed_over(body: bytes) -> FieldError | None:
    """The first duplicate key or NUL of a body that msgspec took for valid."""
    text = body.decode()
    try:
        _PLAIN.decode(text)
    except _Duplicate:
        return next(_duplicates(_KEEPING.decode(text), ""))
    # An escape is the only way to write NUL; the backslash before it may itself be escaped, so look twice.
    return next(_texts_with("\x00", "nul_character", _PLAIN.decode(text)), None) if "\\u0000" in text else None


def lone_surrogate(body: bytes) -> FieldError | None:
    """The first lone surrogate of a body that msgspec refused; None if it was refused for something else."""
    try:
        value = json.loads(body.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    for pointer, text in _texts(value, ""):
        if any("\ud800" <= character <= "\udfff" for character in text):
            return FieldError(_printable(pointer), "lone_surrogate")
    return None


def escaped(token: str) -> str:
    """One reference token of a JSON pointer (RFC 6901, 3)."""
    return token.replace("~", "~0").replace("/", "~1")


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _printable(pointer: str) -> str:
    return pointer.encode("utf-8", "replace").decode()


def _texts_with(character: str, code: str, value: Any) -> Iterator[FieldError]:
    return (FieldError(pointer, code) for pointer, text in _texts(value, "") if character in text)


def _texts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Every text of a value, names of members included, with its pointer."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield f"{pointer}/{escaped(name)}", name
            yield from _texts(item, f"{pointer}/{escaped(name)}")


def _duplicates(value: Any, pointer: str) -> Iterator[FieldError]:
    if isinstance(value, _Members):
        seen: set[str] = set()
        for name, item in value:
            here = f"{pointer}/{escaped(name)}"
            if name in seen:
                yield FieldError(here, "duplicate_field")
            seen.add(name)
            yield from _duplicates(item, here)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _duplicates(item, f"{pointer}/{index}")
