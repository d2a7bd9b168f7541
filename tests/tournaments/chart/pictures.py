"""Pictures for the tests of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tournaments.chart.picture import Line, Picture
from tournaments.courses import Change, Frame, courses

MINUTE = 60_000


def picture(
    names: Sequence[str] = ("Noa", "Ben"),
    changes: Sequence[tuple[int, int, int]] = (),
    left: Mapping[int, int] | None = None,
    minutes: int = 10,
    stages: int = 8,
) -> Picture:
    """A running tournament of these players; `changes` are (minute, seat, stage reached), `left` minutes by seat."""
    now = [min([stages, *(reached for _, one, reached in changes if one == seat)]) for seat in range(len(names))]
    ways = courses(
        Frame(tuple(now), 0, minutes * MINUTE),
        [Change(minute * MINUTE, seat, reached + 1, reached) for minute, seat, reached in changes],
        {seat: minute * MINUTE for seat, minute in (left or {}).items()},
    )
    ranks = sorted(range(len(names)), key=lambda seat: (ways[seat].left, ways[seat].reached))
    return Picture(
        name="Friday",
        status="running",
        stages=stages,
        began=0,
        until=minutes * MINUTE,
        ended=None,
        winner=None,
        lines=tuple(Line(seat, names[seat], seat + 1, ranks.index(seat) + 1, ways[seat]) for seat in range(len(names))),
    )


def won(shown: Picture, winner: int) -> Picture:
    """The same after its end."""
    return replace(shown, status="finished", ended="won", winner=winner)


def waiting(names: Sequence[str] = ("Noa",)) -> Picture:
    """A table that has not started."""
    lines = tuple(Line(seat, name, 0, None, None) for seat, name in enumerate(names))
    return Picture(name="", status="open", stages=8, began=None, until=0, ended=None, winner=None, lines=lines)
