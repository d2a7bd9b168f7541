"""Deadlines as data: what runs out when, and what the clock must have done by a moment (15.1 to 15.3, 4.2, 10.3)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

from games.engine.commands import CallTimeOut, Command, TimeOut
from games.engine.decide import Decision, decide
from games.engine.draft import Chance
from games.engine.events import ClockExtended, Event, Policy
from games.engine.evolve import EVOLVERS
from games.engine.expiry import policy_of
from games.engine.state import State


class DueKind(Enum):
    """What runs out: the turn, the window of a +3, or the time to call."""

    TURN = "turn"
    WINDOW = "window"
    CALL = "call"


class Due(Struct, frozen=True):
    """A deadline that runs; `at` in ms since the epoch."""

    kind: DueKind
    at: int


class Expiry(Struct, frozen=True, omit_defaults=True):
    """What the clock will do: `{"type": "draw", "count": 4}` or `{"type": "pass"}`."""

    type: str
    count: int = 0


class Outage(Struct, frozen=True, gc=False):
    """A time (ms) in which nobody could play: from just after `began` up to and with `ended`."""

    began: int
    ended: int

    def covers(self, moment: int) -> bool:
        """Whether a deadline at this moment fell into it."""
        return self.began < moment <= self.ended


class Downtime(Struct, frozen=True):
    """The outages known, and the time (ms) that a deadline which fell into one gets behind its end; at least 1.

    `known_until`: of what lies behind it nobody knows yet whether one can play, so nothing there is due.
    """

    outages: tuple[Outage, ...] = ()
    grace_ms: int = 1
    known_until: int | None = None

    def outage_at(self, moment: int) -> Outage | None:
        """Give the outage that a deadline fell into."""
        return next((outage for outage in self.outages if outage.covers(moment)), None)


ALWAYS_UP: Final = Downtime()


def deadline_of(state: State) -> int | None:
    """Give the moment (ms) the awaited turn or window runs out; None if no clock runs."""
    if state.outcome is not None:
        return None
    if state.window is not None:
        return state.since + state.rules.plus3_window_seconds * 1000
    if not state.rules.turn_timeout_seconds:
        return None
    return state.since + state.rules.turn_timeout_seconds * 1000


def call_deadline_of(state: State) -> int | None:
    """Give the moment (ms) the first owed call runs out; None if none does (`last_card_deadline = seconds:N`)."""
    limit = state.rules.last_card_ms()
    calls = state.calls
    if limit is None or not calls.owes or state.outcome is not None:
        return None
    return min(since for seat, since in enumerate(calls.since) if calls.owes >> seat & 1) + limit


def due(state: State) -> tuple[Due, ...]:
    """Give all deadlines that run, the earliest first."""
    found = []
    turn = deadline_of(state)
    if turn is not None:
        found.append(Due(DueKind.TURN if state.window is None else DueKind.WINDOW, turn))
    call = call_deadline_of(state)
    if call is not None:
        found.append(Due(DueKind.CALL, call))
    return tuple(sorted(found, key=lambda one: one.at))


def expiry_of(state: State) -> Expiry | None:
    """Give what the clock does when the awaited turn or window runs out; None if no clock runs (15.2)."""
    if deadline_of(state) is None:
        return None
    policy = policy_of(state)
    if state.window is not None or policy is Policy.PASS:
        return Expiry("pass")
    return Expiry("draw", state.plus2 or 1)


def settle_due(state: State, chance: Chance, now: int, downtime: Downtime = ALWAYS_UP) -> Decision | None:
    """Do what the clock must have done by `now` (ms), earliest deadline first; None if nothing is due.

    Each deadline is settled once: the next one counts from `now`. One that fell into an outage is moved behind it.
    """
    events: tuple[Event, ...] = ()
    limit = now if downtime.known_until is None else min(now, downtime.known_until)
    while (waiting := due(state)) and waiting[0].at <= limit:
        decision = spare(state, waiting, downtime, now) or decide(state, command_for(waiting[0]), chance, now)
        state, events = decision.state, events + decision.events
    return Decision(state, events) if events else None


def command_for(one: Due) -> Command:
    """Give what the clock does at a deadline."""
    return CallTimeOut() if one.kind is DueKind.CALL else TimeOut(one.at)


def spare(state: State, waiting: tuple[Due, ...], downtime: Downtime, now: int) -> Decision | None:
    """Move the first deadline behind the outage that it fell into, and with it the other if it fell into the same."""
    outage = downtime.outage_at(waiting[0].at)
    if outage is None:
        return None
    extra = {one.kind: outage.ended + downtime.grace_ms - one.at for one in waiting if outage.covers(one.at)}
    event = ClockExtended(
        calls_ms=extra.pop(DueKind.CALL, 0),
        extra_ms=sum(extra.values()),
        deadline=waiting[0].at,
        noticed=now,
        down_from=outage.began,
        down_until=outage.ended,
    )
    return Decision(EVOLVERS[ClockExtended](state, event, now), (event,))
