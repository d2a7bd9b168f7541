"""Deciding a recorded game again: from what happened to what must have been asked, and whether it leads there again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from games.engine.cards import CHANGE_COLOR, COLORS
from games.engine.clock import Downtime, DueKind, Outage, command_for, due, spare
from games.engine.commands import CatchLastCard, Command, DrawCards, Leave, Pass, PlayCards, SayLastCard, SeatCommand
from games.engine.decide import decide
from games.engine.draft import Chance
from games.engine.events import (
    Answer,
    CallTimedOut,
    CardsDrawn,
    CardsPlayed,
    ClockExtended,
    DrawReason,
    Event,
    LastCardCaught,
    LastCardSaid,
    PlayerLeft,
    Plus3Answered,
    TakiClosed,
    TurnPassed,
    TurnTimedOut,
    WindowTimedOut,
)
from games.engine.refusals import Refusal
from games.engine.state import State

_TURN_DRAWS: Final = (DrawReason.TURN, DrawReason.PLUS2, DrawReason.PLUS)
_TIMED_OUT: Final[dict[DueKind, type[Event]]] = {
    DueKind.TURN: TurnTimedOut,
    DueKind.WINDOW: WindowTimedOut,
    DueKind.CALL: CallTimedOut,
}


class Redecided(Struct, frozen=True):
    """What deciding again gave: the table after so many `events`."""

    state: State
    events: int


def redecide(state: State, recorded: Sequence[Event], chance: Chance, at: int, seat: int) -> Redecided | None:
    """Decide again what one command of a seat led to; None if nothing that it may command at `at` (ms) leads there."""
    for command in _candidates(state, recorded):
        again = _same(state, command, recorded, chance, at) if command.seat == seat else None
        if again is not None and again.events == len(recorded):
            return again
    return None


def clock_again(state: State, recorded: Sequence[Event], chance: Chance, at: int) -> Redecided | None:
    """Decide again what the clock did first; None if it owed something else, or nothing, at `at` (ms).

    It settles the earliest deadline first, and none before it has passed.
    """
    waiting, first = due(state), recorded[0]
    if not waiting or waiting[0].at > at:
        return None
    if isinstance(first, ClockExtended):
        return _extended(state, first, at)
    owed = [one for one in waiting if one.at == waiting[0].at and isinstance(first, _TIMED_OUT[one.kind])]
    return _same(state, command_for(owed[0]), recorded, chance, at) if owed else None


def _same(state: State, command: Command, recorded: Sequence[Event], chance: Chance, at: int) -> Redecided | None:
    """Decide a command, if it leads to what `recorded` begins with."""
    try:
        decision = decide(state, command, chance, at)
    except Refusal:
        return None
    count = len(decision.events)
    return Redecided(decision.state, count) if decision.events == tuple(recorded[:count]) else None


def _extended(state: State, event: ClockExtended, at: int) -> Redecided | None:
    """A deadline that fell into the outage that the record tells of gets time behind its end, with it the other one."""
    waiting = due(state)
    if event.deadline is None or event.down_from is None or event.down_until is None or event.down_until > at:
        return None
    extra = event.calls_ms if waiting[0].kind is DueKind.CALL else event.extra_ms
    grace = waiting[0].at + extra - event.down_until
    downtime = Downtime((Outage(event.down_from, event.down_until),), grace)
    again = spare(state, waiting, downtime, at) if grace > 0 else None
    return Redecided(again.state, 1) if again is not None and again.events == (event,) else None


def _candidates(state: State, events: Sequence[Event]) -> Iterator[SeatCommand]:
    """Give the commands of players that may have led here."""
    callers = {event.seat for event in events if isinstance(event, LastCardSaid)}
    closed = any(isinstance(event, TakiClosed) for event in events)
    for event in events:
        if isinstance(event, CardsPlayed):
            yield from _plays(event, closed=closed, say_last=event.seat in callers)
        else:
            yield from _others(state, event, callers)


def _plays(event: CardsPlayed, *, closed: bool, say_last: bool) -> Iterator[SeatCommand]:
    """Give the play with each color its run may have named: events hold the run's color only where it matters."""
    color = event.lead.color if event.cards[-1] == CHANGE_COLOR else None
    for run_color in (None, *COLORS):
        yield PlayCards(event.seat, bytes(event.cards), color, run_color, closed, say_last)


def _others(state: State, event: Event, callers: set[int]) -> Iterator[SeatCommand]:
    if isinstance(event, CardsDrawn) and event.reason in _TURN_DRAWS:
        yield DrawCards(event.seat)
    if isinstance(event, Plus3Answered) and event.answer is Answer.PASS:
        yield Pass(event.seat, say_last=event.seat in callers)
    if isinstance(event, TurnPassed):
        yield Pass(state.turn, say_last=state.turn in callers)
    if isinstance(event, LastCardSaid):
        yield SayLastCard(event.seat)
    if isinstance(event, LastCardCaught):
        yield CatchLastCard(event.seat, event.target)
    if isinstance(event, PlayerLeft):
        yield Leave(event.seat)
