"""Kinds and versions to bytes and back."""

import msgspec
import pytest
from msgspec import Struct

from eventlog.codec import Codec, Encoded, Kind, UnknownKindError
from eventlog.upcasters import Upcasters
from tests.eventlog.samples import CODEC, KINDS, LampBroken, LampLit, several_colors


class Vague(Struct):
    """Could hold anything."""

    what: object


class Fractional(Struct):
    """Holds a float where one must look for it."""

    parts: dict[str, tuple[int | float, ...]]


class Listed(Struct, array_like=True):
    """Not a JSON object."""

    lamp: int


def test_an_event_is_encoded_with_sorted_keys_and_no_spaces() -> None:
    encoded = CODEC.encode(LampLit(3, ("amber",), note="א"))

    assert encoded == Encoded("lamp_lit", 2, '{"colors":["amber"],"lamp":3,"note":"א"}'.encode())


def test_an_event_comes_back_as_it_went() -> None:
    event = LampLit(3, ("amber", "green"))
    encoded = CODEC.encode(event)

    assert CODEC.decode(encoded.kind, encoded.kind_version, encoded.payload) == event


def test_an_old_version_comes_back_as_the_newest() -> None:
    assert CODEC.decode("lamp_lit", 1, b'{"color":"amber","lamp":3}') == LampLit(3, ("amber",))


def test_several_steps_are_taken_one_after_the_other() -> None:
    steps = Upcasters({("lamp_lit", 1): several_colors, ("lamp_lit", 2): lambda fields: fields | {"note": "upcast"}})
    codec = Codec([Kind("lamp_lit", 3, LampLit)], steps)

    assert codec.decode("lamp_lit", 1, b'{"color":"amber","lamp":3}') == LampLit(3, ("amber",), "upcast")


@pytest.mark.parametrize("kind, version", [("lamp_lit", 3), ("lamp_lit", 0), ("lamp_eaten", 1)])
def test_an_event_of_the_future_or_of_nobody_is_refused(kind: str, version: int) -> None:
    with pytest.raises(UnknownKindError, match=f"{kind} version {version}"):
        CODEC.decode(kind, version, b"{}")


def test_a_type_that_is_no_kind_is_refused() -> None:
    with pytest.raises(UnknownKindError, match="Vague"):
        CODEC.encode(Vague(1))


def test_bytes_that_do_not_fit_the_kind_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$.lamp"):
        CODEC.decode("lamp_broken", 1, b'{"lamp":"three"}')


@pytest.mark.parametrize("shape", [Vague, Fractional, Listed])
def test_a_kind_that_could_hold_floats_or_is_no_object_is_refused(shape: type[Struct]) -> None:
    with pytest.raises(ValueError, match="shape"):
        Codec([Kind("shape", 1, shape)])


def test_an_old_version_without_an_upcaster_is_refused() -> None:
    with pytest.raises(ValueError, match=r"without an upcaster.*lamp_lit.*1"):
        Codec(KINDS)


def test_an_upcaster_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match=r"lead nowhere.*lamp_broken.*1"):
        Codec([Kind("lamp_broken", 1, LampBroken)], Upcasters({("lamp_broken", 1): several_colors}))


def test_a_kind_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        Codec([Kind("lamp_broken", 1, LampBroken), Kind("lamp_broken", 1, LampLit)])
