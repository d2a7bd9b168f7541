"""Whether the deal is even: `python -m bench.deals [--deals 100000] [--fresh]`; status 1 if chance cannot explain a result.

The seeds are the hardest ones: server seeds count up, so that most differ in a bit or two, and every second deal
differs from the one before in one letter of a client seed alone. `--fresh` draws them from the operating system instead.
"""

from __future__ import annotations

import argparse
import operator
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb
from time import monotonic
from typing import Final

from bench.evenness import Finding, about, chi_square, even, matches, square, worst
from games.engine.draft import Chance
from games.engine.fairness import SEED_BYTES, SeededChance

Dealer = Callable[[bytes, Sequence[str | None]], Chance]

CARDS: Final = 116
PILE: Final = 58
RED: Final = 26
HAND: Final = 8
SEATS: Final = range(2, 11)
MOST_MATCHES: Final = 5
FEWEST: Final = 1_000
GROUP: Final = 4
GROUPS: Final = CARDS // GROUP
_MARKED: Final = bytes(range(CARDS))
_RED: Final = frozenset(range(RED))
_IS_RED: Final = bytes(card in _RED for card in range(256))


def hard_seed(number: int) -> bytes:
    """A server seed that looks like its neighbors."""
    return number.to_bytes(SEED_BYTES, "big")


def fresh_seed(_number: int) -> bytes:
    """A server seed as the service draws it."""
    return os.urandom(SEED_BYTES)


