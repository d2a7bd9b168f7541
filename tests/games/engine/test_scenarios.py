import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.tables import VALUES
from games.engine.ruleset import PRESETS, Ruleset
from games.engine.scenarios import Unreadable, main, read_scenarios, run_scenario, scenario_files

COLLECTION = Path(__file__).parents[2] / "scenarios"
SCENARIOS = [raw for path in scenario_files([COLLECTION]) for raw in read_scenarios(path)]
DECISIONS = {
    1: 5,
    2: 6,
    3: 10,
    4: 13,
    5: 7,
    6: 8,
    7: 7,
    8: 22,
    9: 5,
    10: 12,
    11: 5,
    12: 3,
    13: 7,
    14: 12,
    15: 9,
    22: 37,
}
"""How many numbered decisions each question has."""

FIRST = """
- id: one
  rule: B22
  position:
    players: [a, b]
    hands: {a: [red-3, yellow-1, green-1], b: [blue-1]}
    discard: [red-5]
  when:
    - {by: a, do: play, cards: [red-3]}
  then: {turn: b}
"""


def fields_of(raw: object) -> dict[str, Any]:
    assert isinstance(raw, dict)
    return raw


def scenario(**fields: Any) -> dict[str, Any]:
    """A scenario that passes, with some fields changed."""
    position = {
        "players": ["a", "b"],
        "hands": {"a": ["red-3", "yellow-1", "green-1"], "b": ["blue-1", "red-9"]},
        "discard": ["red-5"],
    }
    return {"id": "x", "rule": "B22", "position": position, "when": [], "then": {}, **fields}


def failures(**fields: Any) -> list[tuple[str, str, str]]:
    return [(failure.step, failure.expected, failure.came) for failure in run_scenario(scenario(**fields))]


def run(tmp_path: Path, text: str) -> int:
    file = tmp_path / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    return main([str(file)])


# --- the collection ------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", SCENARIOS, ids=lambda raw: str(raw["id"]))
def test_the_collection_passes(raw: object) -> None:
    assert run_scenario(raw) == []


def test_every_scenario_has_a_name_of_its_own() -> None:
    names = Counter(fields_of(raw)["id"] for raw in SCENARIOS)

    assert [name for name, count in names.items() if count > 1] == []


def test_every_numbered_decision_has_a_scenario() -> None:
    shown = {number.strip() for raw in SCENARIOS for number in str(fields_of(raw)["rule"]).split(",")}

    assert [f"{q}.{n}" for q, count in DECISIONS.items() for n in range(1, count + 1) if f"{q}.{n}" not in shown] == []


def test_every_value_of_every_option_has_two_scenarios() -> None:
    options = [item for raw in SCENARIOS for item in (fields_of(raw).get("ruleset") or {}).items()]
    counted = Counter((name, str(value)) for name, value in options)
    few = {
        (name, str(value.value if hasattr(value, "value") else value))
        for name, values in VALUES.items()
        if name not in ("last_card_deadline", "hand_size", "tournament_stages")
        for value in values
        if isinstance(value, bool) or hasattr(value, "value")
    }
    numbers = {
        ("tournament_stages", "1"), ("tournament_stages", "3"), ("tournament_stages", "8"), ("hand_size", "3"),
        ("hand_size", "10"), ("last_card_deadline", "next_action"), ("last_card_deadline", "seconds:5"),
        ("last_card_penalty", "0"), ("last_card_penalty", "1"), ("last_card_penalty", "4"), ("catch_grace_ms", "0"),
        ("catch_grace_ms", "200"), ("plus3_window_seconds", "15"), ("turn_timeout_seconds", "0"),
        ("turn_timeout_seconds", "60"), ("timeouts_before_forfeit", "0"), ("timeouts_before_forfeit", "1"),
        ("timeouts_before_forfeit", "3"),
    }  # fmt: skip

    assert sorted(value for value in few | numbers if counted[value] < 2) == []


