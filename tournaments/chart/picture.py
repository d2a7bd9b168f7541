"""What the chart shows; times are ms since 1970."""

from __future__ import annotations

from msgspec import Struct

from tournaments.courses import Course


class Line(Struct, frozen=True):
    """One seat; `course` is None before the start, `place` where there is none."""

    seat: int
    name: str
    cards: int
    place: int | None
    course: Course | None


class Picture(Struct, frozen=True, kw_only=True):
    """A tournament; `began` is None before the start, `ended` (a word of the result) until the end."""

    name: str
    status: str
    stages: int
    began: int | None
    until: int
    ended: str | None
    winner: int | None
    lines: tuple[Line, ...]

    @property
    def elapsed(self) -> int:
        """Milliseconds from the start to the last moment shown."""
        return 0 if self.began is None else self.until - self.began

    def ranked(self) -> tuple[Line, ...]:
        """The lines by place, before the start by seat."""
        return tuple(sorted(self.lines, key=lambda line: (line.place or 0, line.seat)))
