"""From a server seed and the players' seeds to every shuffle of a game, in a form anyone can write again.

key     = HMAC-SHA256(server seed (32 bytes), "taki-fairness-1" || for each seat: one byte 1, the length of its client
          seed in two bytes, big-endian, and the client seed in ASCII; one byte 0 where there is none)
block i = HMAC-SHA256(key, label || "/" || i in decimal), i = 0, 1, 2 …; each block is eight 32-bit big-endian numbers
label   = "shuffle/0" for the deal, "shuffle/k" for the k-th reshuffle, "pick/n" for one of n seats
A number below n: take the next 32-bit number u; if u >= 2^32 - (2^32 mod n), take another; the result is u mod n.
Shuffle: for i from the last index down to 1, swap items i and j, j being a number below i + 1 (Fisher and Yates).
docs/fairness.md says what is shuffled and why so; examples/deal_vectors.json holds results to compare with.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final

ALGORITHM: Final = "taki-fairness-1"
SEED_BYTES: Final = 32
_SPAN: Final = 1 << 32


def commitment_of(seed: bytes) -> str:
    """Give the SHA-256 of the server seed in hex: published before any client seed is taken."""
    return hashlib.sha256(seed).hexdigest()


def _key(seed: bytes, client_seeds: Sequence[str | None]) -> bytes:
    """A keyed hash, not a hash of the seed with words behind it: those could be continued without the seed."""
    material = ALGORITHM.encode("ascii")
    for client_seed in client_seeds:
        if client_seed is None:
            material += b"\x00"
            continue
        text = client_seed.encode("ascii")
        material += b"\x01" + len(text).to_bytes(2, "big") + text
    return hmac.digest(seed, material, "sha256")


def _numbers(key: bytes, label: str) -> Iterator[int]:
    index = 0
    while True:
        block = hmac.digest(key, f"{label}/{index}".encode("ascii"), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        index += 1


def _below(numbers: Iterator[int], count: int) -> int:
    """Give an even choice of 0 to count - 1, without the bias of a bare modulo."""
    limit = _SPAN - _SPAN % count
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % count


class SeededChance:
    """All chance of one game. `seed` is 32 bytes; `client_seeds` stand by seat."""

    def __init__(self, seed: bytes, client_seeds: Sequence[str | None]) -> None:
        """Derive the key of the game."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a server seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._derived = _key(seed, client_seeds)

    def shuffle(self, number: int, cards: bytes) -> bytes:
        """Shuffle; number 0 is the deal, k the k-th reshuffle."""
        numbers = _numbers(self._derived, f"shuffle/{number}")
        mixed = bytearray(cards)
        for i in range(len(mixed) - 1, 0, -1):
            j = _below(numbers, i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return bytes(mixed)

    def pick(self, count: int) -> int:
        """Draw one of `count` seats."""
        return _below(_numbers(self._derived, f"pick/{count}"), count)
