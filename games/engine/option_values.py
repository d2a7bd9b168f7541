"""What an option takes: its values where they can be listed, else its bounds or its form."""

from __future__ import annotations

from msgspec.inspect import BoolType, EnumType, IntType, StrType, Type


def accepted(kind: Type) -> dict[str, object]:
    """Tell programs what a value of this type can be."""
    if isinstance(kind, EnumType):
        return {"allowed": [member.value for member in kind.cls]}
    if isinstance(kind, BoolType):
        return {"allowed": [False, True]}
    if isinstance(kind, IntType):
        return {"minimum": kind.ge, "maximum": kind.le}
    if isinstance(kind, StrType):
        return {"pattern": kind.pattern}
    raise TypeError(kind)
