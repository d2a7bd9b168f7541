"""The text of a token."""

import re
import zlib

import pytest

from accounts.token_text import digest, is_well_formed, new_token


def test_tokens_are_recognized_by_their_prefix() -> None:
    assert re.fullmatch(r"taki_[0-9A-Za-z]{49}", new_token())


def test_no_two_tokens_are_alike() -> None:
    assert len({new_token() for _ in range(1_000)}) == 1_000


def test_every_new_token_is_well_formed() -> None:
    assert all(is_well_formed(new_token()) for _ in range(1_000))


def test_a_typing_error_is_found_without_asking_anyone() -> None:
    token = new_token()
    for place in range(5, len(token)):
        other = "A" if token[place] != "A" else "B"
        assert not is_well_formed(token[:place] + other + token[place + 1 :])


@pytest.mark.parametrize(
    "text", ["", "taki_", "taki_" + "a" * 49, new_token() + "\n", new_token()[1:], new_token().upper()]
)
def test_other_texts_are_no_tokens(text: str) -> None:
    assert not is_well_formed(text)


def test_the_checksum_is_one_that_a_leak_scanner_can_compute() -> None:
    token = new_token()
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0
    for character in token[-6:]:
        number = number * 62 + alphabet.index(character)
    assert number == zlib.crc32(token[:-6].encode())


def test_the_digest_is_sha_256() -> None:
    assert digest("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
