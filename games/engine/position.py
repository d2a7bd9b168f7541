"""Positions as data: the table of a scenario or a sandbox game, checked field by field, and the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from msgspec import Struct

from games.engine.cards import (
    BREAKER,
    CODE,
    COLORS,
    DECK,
    FACE,
    LEAD_OF_FACE,
    PLUS3,
    Color,
    Lead,
    Symbol,
    codes_of,
    lead_of,
    without,
)
from games.engine.ruleset import FEWEST_SEATS, MOST_SEATS, Mode, PlayDrawnCard, Ruleset, WinOnPlus2
from games.engine.state import Calls, Owed, State, Tally

LONGEST_NAME: Final = 60
_FIELDS: Final = (
    "players",
    "hands",
    "discard",
    "lead",
    "lead_index",
    "draw_pile",
    "turn",
    "direction",
    "plus2",
    "open_taki",
    "owed",
    "must_say",
    "declared",
    "stages",
)
_ABOVE_A_LEAD: Final = frozenset({PLUS3, BREAKER})

Raw = Mapping[str, object]
_E = TypeVar("_E", bound=Enum)


class PositionFault(Exception):
    """A position that cannot be: `field` points at the fault (RFC 6901), `code` is stable, `params` explain."""

    def __init__(self, field: str, code: str, **params: object) -> None:
        """Keep what the answer needs."""
        super().__init__(field, code, params)
        self.field = field
        self.code = code
        self.params = params

    def __str__(self) -> str:
        """Say it in one line."""
        told = ", ".join(f"{name}: {value}" for name, value in self.params.items())
        return f"{self.field}: {self.code}" + (f" ({told})" if told else "")


class Placed(Struct, frozen=True):
    """A position read: the players' names by seat, and the table."""

    names: tuple[str, ...]
    state: State


def read_position(raw: object, rules: Ruleset, at: int = 0) -> Placed:
    """Check a position and put it on the table at `at` (ms); PositionFault names the first field at fault."""
    fields = _mapping(raw, "")
    for name in fields:
        if name not in _FIELDS:
            raise PositionFault(under("", name), "unknown_field")
    names = read_names(fields)
    seats = {name: seat for seat, name in enumerate(names)}
    hands = _read_hands(fields, seats)
    discard = _read_discard(fields)
    draw_pile = _read_draw_pile(fields, rules, hands, discard)
    turn = _read_turn(fields, seats)
    owed = _read_owed(fields, rules)
    tally = Tally(
        strikes=(0,) * len(names),
        stages=_read_stages(fields, rules, seats),
        waiting=_read_waiting(fields, rules, names, hands),
    )
    state = State(
        rules=rules,
        hands=hands,
        draw_pile=draw_pile,
        discard=discard,
        lead=_read_lead(fields, discard),
        lead_at=_read_lead_index(fields, discard),
        turn=turn,
        tally=tally,
        direction=_read_direction(fields),
        open_taki=_choice(fields, "open_taki", COLORS),
        plus2=_read_plus2(fields),
        owed=owed,
        calls=_read_calls(fields, seats, hands, _Mover(turn, owed, at)),
        since=at,
    )
    return Placed(names, state)


# --- single fields -------------------------------------------------------------------------------


def read_names(fields: Raw) -> tuple[str, ...]:
    """Read `players`: two to ten names, each once."""
    names = _list(_required(fields, "players"), "/players")
    if not FEWEST_SEATS <= len(names) <= MOST_SEATS:
        raise PositionFault("/players", "out_of_range", least=FEWEST_SEATS, most=MOST_SEATS)
    for index, name in enumerate(names):
        if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME:
            raise PositionFault(f"/players/{index}", "wrong_type", expected="a name")
        if name in names[:index]:
            raise PositionFault(f"/players/{index}", "duplicate_player", player=name)
    return tuple(str(name) for name in names)


def read_cards(value: object, field: str) -> bytes:
    """Read a list of card codes."""
    cards = bytearray()
    for index, code in enumerate(_list(value, field)):
        if not isinstance(code, str):
            raise PositionFault(f"{field}/{index}", "wrong_type", expected="a card code")
        if code not in FACE:
            raise PositionFault(f"{field}/{index}", "unknown_card", card=code)
        cards.append(FACE[code])
    return bytes(cards)


def _read_hands(fields: Raw, seats: Mapping[str, int]) -> tuple[bytes, ...]:
    given = _mapping(_required(fields, "hands"), "/hands")
    _refuse_strangers(given, "/hands", seats)
    for name in seats:
        if name not in given:
            raise PositionFault(under("/hands", name), "required")
    return tuple(read_cards(given[name], under("/hands", name)) for name in seats)


