"""The kinds of values in a position, read strictly; what is wrong is told with its place."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeVar

Raw = Mapping[str, object]
_E = TypeVar("_E", bound=Enum)
_WORDS: Final[Mapping[type, str]] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list: "array",
    tuple: "array",
    dict: "object",
    type(None): "null",
}
"""What JSON calls a value."""


class PositionFault(Exception):
    """A position that cannot be: `field` points at the fault (RFC 6901), `code` is stable, `params` explain."""

    def __init__(self, field: str, code: str, **params: object) -> None:
        """Keep what the answer needs."""
        super().__init__(field, code, params)
        self.field = field
        self.code = code
        self.params = params

    def __str__(self) -> str:
        """Say it in one line."""
        told = ", ".join(f"{name}: {value}" for name, value in self.params.items())
        return f"{self.field}: {self.code}" + (f" ({told})" if told else "")


def under(field: str, name: object) -> str:
    """Point at a member of a mapping."""
    return f"{field}/{str(name).replace('~', '~0').replace('/', '~1')}"


def within(number: int, field: str, least: int, most: int) -> None:
    """Refuse a number outside its range."""
    if not least <= number <= most:
        raise PositionFault(field, "out_of_range", bound=f"{least}..{most}")


def required(fields: Raw, name: str) -> object:
    """Give a field that must be there."""
    if fields.get(name) is None:
        raise PositionFault(under("", name), "missing_field")
    return fields[name]


def text_of(value: object, field: str) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise _other_than("str", value, field)
    return value


def mapping_of(value: object, field: str) -> dict[str, object]:
    """Read a mapping by names."""
    if not isinstance(value, Mapping):
        raise _other_than("object", value, field)
    return {text_of(name, under(field, name)): member for name, member in value.items()}


def list_of(value: object, field: str) -> list[object]:
    """Read a list."""
    if not isinstance(value, list | tuple):
        raise _other_than("array", value, field)
    return list(value)


def integer_of(fields: Raw, name: str, absent: int, parent: str = "") -> int:
    """Read a whole number; `absent` where there is none."""
    value = fields.get(name)
    if value is None:
        return absent
    if not isinstance(value, int) or isinstance(value, bool):
        raise _other_than("int", value, under(parent, name))
    return value


def choice_of(fields: Raw, name: str, allowed: tuple[_E, ...], parent: str = "") -> _E | None:
    """Read one of several codes."""
    if fields.get(name) is None:
        return None
    value = text_of(fields[name], under(parent, name))
    for choice in allowed:
        if choice.value == value:
            return choice
    raise PositionFault(under(parent, name), "not_a_choice", value=value, allowed=[c.value for c in allowed])


def seat_named(name: object, field: str, seats: Mapping[str, int]) -> int:
    """Find the seat of a player."""
    known = text_of(name, field)
    if known not in seats:
        raise PositionFault(field, "unknown_player", player=known)
    return seats[known]


def refuse_strangers(given: Raw, field: str, seats: Mapping[str, int]) -> None:
    """Refuse members that are no players."""
    for name in given:
        seat_named(name, under(field, name), seats)


def _other_than(expected: str, value: object, field: str) -> PositionFault:
    return PositionFault(field, "wrong_type", expected=expected, got=_WORDS.get(type(value), type(value).__name__))
