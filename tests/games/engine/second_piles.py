"""The table of the second engine: piles, hands, calls, matching (see `second_engine.py`)."""

from enum import Enum
from typing import Any

from bench.tables import RandomChance
from games.engine.cards import codes_of, faces_of
from games.engine.state import State

Window = dict[str, Any]


def color_of(card: str) -> str | None:
    first = card.split("-", maxsplit=1)[0]
    return first if first in ("red", "yellow", "green", "blue") else None


def symbol_of(card: str) -> str:
    if card == "super-taki":
        return "taki"
    return card.split("-")[1] if color_of(card) else card


def is_taki(card: str) -> bool:
    return symbol_of(card) == "taki"


def reshuffled(number: int, cards: list[str]) -> list[str]:
    return codes_of(RandomChance(number).shuffle(number, bytes(faces_of(cards))))


class SecondPiles:
    def __init__(self, state: State) -> None:
        self.rules = state.rules
        self.hands = [codes_of(hand) for hand in state.hands]
        self.pile = codes_of(state.draw_pile)
        self.discard = codes_of(state.discard)
        self.lead = (state.lead.color.value, state.lead.symbol.value)
        self.lead_at = state.lead_at
        self.turn, self.direction, self.plus2 = state.turn, state.direction, state.plus2
        self.open = state.open_taki.value if state.open_taki else None
        self.owed = state.owed.value if state.owed else None
        self.window: Window | None = None
        seats = range(len(self.hands))
        self.said = {seat for seat in seats if state.calls.said >> seat & 1}
        self.owes = {seat: state.calls.since[seat] for seat in seats if state.calls.owes >> seat & 1}
        self.by_play = {seat for seat in seats if state.calls.by_play >> seat & 1}
        self.by_stage: set[int] = set()
        self.stages = list(state.tally.stages)
        self.left: list[int] = []
        self.waiting = list(state.tally.waiting)
        self.strikes = [0] * len(self.hands)
        self.barren: set[int] = set()
        self.shuffles = 0
        self.over: tuple[str, int | None] | None = None
        self.now = 0

    def option(self, name: str) -> Any:
        value = getattr(self.rules, name)
        return value.value if isinstance(value, Enum) else value

    def snapshot(self) -> dict[str, Any]:
        window = self.window
        return {
            "hands": self.hands, "pile": self.pile, "discard": self.discard, "lead": self.lead,
            "lead_at": self.lead_at, "turn": self.turn, "direction": self.direction, "plus2": self.plus2,
            "open": self.open, "owed": self.owed, "said": self.said, "owes": set(self.owes), "stages": self.stages,
            "left": self.left, "waiting": self.waiting, "strikes": self.strikes, "over": self.over,
            "window": window and (window["seat"], window["next"], window["awaited"], window["wins"]),
        }  # fmt: skip

    # --- order of play ---------------------------------------------------------------------------

    def active(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.left]

    def after(self, seat: int) -> list[int]:
        """The other active seats in turn order from a seat."""
        count = len(self.hands)
        order = [(seat + self.direction * step) % count for step in range(1, count)]
        return [other for other in order if other not in self.left]

    def pass_turn(self, seat: int, skip: bool = False) -> None:
        self.owed = None
        order = [*self.after(seat), seat] if seat not in self.left else self.after(seat)
        self.turn = order[1 % len(order)] if skip else order[0]

    def end(self, ended: str, winner: int | None) -> None:
        self.over = (ended, winner)
        self.plus2, self.owed, self.window = 0, None, None

    def win(self, seat: int) -> None:
        if self.stages:
            self.stages[seat] = 0
        self.end("won", seat)

    def is_last_stage(self, seat: int) -> bool:
        return not self.stages or self.stages[seat] == 1

    # --- drawing (11.x) --------------------------------------------------------------------------

    def draw(self, seat: int, count: int) -> int:
        """Draw up to so many cards; how many came."""
        came = 0
        while came < count:
            if not self.pile:
                if not self.lead_at:
                    break
                self.shuffles += 1
                self.pile = reshuffled(self.shuffles, self.discard[: self.lead_at])
                self.discard, self.lead_at = self.discard[self.lead_at :], 0
            self.hands[seat].append(self.pile.pop(0))
            came += 1
        if came:
            self.lapse(seat)
            self.by_play.discard(seat)
            self.by_stage.discard(seat)
            self.barren.clear()
            if seat in self.waiting:
                self.waiting.remove(seat)
        return came

    def lapse(self, seat: int) -> None:
        self.said.discard(seat)
        self.owes.pop(seat, None)

    # --- calls (10.x) ----------------------------------------------------------------------------

    def call(self, seat: int, say_last: bool) -> None:
        if say_last and len(self.hands[seat]) == 1:
            self.said.add(seat)
            self.owes.pop(seat, None)

    def penalty(self, seat: int) -> None:
        self.draw(seat, self.option("last_card_penalty"))
        self.owes.pop(seat, None)

    def act(self, seat: int) -> None:
        """A turn action begins: the time of the others to call is over (10.3), strikes are forgotten (22.14)."""
        self.strikes[seat] = 0
        self.settle_calls(seat)

    def settle_calls(self, seat: int) -> None:
        if self.option("last_card_deadline") != "next_action":
            return
        for other in self.after(seat):
            if other in self.owes:
                if self.option("last_card_mode") == "auto":
                    self.penalty(other)
                else:
                    del self.owes[other]

    def owe(self, seat: int) -> None:
        """The duty arises where the turn's action is over with one card left by playing (10.1, 10.7, 22.31)."""
        if self.over or len(self.hands[seat]) != 1 or seat in self.said or seat in self.owes:
            return
        if self.turn == seat and self.owed in ("king", "plus"):
            return
        if seat in self.by_play or (self.option("stage_one_declare") and seat in self.by_stage):
            self.owes[seat] = self.now

    # --- matching --------------------------------------------------------------------------------

    def answers_stack(self, card: str) -> bool:
        return symbol_of(card) == "plus2" or (card == "king" and bool(self.option("king_cancels_plus2")))

    def continues(self, card: str) -> bool:
        return self.open is not None and (color_of(card) == self.open or card == "super-taki")

    def matches(self, card: str) -> bool:
        color = color_of(card)
        if color is None:
            return True
        if self.open and color != self.open and self.option("open_taki_other_color") == "forbid":
            return False
        return self.lead[0] in ("any", color) or self.lead[1] == symbol_of(card)

    def can_play(self, seat: int) -> bool:
        return any(card != "breaker" and self.matches(card) for card in self.hands[seat])
