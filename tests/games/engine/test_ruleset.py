from typing import Any

import msgspec
import pytest

from games.engine.ruleset import PRESETS, Ruleset, RulesetFault, most_seats, options_of, ruleset_from


def fault(options: dict[str, Any], preset: str = "taki_116") -> tuple[str, str]:
    with pytest.raises(RulesetFault) as caught:
        ruleset_from(options, preset)
    return caught.value.code, caught.value.field


def test_the_defaults_are_those_of_the_rules() -> None:
    assert options_of(ruleset_from({})) == {
        "mode": "single", "tournament_stages": 8, "deck": "116", "hand_size": 8, "first_player": "youngest",
        "opening_lead": "ignore_action", "opening_colorless": "redraw_bottom", "reverse_two_players": "pass",
        "draw_when_playable": "allow", "play_drawn_card": "next_turn", "king_cancels_plus2": True,
        "win_on_plus2": "immediate", "plus3_window": "holders_only", "plus3_window_seconds": 15,
        "king_on_plus3": "cancel_all", "plus3_last_card": "immediate", "king_lead": "any", "king_decline": "free",
        "win_on_plus": False, "plus_must_play": True, "taki_run_length": "all", "left_open_last_action": "inert",
        "open_taki_other_color": "ends_run", "taki_on_taki_in_run": "no",
        "colorless_in_run": "super_taki_and_final_change_color", "super_taki_color": "lead", "last_card_mode": "auto",
        "last_card_deadline": "next_action", "last_card_penalty": 4, "catch_grace_ms": 200, "stage_one_declare": False,
        "turn_timeout_seconds": 60, "timeouts_before_forfeit": 3, "leaver_hand": "to_draw_pile",
        "last_remaining": "wins_by_forfeit",
    }  # fmt: skip


def test_the_presets_differ_from_the_defaults_as_the_rules_say() -> None:
    defaults = options_of(Ruleset())
    changed = {
        name: {key: value for key, value in options_of(ruleset_from({}, name)).items() if value != defaults[key]}
        for name in PRESETS
    }

    assert changed == {
        "taki_116": {},
        "tournament_116": {"mode": "tournament"},
        "classic_112": {"deck": "112_king"},
        "strict": {"draw_when_playable": "forbid", "plus3_window": "all_players"},
        "home": {"last_card_mode": "catch", "plus_must_play": False, "taki_run_length": "any"},
    }


def test_options_go_over_a_preset() -> None:
    rules = ruleset_from({"plus_must_play": True, "last_card_penalty": 1}, "home")

    assert (rules.plus_must_play, rules.last_card_penalty, rules.taki_run_length.value) == (True, 1, "any")


@pytest.mark.parametrize(
    "option",
    ["plus3_on_active_plus2", "plus3_skips_next", "plus3_stacking", "plus3_lead", "stage_continues_run", "play_on",
     "scoring", "crazy_card", "disconnect_grace_seconds"],
)  # fmt: skip
def test_an_option_that_is_not_offered_is_refused_by_name(option: str) -> None:
    assert fault({option: "on"}) == ("option_not_offered", option)


@pytest.mark.parametrize("options", [{"deck": "112_crazy"}, {"deck": "58"}, {"first_player": "previous_winner"}])
def test_a_value_that_is_not_offered_is_refused_by_name(options: dict[str, Any]) -> None:
    assert fault(options) == ("option_not_offered", next(iter(options)))


def test_a_preset_that_is_not_offered_or_unknown_is_refused() -> None:
    assert fault({}, "crazy_112") == ("option_not_offered", "preset")
    assert fault({}, "mine") == ("unknown_preset", "preset")


@pytest.mark.parametrize(
    "options",
    [
        {"tournament_stages": 0}, {"tournament_stages": 9}, {"hand_size": 2}, {"hand_size": 11}, {"mode": "league"},
        {"plus3_window_seconds": 0}, {"last_card_deadline": "seconds:0"}, {"last_card_deadline": "soon"},
        {"last_card_penalty": -1}, {"catch_grace_ms": -1}, {"turn_timeout_seconds": -1},
        {"turn_timeout_seconds": 14 * 24 * 3600 + 1}, {"timeouts_before_forfeit": -1}, {"win_on_plus": "yes"},
        {"hand_size": "8"}, {"hand_size": 8.0}, {"king_cancels_plus2": 1}, {"deck": 116},
    ],
)  # fmt: skip
def test_an_impossible_value_is_refused_with_its_option(options: dict[str, Any]) -> None:
    assert fault(options) == ("impossible_option", next(iter(options)))


def test_the_hand_size_belongs_to_single_mode() -> None:
    assert fault({"hand_size": 8}, "tournament_116") == ("impossible_option", "hand_size")


def test_an_unknown_option_is_refused() -> None:
    assert fault({"hand-size": 8}) == ("unknown_option", "hand-size")


def test_stages_take_the_place_of_the_hand_size() -> None:
    assert ruleset_from({"hand_size": 5}).dealt() == 5
    assert ruleset_from({"mode": "tournament", "tournament_stages": 3}).dealt() == 3


def test_every_offered_deck_serves_ten_players() -> None:
    assert {most_seats(ruleset_from({"hand_size": 10, "deck": deck})) for deck in ("116", "112_king", "110")} == {10}


def test_a_deadline_in_seconds_is_told_in_milliseconds() -> None:
    assert ruleset_from({"last_card_deadline": "seconds:12"}).last_card_ms() == 12_000
    assert Ruleset().last_card_ms() is None


def test_fourteen_days_and_none_are_clocks() -> None:
    assert ruleset_from({"turn_timeout_seconds": 0}).turn_timeout_seconds == 0
    assert ruleset_from({"turn_timeout_seconds": 14 * 24 * 3600}).turn_timeout_seconds == 1_209_600


def test_a_ruleset_survives_json() -> None:
    rules = ruleset_from({"deck": "110", "king_lead": "keep"}, "home")

    assert msgspec.json.decode(msgspec.json.encode(rules), type=Ruleset) == rules
