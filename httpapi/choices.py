"""Which values a type allows at a place, so that a refusal can list them."""

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import Any

from msgspec.inspect import (
    DictType,
    EnumType,
    ListType,
    LiteralType,
    Metadata,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)


@lru_cache(maxsize=256)
def allowed_at(type_: Hashable, pointer: str) -> tuple[str | int, ...]:
    """The values that may stand where a pointer (RFC 6901) leads, `null` apart; none where any of a kind may."""
    kinds: list[Type] = [type_info(type_)]
    for step in pointer.split("/")[1:]:
        kinds = [inner for kind in _plain(kinds) for inner in _inside(kind, step)]
    return tuple(dict.fromkeys(value for kind in _plain(kinds) for value in _values(kind)))


def _plain(kinds: Iterable[Type]) -> Iterable[Type]:
    for kind in kinds:
        if isinstance(kind, UnionType):
            yield from _plain(kind.types)
        elif isinstance(kind, Metadata):
            yield from _plain([kind.type])
        else:
            yield kind


def _inside(kind: Type, step: str) -> list[Type]:
    if isinstance(kind, StructType):
        if step == kind.tag_field and kind.tag is not None:
            return [LiteralType((kind.tag,))]
        return [field.type for field in kind.fields if field.encode_name == step]
    if isinstance(kind, ListType | VarTupleType):
        return [kind.item_type]
    return [kind.value_type] if isinstance(kind, DictType) else []


def _values(kind: Type) -> Iterable[Any]:
    if isinstance(kind, LiteralType):
        return kind.values
    return [member.value for member in kind.cls] if isinstance(kind, EnumType) else ()
