"""Spans of time in words, and the ticks of the axis."""

from __future__ import annotations

from typing import Final

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
_UNITS: Final = ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s"))
_STEPS: Final = (
    *(count * SECOND // 10 for count in (1, 2, 5)),
    *(count * SECOND for count in (1, 2, 5, 10, 15, 30)),
    *(count * MINUTE for count in (1, 2, 5, 10, 15, 30)),
    *(count * HOUR for count in (1, 2, 3, 6, 12)),
    *(count * DAY for count in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
)
MOST_TICKS: Final = 5


def duration(ms: int) -> str:
    """A span in its two largest units: `3 min 20 s`; `0.4 s` below one second."""
    if ms < SECOND:
        return f"{ms / SECOND:.1f} s"
    for number, (unit, word) in enumerate(_UNITS):
        if ms >= unit:
            rest, below = ms % unit, _UNITS[number + 1 : number + 2]
            smaller = [f"{rest // size} {name}" for size, name in below if rest >= size]
            return " ".join([f"{ms // unit} {word}", *smaller])
    raise AssertionError(ms)


def ticks(span: int) -> tuple[tuple[int, str], ...]:
    """Up to MOST_TICKS moments after the start, evenly apart, with their words; all in one unit."""
    step = next((step for step in _STEPS if span <= step * MOST_TICKS), _STEPS[-1])
    if step < SECOND:
        return tuple((at, f"{at / SECOND:.1f} s") for at in range(step, span + 1, step))
    unit, word = next((unit, word) for unit, word in _UNITS if step >= unit)
    return tuple((at, f"{at // unit} {word}") for at in range(step, span + 1, step))
