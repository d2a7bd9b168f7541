"""Where things stand: y in pixels; x in percent of the width, so that the chart fits any width without scaling its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from tournaments.chart.picture import Picture

LEFT: Final = 9.0
RIGHT: Final = 89.0
TOP: Final = 62
GOAL: Final = 24
"""Height of the band of those who are through."""
AXIS: Final = 34
ROW: Final = 19
LABEL: Final = 12
_PAD: Final = 10
_ROOM: Final = 46
_LANE_AT_LEAST, _LANE_AT_MOST = 4.6, 8.0


class Layout(Struct, frozen=True):
    """The measures of one picture: a band for each stage, in it a lane for each seat, so that no line hides another."""

    stages: int
    seats: int
    lane: float
    band: float
    began: int
    elapsed: int

    @property
    def bottom(self) -> float:
        """The lower edge of the last band."""
        return TOP + GOAL + self.stages * self.band

    @property
    def legend(self) -> float:
        """Where the list of players begins."""
        return self.bottom + AXIS + 12

    @property
    def height(self) -> int:
        """Of the whole chart."""
        return round(self.legend + self.seats * ROW + 4)

    def top_of(self, stage: int) -> float:
        """The upper edge of a stage's band; the first stage stands lowest, so that who is ahead is above."""
        return TOP if stage == 0 else TOP + GOAL + (stage - 1) * self.band

    def y(self, stage: int, seat: int) -> float:
        """The lane of a seat at a stage."""
        if stage == 0:
            return TOP + GOAL / 2
        return self.top_of(stage) + self.band / 2 + (seat - (self.seats - 1) / 2) * self.lane

    def x(self, at: int) -> float:
        """A moment, in percent."""
        return LEFT + (RIGHT - LEFT) * (at - self.began) / max(1, self.elapsed)


def layout_of(picture: Picture) -> Layout:
    """The measures that a picture needs."""
    seats = max(1, len(picture.lines))
    lane = max(_LANE_AT_LEAST, min(_LANE_AT_MOST, _ROOM / seats))
    band = max(seats * lane + _PAD, LABEL * seats / picture.stages)
    return Layout(picture.stages, seats, lane, band, picture.began or 0, picture.elapsed)


def spread(wanted: Mapping[int, float], least: float, most: float) -> dict[int, float]:
    """Labels at the heights wanted, moved apart as far as they would lie upon each other, within the bounds."""
    order = sorted(wanted, key=lambda seat: (wanted[seat], seat))
    placed: dict[int, float] = {}
    lowest = least
    for seat in order:
        placed[seat] = max(wanted[seat], lowest)
        lowest = placed[seat] + LABEL
    highest = most
    for seat in reversed(order):
        placed[seat] = min(placed[seat], highest)
        highest = placed[seat] - LABEL
    return placed