def _read_discard(fields: Raw) -> bytes:
    discard = read_cards(_required(fields, "discard"), "/discard")
    if not discard:
        raise PositionFault("/discard", "empty")
    return discard


def _read_draw_pile(fields: Raw, rules: Ruleset, hands: tuple[bytes, ...], discard: bytes) -> bytes:
    """Read the pile, or take what the deck has left, in canonical order; no card may be there too often."""
    given = fields.get("draw_pile")
    pile = read_cards(given, "/draw_pile") if given is not None else b""
    names = read_names(fields)
    placed = [(under("/hands", name), hand) for name, hand in zip(names, hands, strict=True)]
    refuse_surplus([*placed, ("/discard", discard), ("/draw_pile", pile)], rules)
    if given is not None:
        return pile
    left = without(DECK[rules.deck], b"".join(hands) + discard)
    if left is None:
        raise AssertionError("counted above")
    return left


def refuse_surplus(places: list[tuple[str, bytes]], rules: Ruleset) -> None:
    """Refuse the first card of which the deck does not have that many (B12 to B16)."""
    most = Counter(DECK[rules.deck])
    seen: Counter[int] = Counter()
    for field, cards in places:
        for index, face in enumerate(cards):
            seen[face] += 1
            if seen[face] > most[face]:
                raise PositionFault(f"{field}/{index}", "too_many_cards", card=CODE[face], most=most[face])


def _read_lead(fields: Raw, discard: bytes) -> Lead:
    given = fields.get("lead")
    if given is None:
        return LEAD_OF_FACE[discard[-1]]
    parts = _mapping(given, "/lead")
    for name in parts:
        if name not in ("color", "symbol"):
            raise PositionFault(under("/lead", name), "unknown_field")
    color = _choice(parts, "color", tuple(Color), "/lead")
    symbol = _choice(parts, "symbol", tuple(Symbol), "/lead")
    if color is None or symbol is None:
        raise PositionFault("/lead/" + ("color" if color is None else "symbol"), "required")
    return lead_of(color, symbol)


def _read_lead_index(fields: Raw, discard: bytes) -> int:
    """Read where the lead card lies: only +3 and Breaker cards lie above a lead (4.8, 5.2)."""
    index = _integer(fields, "lead_index", len(discard) - 1)
    if not 0 <= index < len(discard):
        raise PositionFault("/lead_index", "out_of_range", least=0, most=len(discard) - 1)
    for face in discard[index + 1 :]:
        if face not in _ABOVE_A_LEAD:
            raise PositionFault("/lead_index", "lead_covered", card=CODE[face])
    return index


def _read_turn(fields: Raw, seats: Mapping[str, int]) -> int:
    given = fields.get("turn")
    return 0 if given is None else seat_named(given, "/turn", seats)


def _read_direction(fields: Raw) -> int:
    direction = _integer(fields, "direction", 1)
    if direction not in (1, -1):
        raise PositionFault("/direction", "unknown_value", allowed=[1, -1])
    return direction


def _read_plus2(fields: Raw) -> int:
    plus2 = _integer(fields, "plus2", 0)
    if plus2 < 0:
        raise PositionFault("/plus2", "out_of_range", least=0)
    if plus2 % 2:
        raise PositionFault("/plus2", "odd")
    return plus2


def _read_owed(fields: Raw, rules: Ruleset) -> Owed | None:
    owed = _choice(fields, "owed", tuple(Owed))
    if owed is Owed.DRAWN and rules.play_drawn_card is not PlayDrawnCard.IMMEDIATE:
        raise PositionFault("/owed", "impossible", reason="play_drawn_card is not immediate (22.19)")
    return owed


def _read_stages(fields: Raw, rules: Ruleset, seats: Mapping[str, int]) -> tuple[int, ...]:
    given = fields.get("stages")
    if rules.mode is not Mode.TOURNAMENT:
        if given is not None:
            raise PositionFault("/stages", "impossible", reason="stages belong to mode tournament (B60)")
        return ()
    named = {} if given is None else _mapping(given, "/stages")
    _refuse_strangers(named, "/stages", seats)
    most = rules.tournament_stages
    stages = tuple(_integer(named, name, most, "/stages") for name in seats)
    for name, stage in zip(seats, stages, strict=True):
        if not 1 <= stage <= most:
            raise PositionFault(under("/stages", name), "out_of_range", least=1, most=most)
    return stages


def _read_waiting(fields: Raw, rules: Ruleset, names: tuple[str, ...], hands: tuple[bytes, ...]) -> tuple[int, ...]:
    """Find who has emptied a hand: in single mode only a win held back by a stack allows that (3.10)."""
    if rules.mode is Mode.TOURNAMENT:
        return ()
    empty = tuple(seat for seat, hand in enumerate(hands) if not hand)
    held = rules.win_on_plus2 is WinOnPlus2.AFTER_STACK_RESOLVED and fields.get("plus2")
    if empty and not held:
        raise PositionFault(under("/hands", names[empty[0]]), "empty")
    return empty


