"""How players went through the stages: from moments in the log to spans of time. Times are ms since 1970."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct


class Span(Struct, frozen=True):
    """A stay at one stage; stage 0 (through) has no span."""

    stage: int
    began: int
    ended: int


class Course(Struct, frozen=True):
    """The way of one seat: its stage now (0: through), since when, and up to when it is known; `left`: until it left."""

    seat: int
    reached: int
    since: int
    until: int
    left: bool
    spans: tuple[Span, ...]


class Change(Struct, frozen=True):
    """A seat came from one stage to another."""

    at: int
    seat: int
    cleared: int
    reached: int


class Frame(Struct, frozen=True):
    """The stage of each seat now, the start, and the last moment to look at.

    Where a seat began follows from its first change: a sandbox begins where it likes.
    """

    stages: tuple[int, ...]
    began: int
    ended: int


def courses(frame: Frame, changes: Iterable[Change], departures: Mapping[int, int]) -> tuple[Course, ...]:
    """The way of every seat; `changes` in the order of the log, `departures` by seat."""
    own: dict[int, list[Change]] = {seat: [] for seat in range(len(frame.stages))}
    for change in changes:
        own[change.seat].append(change)
    return tuple(_course(frame, seat, own[seat], departures.get(seat)) for seat in own)


def _course(frame: Frame, seat: int, changes: list[Change], left: int | None) -> Course:
    spans, since = [], frame.began
    stage = changes[0].cleared if changes else frame.stages[seat]
    for change in changes:
        spans.append(Span(stage, since, change.at))
        stage, since = change.reached, change.at
    until = frame.ended if left is None else left
    if stage:
        spans.append(Span(stage, since, until))
    return Course(seat, stage, since, until, left is not None, tuple(spans))
