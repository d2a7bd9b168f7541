"""Positions as data: the table of a scenario or a sandbox game, checked field by field, and the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

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
    Deck,
    Lead,
    Symbol,
    codes_of,
    lead_of,
    without,
)
from games.engine.position_values import (
    PositionFault,
    Raw,
    choice_of,
    integer_of,
    list_of,
    mapping_of,
    refuse_strangers,
    required,
    seat_named,
    text_of,
    under,
    within,
)
from games.engine.ruleset import FEWEST_SEATS, MOST_SEATS, Mode, PlayDrawnCard, Ruleset, WinOnPlus2
from games.engine.state import Calls, Owed, State, Tally

LONGEST_NAME: Final = 60
LARGEST_STACK: Final = 2 * len(DECK[Deck.FULL_116])
"""Far above any +2 stack that can be played; a bound, so that whatever was asked for can be stored."""
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


class Placed(Struct, frozen=True):
    """A position read: the players' names by seat, and the table."""

    names: tuple[str, ...]
    state: State


def read_position(raw: object, rules: Ruleset, at: int = 0) -> Placed:
    """Check a position and put it on the table at `at` (ms); PositionFault names the first field at fault."""
    fields = mapping_of(raw, "")
    for name in fields:
        if name not in _FIELDS:
            raise PositionFault(under("", name), "unknown_field")
    names = read_names(fields)
    seats = {name: seat for seat, name in enumerate(names)}
    hands = _read_hands(fields, seats)
    discard = _read_discard(fields)
    draw_pile = _read_draw_pile(fields, rules, hands, discard)
    lead_at = _read_lead_index(fields, discard)
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
        lead=_read_lead(fields, discard, lead_at),
        lead_at=lead_at,
        turn=turn,
        tally=tally,
        direction=_read_direction(fields),
        open_taki=choice_of(fields, "open_taki", COLORS),
        plus2=_read_plus2(fields),
        owed=owed,
        calls=_read_calls(fields, seats, hands, _Mover(turn, owed, at)),
        since=at,
    )
    return Placed(names, state)


# --- single fields -------------------------------------------------------------------------------


def read_names(fields: Raw) -> tuple[str, ...]:
    """Read `players`: two to ten names, each once."""
    names = list_of(required(fields, "players"), "/players")
    within(len(names), "/players", FEWEST_SEATS, MOST_SEATS)
    for index, name in enumerate(names):
        length = len(text_of(name, f"/players/{index}"))
        if not length:
            raise PositionFault(f"/players/{index}", "too_short", limit=1)
        if length > LONGEST_NAME:
            raise PositionFault(f"/players/{index}", "too_long", limit=LONGEST_NAME)
        if name in names[:index]:
            raise PositionFault(f"/players/{index}", "duplicate_player", player=name)
    return tuple(str(name) for name in names)


def read_cards(value: object, field: str) -> bytes:
    """Read a list of card codes."""
    cards = bytearray()
    for index, given in enumerate(list_of(value, field)):
        code = text_of(given, f"{field}/{index}")
        if code not in FACE:
            raise PositionFault(f"{field}/{index}", "unknown_card", card=code)
        cards.append(FACE[code])
    return bytes(cards)


def _read_hands(fields: Raw, seats: Mapping[str, int]) -> tuple[bytes, ...]:
    given = mapping_of(required(fields, "hands"), "/hands")
    refuse_strangers(given, "/hands", seats)
    for name in seats:
        if name not in given:
            raise PositionFault(under("/hands", name), "missing_field")
    return tuple(read_cards(given[name], under("/hands", name)) for name in seats)


def _read_discard(fields: Raw) -> bytes:
    discard = read_cards(required(fields, "discard"), "/discard")
    if not discard:
        raise PositionFault("/discard", "no_cards")
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


def _read_lead(fields: Raw, discard: bytes, lead_index: int) -> Lead:
    given = fields.get("lead")
    if given is None:
        return LEAD_OF_FACE[discard[lead_index]]
    parts = mapping_of(given, "/lead")
    for name in parts:
        if name not in ("color", "symbol"):
            raise PositionFault(under("/lead", name), "unknown_field")
    if type(parts.get("symbol")) is int:
        parts["symbol"] = str(parts["symbol"])
    color = choice_of(parts, "color", tuple(Color), "/lead")
    symbol = choice_of(parts, "symbol", tuple(Symbol), "/lead")
    if color is None or symbol is None:
        raise PositionFault("/lead/" + ("color" if color is None else "symbol"), "missing_field")
    return lead_of(color, symbol)