def test_every_option_and_preset_is_shown() -> None:
    named = {name for raw in SCENARIOS for name in fields_of(raw).get("ruleset") or {}}
    presets = {(fields_of(raw).get("ruleset") or {}).get("preset") for raw in SCENARIOS}

    assert {field.name for field in msgspec.structs.fields(Ruleset)} <= named
    assert set(PRESETS) <= presets


# --- the command line ----------------------------------------------------------------------------


def test_the_last_line_counts_and_the_status_is_zero_if_all_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIRST) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_a_failing_scenario_is_named_with_step_expectation_and_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FIRST + FIRST.replace("id: one", "id: two").replace("{turn: b}", "{turn: a, plus2: 2}")

    assert run(tmp_path, text) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("FAILED two (")
    assert lines[0].endswith(", rule B22)")
    assert lines[1:4] == ["  then: turn", "    expected: a", "    came:     b"]
    assert lines[4:7] == ["  then: plus2", "    expected: 2", "    came:     0"]
    assert lines[-1] == "1 passed, 1 failed"


def test_folders_are_searched_through_and_counted_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "one.yaml").write_text(FIRST)
    (tmp_path / "deep" / "deeper" / "two.yml").write_text(FIRST)
    (tmp_path / "README.md").write_text("# no scenarios")

    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed"


@pytest.mark.parametrize(
    "text",
    [
        "{a: 1}",
        "just text",
        "- [",
        "- {id: a, id: b}",
        "- {then: {turn: a, turn: b}}",
        "\t- x",
        "- !!python/name:os.system x",
    ],
)
def test_what_is_no_list_of_scenarios_has_status_two_and_a_message(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, text) == 2

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("cannot read ")
    assert "cases.yaml" in printed.err


def test_a_missing_file_and_a_folder_without_scenarios_have_status_two(tmp_path: Path) -> None:
    assert main([str(tmp_path / "none.yaml")]) == 2
    assert main([str(tmp_path)]) == 2
    assert main([]) == 2


