"""The table, hidden cards included: what the events fold into. Packs to some 200 bytes."""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec
from msgspec import Struct

from games.engine.cards import LEADS, Color, Lead
from games.engine.ruleset import Mode, Ruleset


class Owed(Enum):
    """What the player to move still owes or may still do (22.19)."""

    KING = "king"
    PLUS = "plus"
    DRAWN = "drawn"


class Ended(Enum):
    """How a game came to its end."""

    WON = "won"
    FORFEIT = "forfeit"
    NO_WINNER = "no_winner"
    STALEMATE = "stalemate"
    VOID = "void"


class Window(Struct, frozen=True, array_like=True, gc=False):
    """A +3 that may still be answered (4.2). `awaited` is a mask of seats; `wins`: it was a winning card (4.10)."""

    seat: int
    next_seat: int
    awaited: int
    wins: bool = False


class Calls(Struct, frozen=True, array_like=True, gc=False):
    """The last-card calls, as masks of seats (10.1 to 10.12).

    `said`: called. `owes`: owes the call since `since[seat]` (ms). `by_play`, `by_stage`: how the one card in hand was
    reached (10.8, 22.11, 22.31); bits stand only for seats with exactly one card.
    """

    said: int = 0
    owes: int = 0
    by_play: int = 0
    by_stage: int = 0
    since: tuple[int, ...] = ()


DUEL: Final = 2
NO_CALLS: Final = Calls()


class Tally(Struct, frozen=True, array_like=True, gc=False):
    """What changes seldom, seat by seat.

    `stages` (tournament: 8 to 1, 0 is through; else empty), `strikes` (turns timed out in a row), `left` and `waiting`
    (seats in the order they left, or emptied their hand on a held +2), `barren` (mask: drew nothing since the last
    card moved, 22.15), `shuffles` (made so far), `answered` (mask: passed in a
    window since the last strike; kept apart from `strikes`, which everybody sees, because who is asked is hidden, 4.3).
    """

    strikes: tuple[int, ...]
    stages: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    barren: int = 0
    shuffles: int = 0
    answered: int = 0


class Outcome(Struct, frozen=True, array_like=True, gc=False):
    """The end: `winner` is None where nobody won."""

    ended: Ended
    winner: int | None


class State(Struct, frozen=True, gc=False):
    """A whole table.

    Hands are faces in the order received, `draw_pile` top first, `discard` bottom first. The lead is state, not a card
    (2.2.1); its card lies at `discard[lead_at]`, and only +3 and Breaker cards lie above it. `since`: the moment (ms)
    from which the clock that runs counts, later than it started where time was granted.
    """

    rules: Ruleset
    hands: tuple[bytes, ...]
    draw_pile: bytes
    discard: bytes
    lead: Lead
    lead_at: int
    turn: int
    tally: Tally
    direction: int = 1
    open_taki: Color | None = None
    plus2: int = 0
    owed: Owed | None = None
    window: Window | None = None
    calls: Calls = NO_CALLS
    since: int = 0
    outcome: Outcome | None = None


def actives(state: State) -> tuple[int, ...]:
    """Give the seats still in the game, in order."""
    left = state.tally.left
    return tuple(s for s in range(len(state.hands)) if s not in left) if left else tuple(range(len(state.hands)))


def is_duel(state: State) -> bool:
    """Tell whether exactly two players are still in the game (2.6)."""
    return len(state.hands) - len(state.tally.left) == DUEL


def following(state: State, seat: int, steps: int = 1) -> int:
    """Give the seat `steps` active seats on in the direction of play (2.2, 2.3)."""
    count = len(state.hands)
    left = state.tally.left
    if not left:
        return (seat + steps * state.direction) % count
    while steps:
        seat = (seat + state.direction) % count
        if seat not in left:
            steps -= 1
    return seat


def seats_after(state: State, seat: int) -> tuple[int, ...]:
    """Give the other active seats in turn order, the next player first."""
    count = len(state.hands)
    step = state.direction
    left = state.tally.left
    return tuple(s for k in range(1, count) if (s := (seat + k * step) % count) not in left)


def at_last_stage(state: State, seat: int) -> bool:
    """Tell whether emptying this hand wins: single mode, or Stage 1 (B64, B65)."""
    return not state.tally.stages or state.tally.stages[seat] == 1


class _Packed(Struct, frozen=True, array_like=True, gc=False):
    hands: tuple[bytes, ...]
    draw_pile: bytes
    discard: bytes
    lead: int
    lead_at: int
    turn: int
    tally: Tally
    direction: int
    open_taki: Color | None
    plus2: int
    owed: Owed | None
    window: Window | None
    calls: Calls
    since: int
    outcome: Outcome | None


_unpack = msgspec.msgpack.Decoder(_Packed).decode
_pack = msgspec.msgpack.Encoder().encode


def pack(state: State) -> bytes:
    """Pack everything but the ruleset, a byte a card; equal states give equal bytes."""
    return _pack(
        _Packed(
            state.hands,
            state.draw_pile,
            state.discard,
            state.lead.index,
            state.lead_at,
            state.turn,
            state.tally,
            state.direction,
            state.open_taki,
            state.plus2,
            state.owed,
            state.window,
            state.calls,
            state.since,
            state.outcome,
        )
    )


def unpack(packed: bytes, rules: Ruleset) -> State:
    """Undo `pack`, with the ruleset that the game pins."""
    p = _unpack(packed)
    return State(
        rules,
        p.hands,
        p.draw_pile,
        p.discard,
        LEADS[p.lead],
        p.lead_at,
        p.turn,
        p.tally,
        p.direction,
        p.open_taki,
        p.plus2,
        p.owed,
        p.window,
        p.calls,
        p.since,
        p.outcome,
    )


def is_tournament(state: State) -> bool:
    """Tell whether the game is played in stages (B60)."""
    return state.rules.mode is Mode.TOURNAMENT