def _read_lead_index(fields: Raw, discard: bytes) -> int:
    """Read where the lead card lies: only +3 and Breaker cards lie above a lead (4.8, 5.2)."""
    index = integer_of(fields, "lead_index", len(discard) - 1)
    within(index, "/lead_index", 0, len(discard) - 1)
    for face in discard[index + 1 :]:
        if face not in _ABOVE_A_LEAD:
            raise PositionFault("/lead_index", "lead_covered", card=CODE[face])
    return index


def _read_turn(fields: Raw, seats: Mapping[str, int]) -> int:
    given = fields.get("turn")
    return 0 if given is None else seat_named(given, "/turn", seats)


def _read_direction(fields: Raw) -> int:
    direction = integer_of(fields, "direction", 1)
    if direction not in (1, -1):
        raise PositionFault("/direction", "not_a_choice", allowed=[1, -1])
    return direction


def _read_plus2(fields: Raw) -> int:
    plus2 = integer_of(fields, "plus2", 0)
    within(plus2, "/plus2", 0, LARGEST_STACK)
    if plus2 % 2:
        raise PositionFault("/plus2", "odd_number")
    return plus2


def _read_owed(fields: Raw, rules: Ruleset) -> Owed | None:
    owed = choice_of(fields, "owed", tuple(Owed))
    if owed is not None and fields.get("plus2"):  # 3.1, 3.8: only a +2 adds to a stack, a King or a draw ends it
        raise PositionFault("/owed", "owed_on_stack")
    if owed is Owed.DRAWN and rules.play_drawn_card is not PlayDrawnCard.IMMEDIATE:
        raise PositionFault("/owed", "drawn_not_playable")
    return owed


def _read_stages(fields: Raw, rules: Ruleset, seats: Mapping[str, int]) -> tuple[int, ...]:
    given = fields.get("stages")
    if rules.mode is not Mode.TOURNAMENT:
        if given is not None:
            raise PositionFault("/stages", "stages_in_single_mode")
        return ()
    named = {} if given is None else mapping_of(given, "/stages")
    refuse_strangers(named, "/stages", seats)
    most = rules.tournament_stages
    stages = tuple(integer_of(named, name, most, "/stages") for name in seats)
    for name, stage in zip(seats, stages, strict=True):
        within(stage, under("/stages", name), 1, most)
    return stages


def _read_waiting(fields: Raw, rules: Ruleset, names: tuple[str, ...], hands: tuple[bytes, ...]) -> tuple[int, ...]:
    """Find who has emptied a hand: in single mode only a win held back by a stack allows that (3.10)."""
    if rules.mode is Mode.TOURNAMENT:
        return ()
    empty = tuple(seat for seat, hand in enumerate(hands) if not hand)
    held = rules.win_on_plus2 is WinOnPlus2.AFTER_STACK_RESOLVED and fields.get("plus2")
    if empty and not held:
        raise PositionFault(under("/hands", names[empty[0]]), "no_cards")
    return empty


class _Mover(Struct, frozen=True):
    seat: int
    owed: Owed | None
    since: int


def _read_calls(fields: Raw, seats: Mapping[str, int], hands: tuple[bytes, ...], mover: _Mover) -> Calls:
    """Read who called and who owes the call; both hold one card (10.1, 10.9). What is owed is owed since now."""
    said = _read_callers(fields, "declared", seats, hands)
    owes = _read_callers(fields, "must_say", seats, hands)
    for name, seat in seats.items():
        if said >> seat & 1 and owes >> seat & 1:
            raise PositionFault("/must_say", "called_and_owed", player=name)
    by_play = owes
    if mover.owed in (Owed.KING, Owed.PLUS) and len(hands[mover.seat]) == 1:
        by_play |= 1 << mover.seat
    return Calls(said=said, owes=owes, by_play=by_play, since=(mover.since,) * len(hands) if owes else ())


def _read_callers(fields: Raw, field: str, seats: Mapping[str, int], hands: tuple[bytes, ...]) -> int:
    given = fields.get(field)
    mask = 0
    for index, name in enumerate(() if given is None else list_of(given, f"/{field}")):
        seat = seat_named(name, f"/{field}/{index}", seats)
        if len(hands[seat]) != 1:
            raise PositionFault(f"/{field}/{index}", "needs_one_card", player=name, cards=len(hands[seat]))
        mask |= 1 << seat
    return mask


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
