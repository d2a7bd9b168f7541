"""Chi-square and runs statistics, each with the probability of a result at least as far from even."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, factorial, sqrt
from typing import Final

from msgspec import Struct

SUSPICIOUS: Final = 1e-6
"""Below it, or within it of 1 (too even), chance is no explanation."""


class Finding(Struct, frozen=True):
    """One statistic: `p` is the probability that fair shuffles give one as large or larger."""

    name: str
    statistic: str
    p: float

    @property
    def fair(self) -> bool:
        """Whether chance explains it."""
        return SUSPICIOUS < self.p < 1 - SUSPICIOUS


def tail(z: float) -> float:
    """The probability that a standard normal variable is larger."""
    return erfc(z / sqrt(2)) / 2


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The same for chi-square, by the cube root of Wilson and Hilferty: near enough from 4 degrees of freedom on."""
    spread = 2 / (9 * freedom)
    return tail(((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def distance(counts: Sequence[int], expected: Sequence[float]) -> float:
    """Pearson's sum of squares."""
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


def chi_square(name: str, counts: Sequence[int], expected: Sequence[float]) -> Finding:
    """Whether counts of independent outcomes are as expected."""
    freedom = len(counts) - 1
    statistic = distance(counts, expected)
    return Finding(name, f"chi-square {statistic:,.1f} of {freedom:,}", chi_square_tail(statistic, freedom))


def even(name: str, counts: Sequence[int]) -> Finding:
    """Whether all outcomes are equally likely."""
    mean = sum(counts) / len(counts)
    return chi_square(name, counts, [mean] * len(counts))


def square(name: str, rows: Sequence[Sequence[int]]) -> Finding:
    """Whether every item is equally likely in every place: each trial adds one to each row and each column."""
    size = len(rows)
    mean = sum(rows[0]) / size
    statistic = sum(distance(row, [mean] * size) for row in rows) * (size - 1) / size
    freedom = (size - 1) ** 2
    return Finding(name, f"chi-square {statistic:,.1f} of {freedom:,}", chi_square_tail(statistic, freedom))


def worst(name: str, findings: Sequence[Finding]) -> Finding:
    """The least likely of several, counted for having looked at so many."""
    least = min(findings, key=lambda finding: finding.p)
    p = 1 - (1 - least.p) ** len(findings) if least.p > SUSPICIOUS else least.p * len(findings)
    return Finding(name, f"{least.name}: {least.statistic}", p)


def about(name: str, total: float, mean: float, variance: float) -> Finding:
    """Whether a sum over many trials is near its mean, on either side."""
    if not variance:
        return Finding(name, "nothing varies", 0.0)
    z = (total - mean) / sqrt(variance)
    return Finding(name, f"{total:,.0f} for {mean:,.0f}, z {z:+.2f}", 2 * tail(abs(z)))


def matches(most: int, size: int) -> list[float]:
    """The odds of 0, 1 … `most` or more matches between two independent orders of `size` things."""
    odds = [sum((-1) ** i / factorial(i) for i in range(size - count + 1)) / factorial(count) for count in range(most)]
    return [*odds, 1 - sum(odds)]
