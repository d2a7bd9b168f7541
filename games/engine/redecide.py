"""Deciding a recorded game again: from what happened to what must have been asked, and whether it leads there again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from games.engine.cards import CHANGE_COLOR, COLORS
from games.engine.clock import Outage, due
from games.engine.commands import (
    CallTimeOut,
    CatchLastCard,
    Command,
    DrawCards,
    Leave,
    Pass,
    PlayCards,
    SayLastCard,
    TimeOut,
)
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
from games.engine.evolve import EVOLVERS
from games.engine.refusals import Refusal
from games.engine.state import State

_TURN_DRAWS: Final = (DrawReason.TURN, DrawReason.PLUS2, DrawReason.PLUS)
_CLOCK: Final = (TurnTimedOut, WindowTimedOut, CallTimedOut)


class Redecided(Struct, frozen=True):
    """What deciding again gave: the table after so many `events`."""

    state: State
    events: int


def redecide(state: State, recorded: Sequence[Event], chance: Chance, at: int) -> Redecided | None:
    """Decide again what `recorded` begins with: the events of one command, perhaps behind what the clock owed.

    None if no command leads to them.
    """
    if recorded and isinstance(recorded[0], ClockExtended):
        return _extended(state, recorded[0], at)
    for command in _candidates(state, recorded):
        try:
            decision = decide(state, command, chance, at)
        except Refusal:
            continue
        count = len(decision.events)
        same = decision.events == tuple(recorded[:count])
        if same and (count == len(recorded) or isinstance(recorded[0], _CLOCK)):
            return Redecided(decision.state, count)
    return None


def _extended(state: State, event: ClockExtended, at: int) -> Redecided | None:
    """Give a deadline that was overdue more time, if it fell into the outage that the record tells of."""
    if event.deadline is None or event.down_from is None or event.down_until is None:
        return None
    known = any(one.at == event.deadline for one in due(state))
    if not known or not Outage(event.down_from, event.down_until).covers(event.deadline) or event.down_until > at:
        return None
    return Redecided(EVOLVERS[ClockExtended](state, event, at), 1)


def _candidates(state: State, events: Sequence[Event]) -> Iterator[Command]:
    """Give the commands that may have led here, the clock's first."""
    first = events[0] if events else None
    if isinstance(first, TurnTimedOut | WindowTimedOut):
        yield TimeOut(first.deadline)
    if isinstance(first, CallTimedOut):
        yield CallTimeOut()
    callers = {event.seat for event in events if isinstance(event, LastCardSaid)}
    closed = any(isinstance(event, TakiClosed) for event in events)
    for event in events:
        if isinstance(event, CardsPlayed):
            yield from _plays(event, closed=closed, say_last=event.seat in callers)
        else:
            yield from _others(state, event, callers)


def _plays(event: CardsPlayed, *, closed: bool, say_last: bool) -> Iterator[Command]:
    """Give the play with each color its run may have named: events hold the run's color only where it matters."""
    color = event.lead.color if event.cards[-1] == CHANGE_COLOR else None
    for run_color in (None, *COLORS):
        yield PlayCards(event.seat, bytes(event.cards), color, run_color, closed, say_last)


def _others(state: State, event: Event, callers: set[int]) -> Iterator[Command]:
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
