"""Names that people give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from httpapi.names import LONGEST, clean_name
from httpapi.problems import MalformedRequest


@pytest.mark.parametrize(
    "name", ["Noa", "נועה", "Ngaio ō", "Ж", "👩‍👩‍👧", "O'Neill-Smith 3", "می‌خواهم", "שָׁלוֹם", "a\u200e1", "x" * LONGEST]
)
def test_names_of_all_peoples_are_taken(name: str) -> None:
    assert clean_name(name, "/name") == name


def test_names_are_composed_and_trimmed() -> None:
    assert clean_name("  No\u0308a \n", "/name") == "Nöa"


def test_length_counts_after_composing() -> None:
    assert len(clean_name("e\u0301" * LONGEST, "/name")) == LONGEST


@pytest.mark.parametrize(
    "character", ["\x00", "\n", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ufffe", "\U0001ffff"]
)
def test_control_and_direction_characters_are_refused_by_number(character: str) -> None:
    with pytest.raises(MalformedRequest) as refusal:
        clean_name(f"a{character}b", "/name")
    (fault,) = refusal.value.errors
    assert (fault.pointer, fault.code) == ("/name", "forbidden_character")
    assert fault.params == {"character": f"U+{ord(character):04X}"}


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u200d\ufe0f", "\u0301", "\u00a0\u3000"])
def test_a_name_that_nobody_sees_is_refused(name: str) -> None:
    with pytest.raises(MalformedRequest) as refusal:
        clean_name(name, "/name")
    assert refusal.value.errors[0].code == "blank_text"


def test_a_longer_name_is_refused() -> None:
    with pytest.raises(MalformedRequest) as refusal:
        clean_name("x" * (LONGEST + 1), "/name")
    assert refusal.value.errors[0].code == "too_long"


@given(st.text(max_size=80))
def test_what_is_taken_is_taken_again_unchanged(text: str) -> None:
    try:
        name = clean_name(text, "/name")
    except MalformedRequest:
        return
    assert clean_name(name, "/name") == name
    assert 0 < len(name) <= LONGEST
