"""`make prove-deals` passes the deal of the service and finds shuffles that are nearly right."""

from collections.abc import Sequence
from random import Random

import pytest

from bench import deals
from bench.deals import examine, hard_seed
from bench.evenness import Finding
from games.engine.fairness import SEED_BYTES, SeededChance, _below, _numbers

DEALS = 1_000


def unfair(dealer: deals.Dealer, number: int = DEALS) -> set[str]:
    """The names of what chance does not explain."""
    return {finding.name for finding in examine(number, dealer, hard_seed, lambda _: None) if not finding.fair}


class Nearly(SeededChance):
    """The service's chance with a fault; `span` is below which number the partner of item i is drawn."""

    def span(self, i: int, size: int) -> int:
        return i + 1

    def shuffle(self, number: int, cards: bytes) -> bytes:
        numbers = _numbers(self._derived, f"shuffle/{number}")
        mixed = bytearray(cards)
        for i in range(len(mixed) - 1, 0, -1):
            j = _below(numbers, self.span(i, len(mixed)))
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return bytes(mixed)


class SwapsWithAny(Nearly):
    def span(self, i: int, size: int) -> int:
        return size


class NeverInPlace(Nearly):
    def span(self, i: int, size: int) -> int:
        return i


class ForgetsTheFirst(SeededChance):
    def shuffle(self, number: int, cards: bytes) -> bytes:
        return cards[:1] + super().shuffle(number, cards[1:])


class ByteModulo(SeededChance):
    """Numbers of one byte, cut by a bare modulo: 256 is no multiple of 116."""

    def shuffle(self, number: int, cards: bytes) -> bytes:
        numbers = _numbers(self._derived, f"shuffle/{number}")
        mixed = bytearray(cards)
        for i in range(len(mixed) - 1, 0, -1):
            j = (next(numbers) & 0xFF) % (i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return bytes(mixed)


class DeafToClients(SeededChance):
    def __init__(self, seed: bytes, client_seeds: Sequence[str | None]) -> None:
        super().__init__(seed, ())


class OnlyCutsThePile(SeededChance):
    """A reshuffle by hand, once."""

    def shuffle(self, number: int, cards: bytes) -> bytes:
        cut = super().pick(len(cards))
        return cards[cut:] + cards[:cut] if number else super().shuffle(number, cards)


class ShortRiffle(SeededChance):
    """Rows that go up: a shuffle that was ended too soon."""

    def shuffle(self, number: int, cards: bytes) -> bytes:
        mixed = super().shuffle(number, cards)
        return bytes(sorted(mixed[:16])) + mixed[16:]


class FavorsTheHost(SeededChance):
    def pick(self, count: int) -> int:
        return super().pick(count + 1) % count


def test_the_deal_of_the_service_is_even() -> None:
    assert unfair(SeededChance) == set()


@pytest.mark.parametrize(
    "fault, found",
    [
        (SwapsWithAny, "every card in every place"),
        (NeverInPlace, "cards left in their place"),
        (ForgetsTheFirst, "worst place"),
        (ByteModulo, "every card in every place"),
        (DeafToClients, "places alike after one letter"),
        (OnlyCutsThePile, "a reshuffle after the deal"),
        (ShortRiffle, "runs up within a deal"),
        (FavorsTheHost, "first player of 2 to 10"),
    ],
)
def test_a_shuffle_that_is_nearly_right_is_found(fault: type[SeededChance], found: str) -> None:
    assert found in unfair(fault)


def test_the_command_prints_every_statistic_and_its_status_tells_the_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(20)
    monkeypatch.setattr(deals, "fresh_seed", lambda _: chance.randbytes(SEED_BYTES))
    assert deals.main(["--deals", "1000", "--fresh"]) == 0
    told = capsys.readouterr().out
    assert told.count(" fair\n") == 13
    assert "1,000 of 1,000 deals" in told
    assert told.endswith("13 of 13 statistics are as chance makes them\n")

    monkeypatch.setattr(deals, "SeededChance", ForgetsTheFirst)
    assert deals.main(["--deals", "1000"]) == 1
    assert "NOT FAIR" in capsys.readouterr().out


def test_a_result_that_is_too_even_is_suspicious() -> None:
    assert not Finding("even", "", 1 - 1e-9).fair
    assert not Finding("uneven", "", 1e-9).fair
    assert Finding("usual", "", 0.5).fair
