"""A refusal lists the values that its field allows."""

from enum import Enum
from typing import Annotated, Literal

import msgspec
import pytest

from httpapi.choices import allowed_at
from httpapi.parsing import decode
from httpapi.problems import MalformedRequest


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Cat(msgspec.Struct, tag_field="kind", tag="cat"):
    size: Size | None = None


class Dog(msgspec.Struct, tag_field="kind", tag="dog"):
    barks: Literal["loud", "soft"] = "loud"


class Zoo(msgspec.Struct):
    pets: list[Cat | Dog] = []
    sizes: dict[str, Size] = {}
    pair: Annotated[tuple[Size, ...], msgspec.Meta(max_length=2)] = ()
    name: str = ""


@pytest.mark.parametrize(
    "pointer, allowed",
    [
        ("/pets/0/kind", ("cat", "dog")),
        ("/pets/3/size", ("small", "large")),
        ("/pets/0/barks", ("loud", "soft")),
        ("/sizes/x", ("small", "large")),
        ("/pair/1", ("small", "large")),
        ("/name", ()),
        ("/name/nothing/below", ()),
        ("", ()),
    ],
)
def test_the_values_are_those_of_the_type_at_the_place(pointer: str, allowed: tuple[str, ...]) -> None:
    assert allowed_at(Zoo, pointer) == allowed


@pytest.mark.parametrize(
    "body, allowed",
    [(b'{"pets": [{"kind": "cow"}]}', ["cat", "dog"]), (b'{"pair": ["small", "huge"]}', ["small", "large"])],
)
def test_a_wrong_choice_is_told_the_right_ones(body: bytes, allowed: list[str]) -> None:
    with pytest.raises(MalformedRequest) as refused:
        decode(body, Zoo)
    (fault,) = refused.value.errors
    assert (fault.code, fault.params) == ("not_a_choice", {"allowed": allowed})
