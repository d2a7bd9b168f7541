"""Twin games for options under which moves do depend on hidden cards: the twins still make the same moves."""

from __future__ import annotations

import random
from itertools import count
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from games.engine.decide import decide
from games.engine.events import Plus3Opened
from games.engine.opening import start
from games.engine.refusals import Refusal
from games.engine.ruleset import ruleset_from
from tests.games.people import Json
from tests.games.twins import FixedChance, Plan, command_of, plan, seating

SEATS: Final = 3
_SWAPS: Final = 40

Public = list[tuple[int, bool, bool]]
"""After each move: who is asked in a window, whether one stands open, whether the game is over."""


def plan_with(options: Json, length: int, window: bool = False) -> Plan:
    """The first plan whose twin makes the same moves; with `window`, one in which somebody is asked about a +3."""
    for number in count():
        drawn = plan(number, SEATS, length, options)
        first = public(drawn.deck, drawn, options)
        if first is None or (window and not _asks_others(first, drawn.viewer)):
            continue
        twin = _twin(drawn, first, options)
        if differing(drawn.deck, twin) >= 10:
            return replace(drawn, twin=twin)
    raise AssertionError("counting never ends")


def differing(deck: bytes, twin: bytes) -> int:
    return sum(one != other for one, other in zip(deck, twin, strict=True))


def _asks_others(seen: Public, viewer: int) -> bool:
    return any(asked & ~(1 << viewer) for asked, is_open, _ in seen if is_open)


def _twin(drawn: Plan, first: Public, options: Json) -> bytes:
    """Swap hidden cards pair by pair, and take back what changes a move or who is asked."""
    chance, deck = random.Random(7), bytearray(drawn.deck)
    for _ in range(_SWAPS):
        one, other = chance.sample(drawn.hidden, 2)
        deck[one], deck[other] = deck[other], deck[one]
        if public(bytes(deck), drawn, options) != first:
            deck[one], deck[other] = deck[other], deck[one]
    return bytes(deck)


def public(deck: bytes, drawn: Plan, options: Json) -> Public | None:
    """What the moves of a plan lead to with this deck; None if one of them is refused."""
    players = tuple(UUID(int=seat) for seat in range(SEATS))
    state = start(ruleset_from(options), seating(players), FixedChance(deck), 0).state
    seen: Public = []
    for seat, body in drawn.moves:
        try:
            decision = decide(state, replace(command_of(body), seat=seat), FixedChance(b""), 0)
        except Refusal:
            return None
        state = decision.state
        asked = [event.awaited for event in decision.events if isinstance(event, Plus3Opened)]
        mask = state.window.awaited if state.window else sum(1 << seat for seats in asked for seat in seats)
        seen.append((mask, state.window is not None, state.outcome is not None))
    return seen