class Tally:
    """What is counted of pairs of deals from one server seed."""

    def __init__(self) -> None:
        self.deals = 0
        self.places = [Counter[int]() for _ in range(CARDS)]
        self.first_two: Counter[int] = Counter()
        self.fixed: Counter[int] = Counter()
        self.alike: Counter[int] = Counter()
        self.reds_in_hand: Counter[int] = Counter()
        self.neighbors: Counter[int] = Counter()
        self.reshuffled: Counter[int] = Counter()
        self.picked = {seats: Counter[int]() for seats in SEATS}
        self.ascents = 0
        self.color_runs = 0
        self.firsts = bytearray()
        self._columns = bytearray()

    def add(self, one: Chance, other: Chance) -> None:
        """Deal twice and count."""
        dealt = one.shuffle(0, _MARKED), other.shuffle(0, _MARKED)
        self.alike[min(MOST_MATCHES, sum(map(operator.eq, *dealt)))] += 1
        self.neighbors[dealt[0][0] // GROUP * GROUPS + dealt[1][0] // GROUP] += 1
        for chance, deal in zip((one, other), dealt, strict=True):
            self._add_deal(deal)
            again = chance.shuffle(1, deal[:PILE])
            self.reshuffled[deal.index(again[0]) // 2 * PILE + deal.index(again[-1]) // 2] += 1
            for seats, counts in self.picked.items():
                counts[chance.pick(seats)] += 1

    def _add_deal(self, deal: bytes) -> None:
        self.deals += 1
        self._columns += deal
        self.firsts.append(deal[0])
        self.first_two[deal[0] * CARDS + deal[1]] += 1
        self.fixed[min(MOST_MATCHES, sum(map(operator.eq, deal, _MARKED)))] += 1
        self.ascents += sum(map(operator.lt, deal, deal[1:]))
        colors = deal.translate(_IS_RED)
        self.color_runs += 1 + sum(map(operator.ne, colors, colors[1:]))
        self.reds_in_hand[sum(colors[: 2 * HAND : 2])] += 1
        if len(self._columns) >= CARDS * 2_000:
            self.settle()

    def settle(self) -> None:
        """Count the places of the deals since the last time."""
        for place, counts in enumerate(self.places):
            counts.update(self._columns[place::CARDS])
        self._columns.clear()


def findings(tally: Tally) -> Iterator[Finding]:
    """What the counts say."""
    tally.settle()
    rows = [[counts[card] for card in range(CARDS)] for counts in tally.places]
    yield square("every card in every place", rows)
    yield worst("worst place", [even(f"place {place}", row) for place, row in enumerate(rows)])
    yield worst(
        "worst card", [even(f"card {card}", column) for card, column in enumerate(map(list, zip(*rows, strict=True)))]
    )
    pairs = [tally.first_two[a * CARDS + b] for a in range(CARDS) for b in range(CARDS) if a != b]
    yield even("the first two cards", pairs)
    yield from _matches(tally)
    yield from _runs(tally)
    groups = [tally.neighbors[cell] for cell in range(GROUPS**2)]
    yield even("first cards of neighboring deals", groups)
    yield _reshuffles(tally)
    yield worst(
        "first player of 2 to 10", [even(f"of {n}", [tally.picked[n][seat] for seat in range(n)]) for n in SEATS]
    )
    yield _hands(tally)


def _matches(tally: Tally) -> Iterator[Finding]:
    odds = matches(MOST_MATCHES, CARDS)
    fixed = [tally.fixed[count] for count in range(MOST_MATCHES + 1)]
    yield chi_square("cards left in their place", fixed, [share * tally.deals for share in odds])
    alike = [tally.alike[count] for count in range(MOST_MATCHES + 1)]
    pairs = sum(alike)
    yield chi_square("places alike after one letter", alike, [share * pairs for share in odds])


def _runs(tally: Tally) -> Iterator[Finding]:
    deals = tally.deals
    yield about("runs up within a deal", tally.ascents, deals * (CARDS - 1) / 2, deals * (CARDS + 1) / 12)
    mean, variance = _runs_expected(RED, CARDS - RED)
    yield about("runs of red within a deal", tally.color_runs, deals * mean, deals * variance)
    high = [card >= CARDS // 2 for card in tally.firsts]
    mean, variance = _runs_expected(sum(high), deals - sum(high))
    runs = 1 + sum(map(operator.ne, high, high[1:]))
    yield about("runs of high first cards over deals", runs, mean, variance)


def _runs_expected(ones: int, others: int) -> tuple[float, float]:
    """Mean and variance of the number of runs in a random row of two kinds (Wald and Wolfowitz)."""
    size, twice = ones + others, 2 * ones * others
    return 1 + twice / size, twice * (twice - size) / (size**2 * (size - 1))


def _reshuffles(tally: Tally) -> Finding:
    """Where the top and the bottom card of a reshuffled pile came from, by pairs of places."""
    half = PILE // 2
    cells = [(first, last) for first in range(half) for last in range(half)]
    counts = [tally.reshuffled[first * PILE + last] for first, last in cells]
    total = PILE * (PILE - 1)
    expected = [tally.deals * (2 if first == last else 4) / total for first, last in cells]
    return chi_square("a reshuffle after the deal", counts, expected)


def _hands(tally: Tally) -> Finding:
    most = 5
    odds = [comb(RED, red) * comb(CARDS - RED, HAND - red) / comb(CARDS, HAND) for red in range(most)]
    counts = [tally.reds_in_hand[red] for red in range(most)]
    counts.append(tally.deals - sum(counts))
    return chi_square("red cards in a hand", counts, [share * tally.deals for share in (*odds, 1 - sum(odds))])


def examine(deals: int, dealer: Dealer, seed_of: Callable[[int], bytes], tell: Callable[[int], None]) -> list[Finding]:
    """Deal so many times and say what was found; `tell` hears how many are dealt."""
    tally = Tally()
    for number in range(deals // 2):
        seed = seed_of(number)
        tally.add(dealer(seed, ("a", None)), dealer(seed, ("b", None)))
        tell(tally.deals)
    return list(findings(tally))


def _progress(deals: int) -> Callable[[int], None]:
    """A line a tenth, or a line that is drawn over on a terminal."""
    step = deals // 100 if sys.stdout.isatty() else deals // 10
    ending = "\r" if sys.stdout.isatty() else "\n"

    def tell(done: int) -> None:
        if done % max(2, step // 2 * 2) == 0:
            print(f"{done:>9,} of {deals:,} deals", end=ending, flush=True)

    return tell


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every finding; 0 if chance explains all of them."""
    parser = argparse.ArgumentParser(prog="make prove-deals", description="Chi-square and runs tests of the deal.")
    parser.add_argument("--deals", type=int, default=100_000, metavar="N")
    parser.add_argument("--fresh", action="store_true", help="seeds of the operating system, other ones each time")
    asked = parser.parse_args(arguments)
    if asked.deals < FEWEST:
        parser.error(f"fewer than {FEWEST:,} deals say nothing")
    begun = monotonic()
    found = examine(asked.deals, SeededChance, fresh_seed if asked.fresh else hard_seed, _progress(asked.deals))
    print(f"{asked.deals:,} deals of {CARDS} cards in {monotonic() - begun:.0f} s\n")
    for finding in found:
        word = "fair" if finding.fair else "NOT FAIR"
        print(f"{finding.name:<38}{finding.statistic:<42}p {finding.p:<10.4g}{word}")
    unfair = sum(not finding.fair for finding in found)
    print(f"\n{len(found) - unfair} of {len(found)} statistics are as chance makes them")
    return 1 if unfair else 0


if __name__ == "__main__":
    sys.exit(main())
