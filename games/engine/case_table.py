"""The table of a scenario: set from a position or dealt by an opening, then moved on step by step."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Final
from uuid import UUID

from msgspec import Struct

from games.engine.cards import DECK, without
from games.engine.case_format import Case, CaseFault, Step, cards_of, command_of, mapping_of, seat_of
from games.engine.clock import settle_due
from games.engine.decide import decide
from games.engine.events import Event, TurnTimedOut, WindowTimedOut
from games.engine.opening import Seating, start
from games.engine.position import read_names, read_position, refuse_surplus
from games.engine.position_values import PositionFault
from games.engine.refusals import Refusal
from games.engine.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset
from games.engine.state import State, pack

_OPENING_ALONE: Final = frozenset({"turned", "first", "birth_years", "drawn"})
_OPENING_FIELDS: Final = _OPENING_ALONE | {"players", "hands"}


class Table(Struct, frozen=True):
    """A running scenario: `now` in milliseconds since its start."""

    names: tuple[str, ...]
    state: State
    now: int = 0

    def seats(self) -> dict[str, int]:
        """Give the seat of each player."""
        return {name: seat for seat, name in enumerate(self.names)}


class Surprise(Exception):
    """A step that went otherwise than written."""

    def __init__(self, expected: str, came: str) -> None:
        """Keep both for the report."""
        super().__init__(f"expected {expected}, came {came}")
        self.expected = expected
        self.came = came


class Arranged(Struct, frozen=True):
    """Chance as a scenario wants it: the deal it lists, reshuffles in the order of the cards, the seat it drew."""

    deck: bytes = b""
    drawn: int = 0

    def shuffle(self, number: int, cards: bytes) -> bytes:
        """Give the arranged deck as the deal, and leave reshuffled cards as they lie."""
        return cards if number else self.deck

    def pick(self, count: int) -> int:
        """Give the seat that was drawn."""
        return self.drawn % count


def set_table(case: Case) -> Table | None:
    """Set the table; None for a scenario about the deck alone."""
    position = dict(case.position)
    if not position:
        return None
    if position.keys() & _OPENING_ALONE or not position.keys() & {"hands", "discard"}:
        return _dealt(position, case.rules)
    return _placed(position, case.rules)


def _placed(position: dict[str, object], rules: Ruleset) -> Table:
    try:
        placed = read_position(position, rules)
    except PositionFault as fault:
        raise CaseFault("position", str(fault)) from None
    return Table(placed.names, placed.state)


# --- openings ------------------------------------------------------------------------------------


def _dealt(position: Mapping[str, object], rules: Ruleset) -> Table:
    """Deal so that the listed cards come off the pile where the scenario wants them."""
    for name in position:
        if name not in _OPENING_FIELDS:
            raise CaseFault("position", f"unknown field {name!r}")
    names = _names(position)
    seats = {name: seat for seat, name in enumerate(names)}
    first = position.get("first")
    drawn = position.get("drawn")
    chance = Arranged(_deck(position, rules, seats), 0 if drawn is None else seat_of(drawn, seats, "position: drawn"))
    seating = Seating(
        players=tuple(UUID(int=seat + 1) for seat in range(len(names))),
        client_seeds=(None,) * len(names),
        birth_years=_birth_years(position, seats),
        commitment="0" * 64,
        preset="",
    )
    starter = None if first is None else seat_of(first, seats, "position: first")
    return Table(names, start(rules, seating, chance, 0, starter).state)


def _names(position: Mapping[str, object]) -> tuple[str, ...]:
    count = position.get("players")
    if type(count) is int:
        if not FEWEST_SEATS <= count <= MOST_SEATS:
            raise CaseFault("position: players", f"must be {FEWEST_SEATS} to {MOST_SEATS}")
        return tuple(ascii_lowercase[:count])
    try:
        return read_names(position)
    except PositionFault as fault:
        raise CaseFault("position", str(fault)) from None


def _birth_years(position: Mapping[str, object], seats: Mapping[str, int]) -> tuple[int | None, ...]:
    given = mapping_of(position.get("birth_years"), "position: birth_years")
    years: list[int | None] = [None] * len(seats)
    for name, year in given.items():
        if type(year) is not int:
            raise CaseFault("position: birth_years", "must be years")
        years[seat_of(name, seats, "position: birth_years")] = year
    return tuple(years)


def _deck(position: Mapping[str, object], rules: Ruleset, seats: Mapping[str, int]) -> bytes:
    """Order the deck: hands one card at a time from seat 0 on, then `turned`, then the rest, canonically (1.5)."""
    size = rules.dealt()
    turned = cards_of(position.get("turned") or [], "position: turned")
    hands = _given_hands(position, size, seats)
    try:
        refuse_surplus([*((f"/hands/{name}", hands[name]) for name in hands), ("/turned", turned)], rules)
    except PositionFault as fault:
        raise CaseFault("position", str(fault)) from None
    rest = without(DECK[rules.deck], turned + b"".join(hands.values()))
    if rest is None:
        raise AssertionError("counted above")
    needed = size * (len(seats) - len(hands))
    if needed > len(rest):
        raise CaseFault("position: turned", "leaves too few cards to deal")
    others = iter(rest[:needed])
    dealt = bytes(hands[name][number] if name in hands else next(others) for number in range(size) for name in seats)
    return dealt + turned + rest[needed:]


def _given_hands(position: Mapping[str, object], size: int, seats: Mapping[str, int]) -> dict[str, bytes]:
    hands = {}
    for name, codes in mapping_of(position.get("hands"), "position: hands").items():
        seat_of(name, seats, "position: hands")
        hands[name] = cards_of(codes, f"position: hands/{name}")
        if len(hands[name]) != size:
            raise CaseFault(f"position: hands/{name}", f"a deal gives {size} cards")
    return hands


# --- steps ---------------------------------------------------------------------------------------


def play_step(table: Table, step: Step, where: str) -> Table:
    """Carry out one step and what the clock does before it; Surprise if it goes otherwise than written."""
    now = table.now if step.at_ms is None else max(table.now, step.at_ms)
    table = Table(table.names, table.state, now)
    if step.at_ms is not None:
        events, table = _clock_runs(table)
        if step.do == "timeout" and any(isinstance(event, TurnTimedOut | WindowTimedOut) for event in events):
            return table
    if step.do == "timeout":
        _check_awaited(table, step, where)
    command = command_of(step, table.seats(), where)
    before = pack(table.state)
    try:
        decision = decide(table.state, command, Arranged(), now)
    except Refusal as refusal:
        return _refused(table, step, refusal, before)
    if step.reject is not None:
        raise Surprise(f"refused with {step.reject}", "accepted")
    return Table(table.names, decision.state, now)


def _clock_runs(table: Table) -> tuple[tuple[Event, ...], Table]:
    """Let the clock do what is due by now, as it happens before any command (15.2)."""
    settled = settle_due(table.state, Arranged(), table.now)
    if settled is None:
        return (), table
    return settled.events, Table(table.names, settled.state, table.now)


def _check_awaited(table: Table, step: Step, where: str) -> None:
    if step.awaited is None:
        return
    if table.state.turn != seat_of(step.awaited, table.seats(), where):
        raise Surprise(f"the turn of {step.awaited}", f"the turn of {table.names[table.state.turn]}")


def _refused(table: Table, step: Step, refusal: Refusal, before: bytes) -> Table:
    if step.reject is None:
        raise Surprise("accepted", f"refused with {refusal.code} {refusal.params}")
    if refusal.code != step.reject:
        raise Surprise(f"refused with {step.reject}", f"refused with {refusal.code} {refusal.params}")
    if pack(table.state) != before:
        raise Surprise("nothing changed by a refused command", "a changed table")
    return table
