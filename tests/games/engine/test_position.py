import json
from random import Random
from typing import Any

import pytest
from hypothesis import given

from bench.tables import random_position, random_rules
from games.engine.cards import CODE, DECK, codes_of
from games.engine.position import position_of, read_position
from games.engine.position_values import PositionFault
from games.engine.ruleset import Ruleset
from games.engine.state import Owed
from tests.games.engine.strategies import seeds
from tests.games.engine.tables import rules

TWO: dict[str, Any] = {
    "players": ["a", "b"],
    "hands": {"a": ["red-3", "yellow-1"], "b": ["green-1", "blue-1"]},
    "discard": ["blue-4", "red-5"],
}


def faulty(rules: Ruleset | None = None, **fields: Any) -> tuple[str, str]:
    with pytest.raises(PositionFault) as caught:
        read_position({**TWO, **fields}, rules or Ruleset())
    return caught.value.field, caught.value.code


def test_a_position_has_its_defaults() -> None:
    placed = read_position(TWO, Ruleset())

    state = placed.state
    assert placed.names == ("a", "b")
    assert (state.turn, state.direction, state.plus2, state.open_taki, state.owed) == (0, 1, 0, None, None)
    assert (state.lead.color.value, state.lead.symbol.value, state.lead_at) == ("red", "5", 1)


def test_an_absent_draw_pile_is_the_rest_of_the_deck_in_canonical_order() -> None:
    pile = read_position(TWO, Ruleset()).state.draw_pile

    assert len(pile) == 116 - 6
    assert list(pile) == sorted(pile)
    assert codes_of(pile[:4]) == ["red-1", "red-1", "yellow-1", "green-1"]


def test_a_short_draw_pile_is_a_table_with_fewer_cards() -> None:
    state = read_position({**TWO, "draw_pile": ["king", "red-9"]}, Ruleset()).state

    assert codes_of(state.draw_pile) == ["king", "red-9"]


def test_a_lead_is_taken_from_its_field_and_a_colorless_top_leaves_any() -> None:
    named = read_position({**TWO, "lead": {"color": "green", "symbol": "plus2"}}, Ruleset()).state.lead
    bare = read_position({**TWO, "discard": ["king"]}, Ruleset()).state.lead

    assert (named.color.value, named.symbol.value) == ("green", "plus2")
    assert (bare.color.value, bare.symbol.value) == ("any", "king")


def test_the_symbol_of_a_number_card_may_be_written_as_a_number() -> None:
    lead = read_position({**TWO, "lead": {"color": "green", "symbol": 7}}, Ruleset()).state.lead

    assert (lead.color.value, lead.symbol.value) == ("green", "7")


def test_absent_stages_are_the_highest_for_all_and_named_ones_stand() -> None:
    three = rules(mode="tournament", tournament_stages=3)

    assert read_position(TWO, three).state.tally.stages == (3, 3)
    assert read_position({**TWO, "stages": {"b": 1}}, three).state.tally.stages == (3, 1)


def test_a_card_kept_for_an_open_king_counts_as_reached_by_play() -> None:
    hands = {"a": ["red-3"], "b": ["green-1"]}
    state = read_position({**TWO, "hands": hands, "owed": "king"}, Ruleset()).state

    assert (state.owed, state.calls.by_play) == (Owed.KING, 0b01)


def test_a_call_owed_is_owed_from_the_moment_of_the_position() -> None:
    hands = {"a": ["red-3"], "b": ["green-1"]}
    state = read_position({**TWO, "hands": hands, "must_say": ["b"], "declared": ["a"]}, Ruleset(), at=70).state

    assert (state.calls.owes, state.calls.said, state.calls.since[1], state.since) == (0b10, 0b01, 70, 70)


def test_an_empty_hand_waits_for_its_win_while_a_stack_holds_it_back() -> None:
    held = rules(win_on_plus2="after_stack_resolved")
    fields = {**TWO, "hands": {"a": ["red-3"], "b": []}, "discard": ["red-plus2"], "plus2": 2}

    assert read_position(fields, held).state.tally.waiting == (1,)


