"""Random rules, random chance and random tables: from a deal, and in the middle of a game with few cards about."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec

from games.engine.cards import CODE, DECK, SYMBOL, Symbol, codes_of
from games.engine.decide import Decision
from games.engine.opening import Seating, start
from games.engine.position import read_position
from games.engine.ruleset import Mode, Ruleset, most_seats
from games.engine.state import State

NUMBERS_OF: Final[Mapping[str, tuple[int | str, ...]]] = {
    "tournament_stages": (1, 2, 3, 5, 8),
    "hand_size": (3, 5, 8, 10),
    "plus3_window_seconds": (1, 15, 600),
    "last_card_deadline": ("next_action", "seconds:1", "seconds:20"),
    "last_card_penalty": (0, 1, 4, 9),
    "catch_grace_ms": (0, 200, 3000),
    "turn_timeout_seconds": (0, 5, 60),
    "timeouts_before_forfeit": (0, 1, 3),
}
"""Values tried of the options that are no short list."""


def _values_of(name: str, kind: object) -> tuple[Any, ...]:
    if name in NUMBERS_OF:
        return NUMBERS_OF[name]
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    raise TypeError(name)


VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    field.name: _values_of(field.name, field.type) for field in msgspec.structs.fields(Ruleset)
}
"""By option: the values that random rules take; a new option without values fails here."""


class RandomChance:
    """Chance from a seed, for tests and measurements."""

    def __init__(self, seed: int) -> None:
        """Start from a seed."""
        self._random = Random(seed)

    def shuffle(self, number: int, cards: bytes) -> bytes:
        """Shuffle."""
        mixed = list(cards)
        self._random.shuffle(mixed)
        return bytes(mixed)

    def pick(self, count: int) -> int:
        """Draw one of `count` seats."""
        return self._random.randrange(count)


def random_rules(random: Random) -> Ruleset:
    """Give rules with about every second option at its default, the others at any value."""
    chosen = {name: random.choice(values) for name, values in VALUES.items() if random.random() < 0.5}
    return Ruleset(**chosen)


def random_deal(random: Random, rules: Ruleset, seats: int | None = None) -> Decision:
    """Deal a game by these rules to some players."""
    count = seats or random.randint(2, most_seats(rules))
    seating = Seating(
        players=tuple(UUID(int=seat + 1) for seat in range(count)),
        client_seeds=(None,) * count,
        birth_years=tuple(random.choice((None, 1990, 2010, 2012)) for _ in range(count)),
        commitment="0" * 64,
        preset="taki_116",
    )
    return start(rules, seating, RandomChance(random.getrandbits(32)), 0)


def random_table(random: Random, rules: Ruleset) -> State:
    """Give a table in the middle of a game: small hands, often a short pile, all cards of the deck or fewer."""
    return read_position(random_position(random, rules), rules).state


def random_position(random: Random, rules: Ruleset) -> dict[str, Any]:
    """Give such a table as data."""
    cards = list(DECK[rules.deck])
    random.shuffle(cards)
    names = [f"p{seat}" for seat in range(random.randint(2, random.choice((2, 3, 4, 10))))]
    hands = {name: [cards.pop() for _ in range(_hand_count(random, rules))] for name in names}
    position: dict[str, Any] = {
        "players": names,
        "hands": {name: codes_of(bytes(hand)) for name, hand in hands.items()},
        "turn": random.choice(names),
        "direction": random.choice((1, -1)),
    }
    position |= _random_middle(random, cards, rules)
    if random.random() < 0.4:
        short = random.randint(0, 12)
        position["draw_pile"] = codes_of(bytes(cards[:short]))
    if rules.mode is Mode.TOURNAMENT:
        position["stages"] = {name: random.randint(1, rules.tournament_stages) for name in names}
    single = [name for name in names if len(hands[name]) == 1]
    position["declared"] = [name for name in single if random.random() < 0.4]
    position["must_say"] = [name for name in single if name not in position["declared"] and random.random() < 0.5]
    return position


def _hand_count(random: Random, rules: Ruleset) -> int:
    least = 0 if rules.mode is Mode.TOURNAMENT and random.random() < 0.1 else 1
    return random.randint(least, random.choice((1, 2, 3, 5, 10)))


def _random_middle(random: Random, cards: list[int], rules: Ruleset) -> dict[str, Any]:
    """Give discard, lead, open TAKI, stack and obligation that go together."""
    discard = [cards.pop() for _ in range(random.randint(1, 8))]
    while SYMBOL[discard[-1]] in (Symbol.PLUS3, Symbol.BREAKER):
        discard.append(cards.pop())
    lead_index = len(discard) - 1
    while cards and SYMBOL[cards[-1]] in (Symbol.PLUS3, Symbol.BREAKER):
        discard.append(cards.pop())
    symbol = SYMBOL[discard[lead_index]]
    color = CODE[discard[lead_index]].split("-", maxsplit=1)[0]
    if color not in ("red", "yellow", "green", "blue"):
        color = random.choice(("red", "yellow", "green", "blue"))
    if symbol is Symbol.KING and random.random() < 0.7:
        color = "any"
    middle: dict[str, Any] = {
        "discard": codes_of(bytes(discard)),
        "lead": {"color": color, "symbol": symbol.value},
        "lead_index": lead_index,
    }
    return middle | _random_duty(random, symbol, color, covered=lead_index < len(discard) - 1)


def _random_duty(random: Random, symbol: Symbol, color: str, *, covered: bool) -> dict[str, Any]:
    if symbol is Symbol.PLUS2 and not covered and random.random() < 0.7:
        return {"plus2": random.choice((2, 4, 8))}
    if symbol is Symbol.PLUS and not covered and random.random() < 0.5:
        return {"owed": "plus"}
    if symbol is Symbol.KING and not covered and random.random() < 0.4:
        return {"owed": "king"}
    if symbol not in (Symbol.KING, Symbol.CHANGE_COLOR) and random.random() < 0.5:
        return {"open_taki": color}
    return {}
