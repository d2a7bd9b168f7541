"""The chance of a stored game: its seed is read only when a shuffle asks for it."""

from __future__ import annotations

from functools import cached_property
from uuid import UUID

from games.engine.fairness import SeededChance
from games.models import Seat, Seed


class StoredChance:
    """Shuffles from the server seed and the client seeds of a game."""

    def __init__(self, game_id: UUID) -> None:
        self._game_id = game_id

    @cached_property
    def seed(self) -> bytes:
        """The server seed. Secret until the end."""
        return bytes(Seed.objects.values_list("value", flat=True).get(game_id=self._game_id))

    @cached_property
    def _seeded(self) -> SeededChance:
        seats = Seat.objects.filter(game_id=self._game_id).order_by("number")
        return SeededChance(self.seed, tuple(seats.values_list("client_seed", flat=True)))

    def shuffle(self, number: int, cards: bytes) -> bytes:
        """Shuffle; number 0 is the deal, k the k-th reshuffle."""
        return self._seeded.shuffle(number, cards)

    def pick(self, count: int) -> int:
        """Draw one of `count` seats."""
        return self._seeded.pick(count)
