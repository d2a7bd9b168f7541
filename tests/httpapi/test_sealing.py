"""Sealed answers."""

import pytest
from cryptography.exceptions import InvalidTag
from hypothesis import given
from hypothesis import strategies as st

from httpapi.answers import Answer
from httpapi.sealing import seal, unseal

ANSWER = Answer(b'{"token": "secret"}', 201, (("Location", "/x"),))
SEALED = seal(ANSWER, "the key", b"context")


def test_the_key_opens_what_it_sealed() -> None:
    assert unseal(SEALED, "the key", b"context") == ANSWER


def test_another_key_or_context_does_not() -> None:
    for key, context in (("the kex", b"context"), ("the key", b"contexd")):
        with pytest.raises(InvalidTag):
            unseal(SEALED, key, context)


@given(st.integers(0, len(SEALED) - 1), st.integers(1, 255))
def test_no_altered_byte_goes_unnoticed(place: int, change: int) -> None:
    altered = bytearray(SEALED)
    altered[place] ^= change
    with pytest.raises(InvalidTag):
        unseal(bytes(altered), "the key", b"context")


def test_the_same_answer_never_looks_the_same() -> None:
    assert seal(ANSWER, "the key", b"") != seal(ANSWER, "the key", b"")


def test_nothing_of_the_answer_shows() -> None:
    assert b"secret" not in SEALED
