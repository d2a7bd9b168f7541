"""Positions as data, and commands as they are spoken: `table(a="red-3 king", b="blue-1", discard="red-5")`."""

from collections.abc import Mapping
from typing import Any

from bench.tables import RandomChance
from games.engine.cards import Color, codes_of, faces_of
from games.engine.commands import Command, PlayCards
from games.engine.decide import Decision, decide
from games.engine.events import Event
from games.engine.position import read_position
from games.engine.ruleset import Ruleset, ruleset_from
from games.engine.state import State

A, B, C, D = range(4)
CHANCE = RandomChance(1)


def rules(**options: Any) -> Ruleset:
    return ruleset_from(options)


def table(options: Mapping[str, Any] | None = None, /, **fields: Any) -> State:
    """A table: single letters are hands, other fields as in a position; card lists may be one text."""
    hands = {name: cards.split() for name, cards in fields.items() if len(name) == 1}
    position = {name: value for name, value in fields.items() if len(name) > 1}
    for pile in ("discard", "draw_pile"):
        if isinstance(position.get(pile), str):
            position[pile] = position[pile].split()
    position.setdefault("discard", ["red-5"])
    given = {"players": list(hands), "hands": hands, **position}
    return read_position(given, rules(**(options or {}))).state


def play(seat: int, cards: str, color: str | None = None, run_color: str | None = None, **flags: bool) -> PlayCards:
    return PlayCards(
        seat,
        bytes(faces_of(cards.split())),
        None if color is None else Color(color),
        None if run_color is None else Color(run_color),
        **flags,
    )


def decided(state: State, *commands: Command, now: int = 0) -> Decision:
    """All commands one after the other: the last table, and the events of all."""
    events: tuple[Event, ...] = ()
    for command in commands:
        decision = decide(state, command, CHANCE, now)
        state, events = decision.state, events + decision.events
    return Decision(state, events)


def after(state: State, *commands: Command, now: int = 0) -> State:
    return decided(state, *commands, now=now).state


def kinds(decision: Decision) -> list[str]:
    return [type(event).__name__ for event in decision.events]


def hand(state: State, seat: int) -> str:
    return " ".join(codes_of(state.hands[seat]))
