from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from msgspec import Struct

from games.engine.cards import DECK, codes_of, faces_of
from games.engine.events import DeckShuffled, GameStarted, HandDealt, LeadTurned
from games.engine.opening import Seating, deal_again, start
from games.engine.ruleset import Ruleset
from tests.games.engine.strategies import rulesets
from tests.games.engine.tables import A, B, C, kinds, rules


class Stacked(Struct, frozen=True):
    """Chance that deals from the deck in canonical order, but turns these cards after so many are dealt."""

    turned: str = "red-9"
    dealt: int = 24
    drawn: int = 0

    def shuffle(self, number: int, cards: bytes) -> bytes:
        turned = faces_of(self.turned.split())
        rest = list(cards)
        for face in turned:
            rest.remove(face)
        return bytes(rest[: self.dealt]) + turned + bytes(rest[self.dealt :])

    def pick(self, count: int) -> int:
        return self.drawn


def seating(years: tuple[int | None, ...] = (None, None, None)) -> Seating:
    return Seating(
        players=tuple(UUID(int=seat + 1) for seat in range(len(years))),
        client_seeds=(None,) * len(years),
        birth_years=years,
        commitment="0",
        preset="taki_116",
    )


def lead_of(turned: str, first: int | None = None, **options: Any) -> LeadTurned:
    event = start(rules(**options), seating(), Stacked(turned), 0, first).events[-1]
    assert isinstance(event, LeadTurned)
    return event


def test_a_start_is_told_in_the_order_of_chance() -> None:
    decision = start(Ruleset(), seating(), Stacked(), 9)

    assert kinds(decision) == ["GameStarted", "DeckShuffled", "HandDealt", "HandDealt", "HandDealt", "LeadTurned"]
    assert decision.state.since == 9


def test_hands_are_dealt_one_card_at_a_time() -> None:
    events = start(rules(hand_size=3), seating(), Stacked(dealt=9), 0).events

    hands = [codes_of(event.cards) for event in events if isinstance(event, HandDealt)]
    assert hands == [
        ["red-1", "yellow-1", "blue-1"], ["red-1", "green-1", "blue-1"], ["yellow-1", "green-1", "red-3"],
    ]  # fmt: skip


def test_the_whole_deck_stands_in_one_hidden_event() -> None:
    shuffled = start(Ruleset(), seating(), Stacked(), 0).events[1]

    assert isinstance(shuffled, DeckShuffled)
    assert sorted(shuffled.cards) == sorted(DECK[Ruleset().deck])


@pytest.mark.parametrize("card", ["red-stop", "red-plus2", "red-reverse", "red-plus", "red-taki"])
def test_a_turned_action_counts_as_color_and_symbol_alone(card: str) -> None:
    lead = lead_of(card, first=B)

    assert (lead.turn, lead.plus2, lead.direction) == (B, 0, 1)
    assert f"{lead.lead.color.value}-{lead.lead.symbol.value}" == card


def test_colorless_cards_go_to_the_bottom_in_the_order_turned() -> None:
    decision = start(Ruleset(), seating(), Stacked("king change-color red-4"), 0)

    assert codes_of(decision.state.draw_pile[-2:]) == ["king", "change-color"]
    assert codes_of(decision.state.discard) == ["red-4"]


def test_only_a_number_stays_where_the_rules_say_so() -> None:
    lead = lead_of("red-stop king blue-4", opening_lead="number_only")

    assert (lead.card, codes_of(lead.returned)) == ("blue-4", ["red-stop", "king"])


def test_applied_actions_act_as_if_the_player_before_had_played_them() -> None:
    options = {"opening_lead": "apply_action"}

    assert lead_of("red-stop", first=C, **options).turn == A
    assert lead_of("red-plus2", first=C, **options).plus2 == 2
    assert (lead_of("red-reverse", first=B, **options).turn, lead_of("red-reverse", first=B, **options).direction) == (
        B, -1,
    )  # fmt: skip
    assert (lead_of("red-taki", first=B, **options).turn, lead_of("red-plus", first=B, **options).turn) == (B, B)


def test_a_colorless_opening_may_leave_the_first_play_free() -> None:
    lead = lead_of("change-color", opening_colorless="free_first_play")

    assert (lead.card, lead.lead.color.value, lead.lead.symbol.value) == ("change-color", "any", "change-color")


@pytest.mark.parametrize(
    "years,drawn,first,was_drawn",
    [
        ((1990, 2010, 2001), 0, B, False),
        ((2010, 2010, 2001), 2, A, False),
        ((1990, 2010, None), 2, C, True),
        ((None, None, None), 1, B, True),
    ],
)
def test_the_youngest_goes_first_or_the_seat_drawn(
    years: tuple[int | None, ...], drawn: int, first: int, was_drawn: bool
) -> None:
    started = start(Ruleset(), seating(years), Stacked(drawn=drawn), 0).events[0]

    assert isinstance(started, GameStarted)
    assert (started.first, started.drawn) == (first, was_drawn)


def test_the_rules_may_draw_the_first_player_or_take_seat_zero() -> None:
    years = (1990, 2010, 2001)

    assert start(rules(first_player="random"), seating(years), Stacked(drawn=C), 0).state.turn == C
    assert start(rules(first_player="seat_zero"), seating(years), Stacked(drawn=C), 0).state.turn == A


@given(rulesets())
def test_a_recorded_start_is_dealt_again_the_same(chosen: Ruleset) -> None:
    chance = Stacked(dealt=3 * chosen.dealt())
    events = start(chosen, seating((2000, 2001, 2002)), chance, 5).events

    started = events[0]
    assert isinstance(started, GameStarted)
    assert deal_again(started, chance, 5) == events
