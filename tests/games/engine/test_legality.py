from typing import Any

import pytest

from games.engine.cards import codes_of
from games.engine.decide import decide
from games.engine.legality import NO_FACE, can_catch, can_play, continues_run, judge, starters
from games.engine.refusals import MustPlayAll, Refusal
from games.engine.state import State
from tests.games.engine.tables import CHANCE, A, B, after, play, table


def startable(state: State) -> str:
    return " ".join(codes_of(starters(state, state.hands[state.turn])))


def test_color_symbol_or_no_color_may_start() -> None:
    state = table(a="red-1 blue-5 blue-1 king super-taki breaker change-color plus3", b="red-3")

    assert startable(state) == "red-1 blue-5 king super-taki breaker change-color plus3"


def test_on_a_stack_only_plus2_and_king_start() -> None:
    hand = "red-1 blue-plus2 king super-taki breaker change-color plus3 red-taki"
    fields: dict[str, Any] = {"a": hand, "b": "red-3", "discard": "red-plus2", "plus2": 2}

    assert startable(table(**fields)) == "blue-plus2 king"
    assert startable(table({"king_cancels_plus2": False}, **fields)) == "blue-plus2"


def test_after_a_king_every_card_starts() -> None:
    assert startable(table(a="blue-1 green-stop", b="red-3", owed="king")) == "blue-1 green-stop"


def test_a_drawn_card_alone_starts() -> None:
    state = table({"play_drawn_card": "immediate"}, a="red-1 red-3", b="red-4", owed="drawn")

    assert startable(state) == "red-3"


def test_a_forbidden_other_color_does_not_start_and_colorless_does() -> None:
    fields: dict[str, Any] = {"a": "red-1 blue-5 blue-taki king", "b": "red-3", "open_taki": "red"}

    assert startable(table(**fields)) == "red-1 blue-5 king"
    assert startable(table({"open_taki_other_color": "forbid"}, **fields)) == "red-1 king"


def test_a_breaker_never_counts_as_playable() -> None:
    state = table(a="breaker blue-1", b="red-3")

    assert startable(state) == "breaker"
    assert not can_play(state, state.hands[A])


def test_the_color_and_super_takis_continue_an_open_taki() -> None:
    state = table(a="red-1 super-taki blue-taki", b="red-3", open_taki="red")

    assert [continues_run(state, face) for face in state.hands[A]] == [True, True, False]
    assert not continues_run(table(a="red-1", b="red-3"), state.hands[A][0])


def test_a_judged_run_tells_lead_open_color_and_acting_card() -> None:
    state = table(a="red-taki red-3 red-stop blue-1", b="red-4")

    closed = judge(state, play(A, "red-taki red-3 red-stop", close=True), state.hands[A][3:])
    left_open = judge(state, play(A, "red-taki red-3 red-stop"), state.hands[A][3:])

    assert (closed.lead.symbol.value, closed.open_taki, closed.closes) == ("stop", left_open.open_taki, True)
    assert (closed.acts, left_open.acts) == (state.hands[A][2], NO_FACE)


def test_must_play_all_names_the_cards_kept_back() -> None:
    with pytest.raises(MustPlayAll) as caught:
        decide(table(a="red-taki red-3 red-4 blue-1", b="red-6"), play(A, "red-taki red-4"), CHANCE, 0)

    assert caught.value.params == {"rule": "8.2", "cards": ["red-3"], "color": "red"}


@pytest.mark.parametrize(
    "cards,flags,code",
    [
        ("blue-1", {}, "card_does_not_match"),
        ("red-1 red-3", {}, "only_one_card"),
        ("change-color", {}, "color_required"),
        ("red-1", {"color": "red"}, "color_not_allowed"),
        ("red-1", {"run_color": "red"}, "color_not_allowed"),
        ("red-taki blue-1", {}, "not_in_taki_color"),
        ("red-taki red-1 change-color", {"close": True}, "color_required"),
        ("red-taki", {"close": True}, "taki_cannot_be_closed"),
        ("red-taki", {}, "must_play_all"),
        ("super-taki", {"run_color": "red"}, "color_not_allowed"),
    ],
)
def test_a_play_that_is_not_legal_is_refused_by_its_code(cards: str, flags: dict[str, str], code: str) -> None:
    state = table(a="red-1 red-3 blue-1 change-color red-taki super-taki", b="red-6")

    with pytest.raises(Refusal) as caught:
        decide(state, play(A, cards, **flags), CHANCE, 0)  # type: ignore[arg-type]

    assert caught.value.code == code


def test_a_missed_call_may_be_caught_after_the_grace_by_another() -> None:
    options = {"last_card_mode": "catch", "catch_grace_ms": 200}
    state = after(table(options, a="red-1 blue-1", b="red-6 red-7"), play(A, "red-1"), now=1000)

    assert not can_catch(state, B, A, 1199)
    assert can_catch(state, B, A, 1200)
    assert not can_catch(state, A, A, 1200)
    assert not can_catch(state, A, B, 1200)
