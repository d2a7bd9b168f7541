"""What a scenario expects of the table in `then`, key by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from games.engine.cards import COLOR, COLORS, DECK, FACES, SYMBOL, Deck, codes_of
from games.engine.case_format import CaseFault, cards_of, mapping_of, seat_of
from games.engine.case_table import Table
from games.engine.position import named_in
from games.engine.state import State


class Mismatch(Struct, frozen=True):
    """One key of `then` that does not hold."""

    key: str
    expected: str
    came: str


def mismatches(table: Table, then: Mapping[str, object]) -> Iterator[Mismatch]:
    """Compare what is named, and only that."""
    for key, expected in then.items():
        if key in _PLAIN:
            yield from _compare(key, expected, _PLAIN[key](table))
        elif key in _BY_PLAYER:
            yield from _compare_players(table, key, expected)
        elif key in _NAMES:
            yield from _compare_names(table, key, expected)
        elif key == "lead":
            yield from _compare_lead(table.state, expected)
        elif key == "bottom_of_draw_pile":
            yield from _compare_bottom(table.state, expected)
        elif key == "hands_each":
            counts = sorted({len(hand) for hand in table.state.hands})
            yield from _compare(key, [expected], counts)
        else:
            raise CaseFault("then", f"unknown field {key!r}")


def _compare(key: str, expected: object, came: object) -> Iterator[Mismatch]:
    if expected != came or type(expected) is not type(came):
        yield Mismatch(key, _shown(expected), _shown(came))


def _shown(value: object) -> str:
    return "null" if value is None else str(value)


# --- single values -------------------------------------------------------------------------------


def _name(table: Table, seat: int | None) -> str | None:
    return None if seat is None else table.names[seat]


def _winner(table: Table) -> str | None:
    outcome = table.state.outcome
    return None if outcome is None else _name(table, outcome.winner)


_PLAIN: Final[Mapping[str, Callable[[Table], object]]] = {
    "turn": lambda table: _name(table, table.state.turn),
    "direction": lambda table: table.state.direction,
    "plus2": lambda table: table.state.plus2,
    "open_taki": lambda table: table.state.open_taki and table.state.open_taki.value,
    "owed": lambda table: table.state.owed and table.state.owed.value,
    "window": lambda table: table.state.window and _name(table, table.state.window.seat),
    "winner": _winner,
    "ended": lambda table: table.state.outcome and table.state.outcome.ended.value,
    "draw_count": lambda table: len(table.state.draw_pile),
    "top": lambda table: codes_of(table.state.discard[-1:])[0],
    "discard": lambda table: len(table.state.discard),
}


# --- values by player ----------------------------------------------------------------------------


def _stage(state: State, seat: int) -> object:
    return state.tally.stages[seat] if state.tally.stages else None


_BY_PLAYER: Final[Mapping[str, Callable[[State, int], object]]] = {
    "hand_counts": lambda state, seat: len(state.hands[seat]),
    "hands": lambda state, seat: sorted(codes_of(state.hands[seat])),
    "stages": _stage,
}

_NAMES: Final[Mapping[str, Callable[[Table], list[str]]]] = {
    "must_say": lambda table: sorted(named_in(table.state.calls.owes, table.names)),
    "declared": lambda table: sorted(named_in(table.state.calls.said, table.names)),
    "left": lambda table: sorted(table.names[seat] for seat in table.state.tally.left),
}


def _compare_players(table: Table, key: str, expected: object) -> Iterator[Mismatch]:
    seats = table.seats()
    for name, value in mapping_of(expected, f"then: {key}").items():
        seat = seat_of(name, seats, f"then: {key}")
        wanted = sorted(codes_of(cards_of(value, f"then: {key}/{name}"))) if key == "hands" else value
        yield from _compare(f"{key}/{name}", wanted, _BY_PLAYER[key](table.state, seat))


def _compare_names(table: Table, key: str, expected: object) -> Iterator[Mismatch]:
    if not isinstance(expected, list):
        raise CaseFault(f"then: {key}", "must be a list of players")
    seats = table.seats()
    for name in expected:
        seat_of(name, seats, f"then: {key}")
    yield from _compare(key, sorted(expected), _NAMES[key](table))


def _compare_lead(state: State, expected: object) -> Iterator[Mismatch]:
    parts = mapping_of(expected, "then: lead")
    came = {"color": state.lead.color.value, "symbol": state.lead.symbol.value}
    for name, value in parts.items():
        if name not in came:
            raise CaseFault("then: lead", f"unknown field {name!r}")
        yield from _compare(f"lead/{name}", str(value), came[name])


def _compare_bottom(state: State, expected: object) -> Iterator[Mismatch]:
    """Compare the bottom of the pile, the lowest card last."""
    wanted = codes_of(cards_of(expected, "then: bottom_of_draw_pile"))
    came = codes_of(state.draw_pile[-len(wanted) :]) if wanted else []
    yield from _compare("bottom_of_draw_pile", wanted, came)


# --- the deck ------------------------------------------------------------------------------------


def deck_mismatches(deck: Deck, then: Mapping[str, object]) -> Iterator[Mismatch]:
    """Compare what a scenario says of the deck alone (B3, B12 to B16)."""
    counts = Counter(DECK[deck])
    by_color = {color: sum(counts[f] for f in FACES if COLOR[f] is color) for color in COLORS}
    came: dict[str, object] = {
        "cards": counts.total(),
        "per_color": by_color[COLORS[0]] if len(set(by_color.values())) == 1 else by_color,
        "colorless": sum(counts[f] for f in FACES if COLOR[f] is None),
        "numbers": sorted({int(SYMBOL[f].value) for f in counts if SYMBOL[f].value.isdecimal()}),
    }
    for key, expected in then.items():
        if key not in came:
            raise CaseFault("then", f"unknown field {key!r} for a deck")
        yield from _compare(key, expected, came[key])
