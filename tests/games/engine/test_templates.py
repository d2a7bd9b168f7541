from typing import Any

import msgspec

from games.engine.commands import Leave
from games.engine.state import State
from games.engine.templates import CatchMove, DrawMove, PassMove, PlayMove, SayLastMove, legal_moves
from tests.games.engine.tables import A, B, C, after, play, table


def shown(state: State, seat: int, now: int = 0) -> Any:
    """As clients read them."""
    return msgspec.json.decode(msgspec.json.encode(legal_moves(state, seat, now)))


def test_plain_cards_a_color_to_name_and_the_draw() -> None:
    assert shown(table(a="red-1 blue-3 change-color", b="red-3"), A) == [
        {"type": "play", "card": "red-1"},
        {"type": "play", "card": "change-color", "needs": ["color"]},
        {"type": "draw", "count": 1},
    ]


def test_a_run_lists_what_may_follow_what_must_and_what_may_end_it() -> None:
    state = table(a="red-taki red-3 red-stop super-taki change-color blue-1", b="red-3")

    assert shown(state, A)[0] == {
        "type": "play",
        "card": "red-taki",
        "run": {
            "color": "red",
            "begins": True,
            "cards": ["red-3", "red-stop", "super-taki"],
            "required": ["red-3", "red-stop"],
            "may_end_with": ["change-color"],
        },
    }


def test_a_continued_run_requires_nothing() -> None:
    state = table(a="red-3 red-4 blue-1", b="red-6", open_taki="red")

    assert shown(state, A)[0]["run"] == {
        "color": "red", "begins": False, "cards": ["red-4"], "required": [], "may_end_with": [],
    }  # fmt: skip


def test_a_super_taki_on_any_lead_has_a_template_for_each_color() -> None:
    state = table(a="super-taki red-3", b="red-6", discard="king", lead={"color": "any", "symbol": "king"})

    moves = [move for move in shown(state, A) if move.get("card") == "super-taki"]

    assert [move["run"]["color"] for move in moves] == ["red", "yellow", "green", "blue"]
    assert all(move["needs"] == ["run_color"] for move in moves)
    assert [move["run"]["required"] for move in moves] == [["red-3"], [], [], []]


def test_two_equal_cards_give_one_template_and_two_entries_in_a_run() -> None:
    assert [move["card"] for move in shown(table(a="red-1 red-1", b="red-3"), A)[:-1]] == ["red-1"]
    run = shown(table(a="red-taki red-1 red-1 blue-3", b="red-3"), A)[0]["run"]
    assert run["cards"] == ["red-1", "red-1"]


def test_on_a_stack_the_draw_is_the_whole_of_it() -> None:
    state = table(a="red-plus2 red-3", b="red-4", discard="blue-plus2", plus2=6)

    assert legal_moves(state, A, 0) == [PlayMove("red-plus2"), DrawMove(6)]


def test_on_a_stack_over_an_open_taki_a_run_is_one_card() -> None:
    options = {"left_open_last_action": "acts"}
    state = table(options, a="red-plus2 red-3", b="red-4", discard="red-plus2", plus2=2, open_taki="red")

    assert shown(state, A)[0]["run"]["cards"] == []


def test_after_a_king_one_plays_or_passes() -> None:
    assert legal_moves(table(a="blue-1 blue-3", b="red-4", owed="king"), A, 0) == [
        PlayMove("blue-1"),
        PlayMove("blue-3"),
        PassMove(),
    ]


def test_after_a_plus_one_draws_only_without_a_playable_card() -> None:
    fields: dict[str, Any] = {"b": "red-4", "discard": "red-plus", "owed": "plus"}

    assert DrawMove(1) not in legal_moves(table(a="red-1 blue-3", **fields), A, 0)
    assert DrawMove(1) in legal_moves(table(a="breaker blue-3", **fields), A, 0)


def test_answers_say_that_they_are_answers() -> None:
    state = after(table(a="plus3 red-3 red-4", b="king red-6", c="breaker red-7"), play(A, "plus3"))

    assert shown(state, A) == []
    assert shown(state, B) == [{"type": "play", "card": "king", "answer": True}, {"type": "pass", "answer": True}]
    assert shown(state, C) == [{"type": "play", "card": "breaker", "answer": True}, {"type": "pass", "answer": True}]


def test_anyone_with_one_card_may_call_and_others_catch() -> None:
    state = after(table({"last_card_mode": "catch"}, a="red-1 blue-1", b="red-6"), play(A, "red-1"))

    assert legal_moves(state, A, 500) == [SayLastMove()]
    assert legal_moves(state, B, 500)[-2:] == [SayLastMove(), CatchMove(A)]
    assert CatchMove(A) not in legal_moves(state, B, 100)


def test_whoever_is_out_and_everybody_after_the_end_has_no_moves() -> None:
    left = after(table(a="red-1 red-3", b="red-4", c="red-6"), Leave(C))
    over = after(table(a="red-1", b="red-4"), play(A, "red-1"))

    assert legal_moves(left, C, 0) == []
    assert [legal_moves(over, seat, 0) for seat in (A, B)] == [[], []]


def test_a_run_that_takis_may_turn_lists_each_color() -> None:
    state = table({"taki_on_taki_in_run": "while_only_takis"}, a="red-taki blue-taki blue-3 red-4", b="red-3")

    assert shown(state, A)[0]["run"]["turns_to"] == [
        {"color": "blue", "cards": ["blue-taki", "blue-3"], "required": ["blue-taki", "blue-3"]}
    ]