def test_bytes_that_are_no_text_have_status_two(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(Unreadable):
        read_scenarios(tmp_path / "x.yaml")


def test_an_empty_file_holds_no_scenarios(tmp_path: Path) -> None:
    assert run(tmp_path, "# nothing yet\n") == 0


def test_the_option_value_no_stays_a_text(tmp_path: Path) -> None:
    assert run(tmp_path, FIRST + "  ruleset: {taki_on_taki_in_run: no, king_cancels_plus2: false}\n") == 0


def test_scenarios_run_without_django_or_settings(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(FIRST)
    program = (
        "import sys; from games.engine.scenarios import main; status = main(sys.argv[1:]); "
        "sys.exit(status or any(name.split('.')[0] in ('django', 'psycopg') for name in sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False, capture_output=True)

    assert (done.returncode, done.stdout) == (0, b"1 passed, 0 failed\n")


# --- what a scenario may say ---------------------------------------------------------------------


def test_a_refusal_has_to_come_and_to_have_the_code() -> None:
    draw = {"by": "b", "do": "draw"}

    assert failures(when=[{**draw, "reject": "not_your_turn"}]) == []
    assert failures(when=[draw])[0][1:] == ("accepted", "refused with not_your_turn {'rule': 'B28', 'turn': 0}")
    assert failures(when=[{**draw, "reject": "game_over"}])[0][1].endswith("game_over")
    assert failures(when=[{"by": "a", "do": "draw", "reject": "game_over"}])[0][2] == "accepted"


def test_a_failing_step_is_shown_as_written() -> None:
    step = failures(when=[{"by": "a", "do": "draw"}, {"by": "a", "do": "play", "cards": ["red-3"], "close": True}])[0][
        0
    ]

    assert step == "step 2 {by: a, do: play, cards: [red-3], close: true}"


def test_a_timeout_may_name_whose_turn_it_must_be() -> None:
    assert failures(when=[{"do": "timeout", "for": "a"}], then={"turn": "b", "hand_counts": {"a": 4}}) == []
    assert failures(when=[{"do": "timeout", "for": "b"}])[0][1:] == ("the turn of b", "the turn of a")


def test_a_clock_that_has_run_out_acts_before_the_next_command() -> None:
    late = [{"by": "a", "do": "draw", "at_ms": 60_001, "reject": "not_your_turn"}]

    assert failures(when=late, then={"turn": "b", "hand_counts": {"a": 4}}) == []


def test_a_timeout_at_a_moment_when_the_clock_has_run_out_happens_once() -> None:
    assert failures(when=[{"do": "timeout", "at_ms": 60_001}], then={"turn": "b", "hand_counts": {"b": 2}}) == []


def test_hands_compare_whatever_their_order() -> None:
    assert failures(then={"hands": {"a": ["green-1", "red-3", "yellow-1"]}}) == []
    assert failures(then={"hands": {"a": ["green-1", "red-3"]}})[0][0] == "then: hands/a"


@pytest.mark.parametrize(
    "then",
    [
        {"turn": "b"}, {"direction": -1}, {"plus2": 2}, {"open_taki": "red"}, {"owed": "king"}, {"window": "a"},
        {"hand_counts": {"a": 2}}, {"hands": {"b": []}}, {"winner": "a"}, {"ended": "won"}, {"must_say": ["a"]},
        {"declared": ["b"]}, {"stages": {"a": 8}}, {"draw_count": 1}, {"top": "red-3"}, {"left": ["a"]},
        {"lead": {"color": "blue"}}, {"lead": {"symbol": "3"}}, {"bottom_of_draw_pile": ["red-1"]}, {"hands_each": 3},
        {"discard": 2}, {"plus2": False}, {"draw_count": "110"},
    ],
)  # fmt: skip
def test_each_key_of_then_is_compared(then: dict[str, Any]) -> None:
    assert len(failures(then=then)) == 1


def test_what_holds_passes_key_by_key() -> None:
    then = {
        "turn": "a", "direction": 1, "plus2": 0, "open_taki": None, "owed": None, "window": None, "winner": None,
        "ended": None, "must_say": [], "declared": [], "draw_count": 110, "top": "red-5", "left": [], "discard": 1,
        "lead": {"color": "red", "symbol": 5}, "hand_counts": {"a": 3, "b": 2}, "stages": {},
        "bottom_of_draw_pile": ["change-color", "change-color"],
    }  # fmt: skip

    assert failures(then=then) == []


@pytest.mark.parametrize(
    "fields,where",
    [
        ({"note": "x"}, "scenario"),
        ({"id": None}, "id"),
        ({"ruleset": {"no_such": 1}}, "ruleset: no_such"),
        ({"ruleset": {"plus3_stacking": "on"}}, "ruleset: plus3_stacking"),
        ({"ruleset": {"king_lead": "lose"}}, "ruleset: king_lead"),
        ({"position": {"players": ["a", "b"], "hands": {"a": [], "b": []}}}, "position"),
        ({"position": ["a"]}, "position"),
        ({"position": {"players": 11}}, "position: players"),
        ({"position": {"players": ["a", "b"], "turned": ["red"]}}, "position: turned"),
        ({"position": {"players": ["a", "b"], "first": "z"}}, "position: first"),
        ({"position": {"players": ["a", "b"], "turned": [], "lead_index": 1}}, "position"),
        ({"when": {"by": "a"}}, "when"),
        ({"when": [{"by": "a", "do": "dance"}]}, "step 1"),
        ({"when": [{"do": "draw"}]}, "step 1"),
        ({"when": [{"by": "a", "do": "draw", "cards": ["red-3"]}]}, "step 1"),
        ({"when": [{"by": "a", "do": "timeout"}]}, "step 1"),
        ({"when": [{"by": "a", "do": "play"}]}, "step 1: cards"),
        ({"when": [{"by": "a", "do": "play", "cards": []}]}, "step 1"),
        ({"when": [{"by": "a", "do": "play", "cards": ["red-2"]}]}, "step 1: cards"),
        ({"when": [{"by": "a", "do": "play", "cards": ["red-3"], "color": "any"}]}, "step 1"),
        ({"when": [{"by": "a", "do": "play", "cards": ["red-3"], "close": "yes"}]}, "step 1"),
        ({"when": [{"by": "a", "do": "draw", "reject": "no_reason"}]}, "step 1"),
        ({"when": [{"by": "a", "do": "draw", "at_ms": -1}]}, "step 1"),
        ({"when": [{"by": "a", "do": "catch", "target": "z"}]}, "step 1: target"),
        ({"then": {"colour": "red"}}, "then"),
        ({"then": {"lead": {"shade": "red"}}}, "then: lead"),
        ({"then": {"hand_counts": {"z": 1}}}, "then: hand_counts"),
        ({"then": {"left": "a"}}, "then: left"),
    ],
)
def test_what_the_form_does_not_allow_fails_and_is_not_ignored(fields: dict[str, Any], where: str) -> None:
    assert failures(**fields)[0][0] == where


def test_a_position_that_cannot_be_is_refused_with_the_field() -> None:
    position = {**scenario()["position"], "hands": {"a": ["king"] * 3, "b": ["red-3"]}}

    assert "/hands/a/2: too_many_cards" in failures(position=position)[0][2]


def test_a_stranger_may_speak_and_is_refused() -> None:
    assert failures(when=[{"by": "z", "do": "draw", "reject": "not_in_game"}]) == []


# --- openings ------------------------------------------------------------------------------------


def test_a_scenario_without_a_position_is_about_the_deck() -> None:
    then = {"cards": 110, "per_color": 26, "colorless": 6, "numbers": [1, 3, 4, 5, 6, 7, 8, 9]}

    assert failures(position=None, ruleset={"deck": 110}, then=then) == []
    assert failures(position=None, then={"cards": 115})[0] == ("then: cards", "115", "116")
    assert failures(position=None, then={"turn": "a"})[0][0] == "then"
    assert failures(position=None, when=[{"by": "a", "do": "draw"}])[0][0] == "when"


def test_turned_cards_come_off_the_pile_in_order() -> None:
    position = {"players": ["a", "b"], "turned": ["king", "red-plus2", "blue-1"]}
    then = {"lead": {"color": "red", "symbol": "plus2"}, "bottom_of_draw_pile": ["king"], "draw_count": 99, "turn": "a"}

    assert failures(position=position, then=then) == []


def test_first_fixes_who_starts_and_drawn_what_chance_gives() -> None:
    players = ["a", "b", "c"]

    assert failures(position={"players": players, "first": "c"}, then={"turn": "c"}) == []
    assert failures(position={"players": players, "drawn": "b"}, then={"turn": "b"}) == []
    seat_zero = {"first_player": "seat_zero"}
    assert failures(position={"players": players, "drawn": "b"}, ruleset=seat_zero, then={"turn": "a"}) == []


def test_a_number_of_players_is_enough_for_a_deal() -> None:
    assert failures(position={"players": 10}, then={"hands_each": 8, "discard": 1, "draw_count": 35}) == []


def test_given_hands_are_dealt_and_the_game_can_be_played_on() -> None:
    given = ["red-3", "red-4", "red-5", "red-6", "red-7", "red-8", "red-9", "king"]
    position = {"players": ["a", "b"], "turned": ["red-1"], "hands": {"a": given}}
    when = [{"by": "a", "do": "play", "cards": ["red-9"]}]

    assert failures(position=position, when=when, then={"turn": "b", "hand_counts": {"a": 7, "b": 8}}) == []
    short = {**position, "hands": {"a": given[:3]}}
    assert failures(position=short)[0][0] == "position: hands/a"