@pytest.mark.parametrize(
    "fields,field,code",
    [
        ({"draw": []}, "/draw", "unknown_field"),
        ({"players": None}, "/players", "missing_field"),
        ({"players": "ab"}, "/players", "wrong_type"),
        ({"players": ["a"]}, "/players", "out_of_range"),
        ({"players": [f"p{n}" for n in range(11)]}, "/players", "out_of_range"),
        ({"players": ["a", "a"]}, "/players/1", "duplicate_player"),
        ({"players": ["a", 2]}, "/players/1", "wrong_type"),
        ({"players": ["a", ""]}, "/players/1", "too_short"),
        ({"players": ["a", "b" * 61]}, "/players/1", "too_long"),
        ({"hands": None}, "/hands", "missing_field"),
        ({"hands": [["red-3"]]}, "/hands", "wrong_type"),
        ({"hands": {"a": ["red-3"]}}, "/hands/b", "missing_field"),
        ({"hands": {"a": ["red-3"], "b": [], "z": []}}, "/hands/z", "unknown_player"),
        ({"hands": {"a": ["red-3"], "b": []}}, "/hands/b", "no_cards"),
        ({"hands": {"a": "red-3", "b": ["red-4"]}}, "/hands/a", "wrong_type"),
        ({"hands": {"a": ["red-3", "red-2"], "b": ["red-4"]}}, "/hands/a/1", "unknown_card"),
        ({"hands": {"a": ["red-3", 7], "b": ["red-4"]}}, "/hands/a/1", "wrong_type"),
        ({"hands": {"a": ["red-3", "red-3"], "b": ["red-3"]}}, "/hands/b/0", "too_many_cards"),
        ({"discard": ["red-3", "red-3"]}, "/discard/1", "too_many_cards"),
        ({"draw_pile": ["change-color"] * 5}, "/draw_pile/4", "too_many_cards"),
        ({"discard": []}, "/discard", "no_cards"),
        ({"discard": None}, "/discard", "missing_field"),
        ({"discard": ["red"]}, "/discard/0", "unknown_card"),
        ({"draw_pile": "none"}, "/draw_pile", "wrong_type"),
        ({"lead": "red-5"}, "/lead", "wrong_type"),
        ({"lead": {"color": "red"}}, "/lead/symbol", "missing_field"),
        ({"lead": {"color": "pink", "symbol": "5"}}, "/lead/color", "not_a_choice"),
        ({"lead": {"color": "red", "symbol": "2"}}, "/lead/symbol", "not_a_choice"),
        ({"lead": {"color": "red", "symbol": 5.0}}, "/lead/symbol", "wrong_type"),
        ({"lead": {"color": "red", "symbol": "5", "card": 1}}, "/lead/card", "unknown_field"),
        ({"lead_index": 2}, "/lead_index", "out_of_range"),
        ({"lead_index": -1}, "/lead_index", "out_of_range"),
        ({"lead_index": "0"}, "/lead_index", "wrong_type"),
        ({"lead_index": 0}, "/lead_index", "lead_covered"),
        ({"turn": "z"}, "/turn", "unknown_player"),
        ({"turn": 0}, "/turn", "wrong_type"),
        ({"direction": 0}, "/direction", "not_a_choice"),
        ({"direction": 2}, "/direction", "not_a_choice"),
        ({"direction": True}, "/direction", "wrong_type"),
        ({"direction": "1"}, "/direction", "wrong_type"),
        ({"plus2": -2}, "/plus2", "out_of_range"),
        ({"plus2": 234}, "/plus2", "out_of_range"),
        ({"plus2": 3}, "/plus2", "odd_number"),
        ({"plus2": 2.0}, "/plus2", "wrong_type"),
        ({"open_taki": "any"}, "/open_taki", "not_a_choice"),
        ({"open_taki": True}, "/open_taki", "wrong_type"),
        ({"owed": "stop"}, "/owed", "not_a_choice"),
        ({"owed": "drawn"}, "/owed", "drawn_not_playable"),
        ({"owed": "king", "plus2": 2}, "/owed", "owed_on_stack"),
        ({"owed": "plus", "plus2": 2}, "/owed", "owed_on_stack"),
        ({"must_say": "a"}, "/must_say", "wrong_type"),
        ({"must_say": ["z"]}, "/must_say/0", "unknown_player"),
        ({"must_say": ["a"]}, "/must_say/0", "needs_one_card"),
        ({"declared": [["a"]]}, "/declared/0", "wrong_type"),
        ({"stages": {"a": 3}}, "/stages", "stages_in_single_mode"),
    ],
)
def test_an_impossible_position_is_refused_with_the_field_named(fields: dict[str, Any], field: str, code: str) -> None:
    assert faulty(**fields) == (field, code)


@pytest.mark.parametrize(
    "stages,field,code",
    [
        ({"a": 9}, "/stages/a", "out_of_range"),
        ({"a": 0}, "/stages/a", "out_of_range"),
        ({"a": 4.0}, "/stages/a", "wrong_type"),
        ({"z": 4}, "/stages/z", "unknown_player"),
        ([4, 4], "/stages", "wrong_type"),
    ],
)
def test_an_impossible_stage_is_refused_with_the_player_named(stages: object, field: str, code: str) -> None:
    assert faulty(rules(mode="tournament"), stages=stages) == (field, code)


def test_a_stage_above_those_of_the_rules_is_refused() -> None:
    assert faulty(rules(mode="tournament", tournament_stages=3), stages={"a": 4}) == ("/stages/a", "out_of_range")


def test_a_card_that_the_deck_does_not_have_is_one_too_many() -> None:
    assert faulty(rules(deck="112_king"), discard=["plus3"]) == ("/discard/0", "too_many_cards")
    assert faulty(rules(deck="110"), discard=["king"]) == ("/discard/0", "too_many_cards")


def test_who_has_called_does_not_owe_the_call() -> None:
    hands = {"a": ["red-3"], "b": ["green-1"]}

    assert faulty(hands=hands, must_say=["a"], declared=["a"]) == ("/must_say", "called_and_owed")


def test_a_name_with_a_slash_is_escaped_in_the_pointer() -> None:
    hands = {"a/b": ["red-3"]}

    assert faulty(players=["a/b", "c~d"], hands=hands) == ("/hands/c~0d", "missing_field")


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(PositionFault, match="wrong_type"):
        read_position(["a"], Ruleset())


def test_a_fault_says_itself_in_one_line() -> None:
    fault = PositionFault("/discard/1", "too_many_cards", card="red-3", most=2)

    assert str(fault) == "/discard/1: too_many_cards (card: red-3, most: 2)"


@given(seeds)
def test_a_table_written_as_a_position_is_read_as_the_same_table(seed: int) -> None:
    random = Random(seed)
    chosen = random_rules(random)
    placed = read_position(random_position(random, chosen), chosen)

    written = json.loads(json.dumps(position_of(placed.state, placed.names)))

    assert read_position(written, chosen) == placed


def test_every_card_of_the_deck_can_be_placed() -> None:
    position = {
        **TWO,
        "hands": {"a": ["red-1"], "b": ["red-1"]},
        "discard": list(map(CODE.__getitem__, DECK[Ruleset().deck][2:])),
    }

    assert read_position({**position, "lead_index": 113}, Ruleset()).state.draw_pile == b""
