import pytest

from games.engine.refusals import REFUSALS, MustPlayAll, Refusal

IN_ORDER = [
    "game_over",
    "not_in_game",
    "window_closed",
    "card_not_in_hand",
    "awaiting_plus3",
    "not_waited_for",
    "not_your_turn",
    "must_answer_plus2",
    "already_played",
    "cannot_pass",
    "card_does_not_match",
    "only_one_card",
    "color_required",
    "not_in_taki_color",
    "color_not_allowed",
    "taki_cannot_be_closed",
    "must_play_all",
    "must_play_second_card",
    "must_play",
    "nothing_to_declare",
    "already_declared",
    "nothing_to_catch",
]


def test_the_codes_are_those_of_the_rules_in_their_order() -> None:
    assert [refusal.code for refusal in REFUSALS] == IN_ORDER


def test_every_refusal_stands_in_the_list() -> None:
    assert set(Refusal.__subclasses__()) == set(REFUSALS)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.code)
def test_a_refusal_cites_its_rule(refusal: type[Refusal]) -> None:
    assert refusal().params == {"rule": refusal.rule}


def test_a_refusal_carries_what_its_explanation_needs() -> None:
    assert MustPlayAll(cards=["red-3"], color="red").params == {"rule": "8.2", "cards": ["red-3"], "color": "red"}
