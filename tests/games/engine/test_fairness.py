"""From seeds to cards: the published vectors, and what the algorithm must never do."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, Deck, codes_of, faces_of
from games.engine.fairness import SEED_BYTES, SeededChance, _below, _numbers, commitment_of

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[3] / "examples" / "deal_vectors.json").read_text()
)
SEED = bytes(range(SEED_BYTES))
CLIENT_SEEDS = st.lists(st.none() | st.text("abc01-_", min_size=1, max_size=6), min_size=2, max_size=5)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["about"])
def test_the_published_vectors_hold(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["server_seed"])
    chance = SeededChance(seed, vector["client_seeds"])

    assert commitment_of(seed) == vector["commitment"]
    assert chance._derived.hex() == vector["key"]
    assert codes_of(chance.shuffle(0, DECK[Deck(vector["deck"])])) == vector["deal"]
    assert chance.pick(len(vector["client_seeds"])) == vector["first_player"]
    for each in vector["reshuffles"]:
        assert codes_of(chance.shuffle(each["round"], faces_of(each["cards"]))) == each["shuffled"]


def test_the_vectors_show_every_edition_every_kind_of_client_seed_and_a_number_thrown_away() -> None:
    assert len(VECTORS) >= 10
    assert {vector["deck"] for vector in VECTORS} == {deck.value for deck in Deck}
    lengths = {seed and len(seed) for vector in VECTORS for seed in vector["client_seeds"]}
    assert {None, 1, 64} <= lengths
    assert {2, 10} <= {len(vector["client_seeds"]) for vector in VECTORS}
    assert any(_throws_away(vector) for vector in VECTORS)


def _throws_away(vector: dict[str, Any]) -> bool:
    """Whether dealing without throwing numbers away gives other cards."""
    numbers = _numbers(bytes.fromhex(vector["key"]), "shuffle/0")
    cards = bytearray(DECK[Deck(vector["deck"])])
    for i in range(len(cards) - 1, 0, -1):
        j = next(numbers) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return bool(codes_of(bytes(cards)) != vector["deal"])


@given(CLIENT_SEEDS, CLIENT_SEEDS)
def test_different_client_seeds_never_give_one_key(one: list[str | None], other: list[str | None]) -> None:
    same = SeededChance(SEED, one)._derived == SeededChance(SEED, other)._derived

    assert same == (one == other)


def test_the_key_cannot_be_continued_from_another_deal_of_the_same_seed() -> None:
    """A bare hash of the seed and the words behind it could be: its value is the state to go on from."""
    message = b"taki-fairness-1\x00\x00"

    assert SeededChance(SEED, (None, None))._derived == hmac.digest(SEED, message, "sha256")
    assert SeededChance(SEED, (None, None))._derived != hashlib.sha256(SEED + message).digest()


def test_the_commitment_is_the_plain_hash_that_any_tool_computes() -> None:
    assert commitment_of(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("count", [1, 2, 3, 115, 116])
def test_numbers_that_would_make_low_results_likelier_are_thrown_away(count: int) -> None:
    limit = 2**32 - 2**32 % count
    assert limit % count == 0

    assert _below(iter([2**32 - 1] * (limit < 2**32) + [limit - 1, 0]), count) == count - 1


@given(st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES), st.binary(max_size=116), st.integers(0, 40))
def test_a_shuffle_loses_no_card_and_invents_none(seed: bytes, cards: bytes, number: int) -> None:
    assert sorted(SeededChance(seed, (None, None)).shuffle(number, cards)) == sorted(cards)


def test_every_shuffle_of_a_game_is_another_one() -> None:
    chance = SeededChance(SEED, ("a", None))
    shuffles = [chance.shuffle(number, bytes(range(116))) for number in range(200)]

    assert len(set(shuffles)) == len(shuffles)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        SeededChance(bytes(size), (None, None))
