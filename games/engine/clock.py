"""Deadlines as data: what runs out when, and what the clock must have done by a moment (15.1 to 15.3, 4.2, 10.3)."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from games.engine.commands import CallTimeOut, TimeOut
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


def deadline_of(state: State) -> int | None:
    """Give the moment (ms) the awaited turn or window runs out; None if no clock runs."""
    if state.outcome is not None:
        return None
    if state.window is not None:
        return state.since + state.rules.plus3_window_seconds * 1000 + state.tally.extra_ms
    if not state.rules.turn_timeout_seconds:
        return None
    return state.since + state.rules.turn_timeout_seconds * 1000 + state.tally.extra_ms


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


def extend(state: State, before: int, to: int, now: int) -> Decision | None:
    """Move every deadline earlier than `before` to `to` (ms) without a strike; None if there is none."""
    turn, call = deadline_of(state), call_deadline_of(state)
    extra_ms = to - turn if turn is not None and turn < before else 0
    calls_ms = to - call if call is not None and call < before else 0
    if extra_ms <= 0 and calls_ms <= 0:
        return None
    event = ClockExtended(extra_ms=max(0, extra_ms), calls_ms=max(0, calls_ms))
    return Decision(EVOLVERS[ClockExtended](state, event, now), (event,))


def settle_due(state: State, chance: Chance, now: int) -> Decision | None:
    """Do what the clock must have done by `now` (ms), earliest deadline first; None if nothing is due.

    Each deadline is settled once: the next one counts from `now`.
    """
    events: tuple[Event, ...] = ()
    while (waiting := due(state)) and waiting[0].at <= now:
        first = waiting[0]
        command = CallTimeOut() if first.kind is DueKind.CALL else TimeOut(first.at)
        decision = decide(state, command, chance, now)
        state, events = decision.state, events + decision.events
    return Decision(state, events) if events else None
