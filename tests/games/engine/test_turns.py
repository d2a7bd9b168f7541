import pytest

from games.engine.commands import DrawCards, Pass
from games.engine.events import CardsDrawn
from games.engine.refusals import AlreadyPlayed, CannotPass, MustPlay, MustPlaySecondCard
from games.engine.state import Ended, Owed
from tests.games.engine.tables import A, B, after, decided, hand, kinds, play, table

REST = {"b": "blue-6 blue-7"}


def test_a_draw_takes_the_top_card_and_ends_the_turn() -> None:
    state = after(table(a="blue-1", draw_pile="king red-9", **REST), DrawCards(A))

    assert (hand(state, A), state.turn) == ("blue-1 king", B)


def test_a_stack_is_drawn_whole_for_its_own_reason() -> None:
    decision = decided(table(a="blue-1", discard="red-plus2", plus2=4, **REST), DrawCards(A))

    (drawn,) = [event for event in decision.events if isinstance(event, CardsDrawn)]
    assert (drawn.reason.value, len(drawn.cards), decision.state.plus2) == ("plus2", 4, 0)


def test_a_playable_drawn_card_keeps_the_turn_where_it_may_be_played() -> None:
    options = {"play_drawn_card": "immediate"}

    playable = after(table(options, a="blue-1", draw_pile="red-9 red-8", **REST), DrawCards(A))
    other = after(table(options, a="blue-1", draw_pile="blue-9 red-8", **REST), DrawCards(A))

    assert (playable.turn, playable.owed) == (A, Owed.DRAWN)
    assert (other.turn, other.owed) == (B, None)


def test_drawing_is_refused_where_a_card_has_to_be_played() -> None:
    with pytest.raises(MustPlay):
        after(table({"draw_when_playable": "forbid"}, a="red-1", **REST), DrawCards(A))
    with pytest.raises(MustPlaySecondCard):
        after(table(a="red-1", discard="red-plus", owed="plus", **REST), DrawCards(A))
    with pytest.raises(AlreadyPlayed):
        after(table(a="red-1", owed="king", **REST), DrawCards(A))


def test_passing_needs_a_king_or_a_drawn_card() -> None:
    with pytest.raises(CannotPass):
        after(table(a="red-1", **REST), Pass(A))
    assert after(table(a="red-1 red-3", owed="king", **REST), Pass(A)).turn == B


def test_declining_may_cost_a_card() -> None:
    options = {"king_decline": "draw_one"}
    decision = decided(table(options, a="red-1 red-3", owed="king", **REST), Pass(A))

    assert kinds(decision) == ["CardsDrawn", "TurnPassed"]
    assert len(decision.state.hands[A]) == 3


def test_a_round_of_draws_in_vain_ends_the_game() -> None:
    state = after(table(a="blue-1 blue-3", draw_pile=[], **REST), DrawCards(A), DrawCards(B))

    assert state.outcome is not None
    assert (state.outcome.ended, state.outcome.winner) == (Ended.STALEMATE, None)


def test_drawing_in_vain_with_a_card_kept_after_a_plus_owes_the_call() -> None:
    state = after(table(a="blue-1", discard="red-plus", owed="plus", draw_pile=[], **REST), DrawCards(A))

    assert state.calls.owes == 0b01


def test_a_call_may_come_with_the_pass() -> None:
    state = after(table(a="king red-1", **REST), play(A, "king"), Pass(A, say_last=True))

    assert (state.calls.said, state.calls.owes) == (0b01, 0)
