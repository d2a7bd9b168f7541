"""msgspec's words for a fault, turned into a pointer and a stable code."""

import re
from collections.abc import Hashable
from typing import Final

from httpapi.choices import allowed_at
from httpapi.problems import FieldError
from httpapi.strictness import escaped

_PLACE: Final = re.compile(r"(?:key in )?\$[^`]*`")
_MEMBER: Final = re.compile(r"Object (contains unknown|missing required) field `(.*)`\Z", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_BITS: Final = "-2^63 … 2^64 - 1"
"""The numbers that are read at all."""
_RULES: Final = (
    (re.compile(r"Expected `(?P<expected>.+)`, got `(?P<got>.+)`"), "wrong_type"),
    (re.compile(r"Expected `.+` of length >= (?P<limit>\d+)"), "too_short"),
    (re.compile(r"Expected `.+` of length <= (?P<limit>\d+)"), "too_long"),
    (re.compile(r"Expected `.+` matching regex '(?P<pattern>.+)'"), "wrong_pattern"),
    (re.compile(r"Expected `.+` (?P<bound>(?:[<>]=? .+|that's a multiple of .+))"), "out_of_range"),
    (re.compile(r"(?:Integer value|Number) out of range"), "out_of_range"),
    (re.compile(r"Invalid enum value.*", re.DOTALL), "not_a_choice"),
    (re.compile(r"Invalid value.*", re.DOTALL), "not_a_choice"),
)


def field_error(message: str, type_: Hashable) -> FieldError:
    """The fault that a msgspec.ValidationError describes, met when this type was read."""
    what, place = _split(message)
    pointer = _pointer(place)
    if member := _MEMBER.match(what):
        code = "unknown_field" if member[1].startswith("contains") else "missing_field"
        return FieldError(f"{pointer}/{escaped(member[2])}", code)
    for rule, code in _RULES:
        if found := rule.fullmatch(what):
            params = _choices(type_, pointer) if code == "not_a_choice" else _numbers(found.groupdict())
            if code == "out_of_range":
                params.setdefault("bound", _BITS)
            return FieldError(pointer, code, params)
    return FieldError(pointer, "invalid_value")


def _split(message: str) -> tuple[str, str]:
    """The fault and its place. A member's name may look like a place, so the last one counts."""
    what, mark, place = message.rpartition(" - at `")
    if mark and _PLACE.fullmatch(place):
        return what, place[:-1]
    return message, "$"


def _pointer(place: str) -> str:
    """A JSON pointer for `$.seats[0].name`; names inside maps are not told (`[...]`), so it ends at the map."""
    pointer = ""
    for step in _STEP.finditer(place.removeprefix("key in ")):
        if step[0] == "[...]":
            break
        pointer += "/" + escaped(step[1] or step[2])
    return pointer


def _choices(type_: Hashable, pointer: str) -> dict[str, object]:
    allowed = allowed_at(type_, pointer)
    return {"allowed": list(allowed)} if allowed else {}


def _numbers(params: dict[str, str]) -> dict[str, object]:
    return {name: int(value) if name == "limit" else value for name, value in params.items()}