class _Mover(Struct, frozen=True):
    seat: int
    owed: Owed | None
    at: int


def _read_calls(fields: Raw, seats: Mapping[str, int], hands: tuple[bytes, ...], mover: _Mover) -> Calls:
    """Read who called and who owes the call; both hold one card (10.1, 10.9). What is owed is owed since now."""
    said = _read_callers(fields, "declared", seats, hands)
    owes = _read_callers(fields, "must_say", seats, hands)
    for name, seat in seats.items():
        if said >> seat & 1 and owes >> seat & 1:
            raise PositionFault("/must_say", "already_declared", player=name)
    by_play = owes
    if mover.owed in (Owed.KING, Owed.PLUS) and len(hands[mover.seat]) == 1:
        by_play |= 1 << mover.seat
    return Calls(said=said, owes=owes, by_play=by_play, since=(mover.at,) * len(hands) if owes else ())


def _read_callers(fields: Raw, field: str, seats: Mapping[str, int], hands: tuple[bytes, ...]) -> int:
    given = fields.get(field)
    mask = 0
    for index, name in enumerate(() if given is None else _list(given, f"/{field}")):
        seat = seat_named(name, f"/{field}/{index}", seats)
        if len(hands[seat]) != 1:
            raise PositionFault(f"/{field}/{index}", "needs_one_card", player=name, cards=len(hands[seat]))
        mask |= 1 << seat
    return mask


# --- kinds of values -----------------------------------------------------------------------------


def seat_named(name: object, field: str, seats: Mapping[str, int]) -> int:
    """Find the seat of a player."""
    if not isinstance(name, str):
        raise PositionFault(field, "wrong_type", expected="a player's name")
    if name not in seats:
        raise PositionFault(field, "unknown_player", player=name)
    return seats[name]


def _refuse_strangers(given: Raw, field: str, seats: Mapping[str, int]) -> None:
    for name in given:
        seat_named(name, under(field, name), seats)


def under(field: str, name: object) -> str:
    """Point at a member of a mapping."""
    return f"{field}/{str(name).replace('~', '~0').replace('/', '~1')}"


def _required(fields: Raw, name: str) -> object:
    if fields.get(name) is None:
        raise PositionFault(under("", name), "required")
    return fields[name]


def _mapping(value: object, field: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise PositionFault(field, "wrong_type", expected="a mapping")
    for name in value:
        if not isinstance(name, str):
            raise PositionFault(under(field, name), "wrong_type", expected="a name")
    return dict(value)


def _list(value: object, field: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise PositionFault(field, "wrong_type", expected="a list")
    return list(value)


def _integer(fields: Raw, name: str, absent: int, parent: str = "") -> int:
    value = fields.get(name)
    if value is None:
        return absent
    if not isinstance(value, int) or isinstance(value, bool):
        raise PositionFault(under(parent, name), "wrong_type", expected="a whole number")
    return value


def _choice(fields: Raw, name: str, allowed: tuple[_E, ...], parent: str = "") -> _E | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise PositionFault(under(parent, name), "wrong_type", expected="a text")
    for choice in allowed:
        if choice.value == value:
            return choice
    raise PositionFault(under(parent, name), "unknown_value", value=value, allowed=[c.value for c in allowed])


# --- the way back --------------------------------------------------------------------------------


def position_of(state: State, names: tuple[str, ...]) -> dict[str, Any]:
    """Write a table as a position. An open window, strikes and who left have no place in one."""
    position: dict[str, Any] = {
        "players": list(names),
        "hands": {name: codes_of(hand) for name, hand in zip(names, state.hands, strict=True)},
        "discard": codes_of(state.discard),
        "lead": {"color": state.lead.color.value, "symbol": state.lead.symbol.value},
        "lead_index": state.lead_at,
        "draw_pile": codes_of(state.draw_pile),
        "turn": names[state.turn],
        "direction": state.direction,
        "plus2": state.plus2,
        "open_taki": state.open_taki.value if state.open_taki else None,
        "owed": state.owed.value if state.owed else None,
        "must_say": list(named_in(state.calls.owes, names)),
        "declared": list(named_in(state.calls.said, names)),
    }
    if state.tally.stages:
        position["stages"] = dict(zip(names, state.tally.stages, strict=True))
    return position


def named_in(mask: int, names: tuple[str, ...]) -> Iterator[str]:
    """List the players whose seats stand in a mask."""
    return (name for seat, name in enumerate(names) if mask >> seat & 1)
