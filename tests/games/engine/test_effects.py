from games.engine.cards import BREAKER, FACE, FACES, SYMBOL, codes_of
from games.engine.commands import Pass
from games.engine.effects import EFFECTS
from games.engine.events import CardsDrawn, CardsPlayed, DrawReason
from games.engine.legality import NO_FACE
from games.engine.state import Owed
from tests.games.engine.tables import A, B, C, after, decided, kinds, play, table

THREE = {"b": "blue-6 blue-7", "c": "blue-8 blue-9"}


def test_equal_symbols_have_the_same_effect_and_no_acting_card_ends_the_turn() -> None:
    by_symbol: dict[object, object] = {}
    for face in FACES:
        assert by_symbol.setdefault(SYMBOL[face], EFFECTS[face]) is EFFECTS[face]
    assert EFFECTS[NO_FACE] is EFFECTS[FACE["red-1"]]


def test_a_number_passes_the_turn() -> None:
    decision = decided(table(a="red-1 blue-1 blue-3", **THREE), play(A, "red-1"))

    assert kinds(decision) == ["CardsPlayed", "TurnPassed"]
    assert decision.state.turn == B


def test_a_stop_card_skips_the_next_seat() -> None:
    assert after(table(a="red-stop blue-1 blue-3", **THREE), play(A, "red-stop")).turn == C


def test_a_reverse_turns_the_direction_within_the_play() -> None:
    decision = decided(table(a="red-reverse blue-1 blue-3", **THREE), play(A, "red-reverse"))

    played = decision.events[0]
    assert isinstance(played, CardsPlayed)
    assert (played.direction, decision.state.turn, decision.state.direction) == (-1, C, -1)


def test_a_plus2_opens_a_stack_and_a_second_adds_to_it() -> None:
    state = table(a="red-plus2 blue-1 blue-3", b="green-plus2 blue-7 blue-4", c="blue-8 blue-9")

    assert after(state, play(A, "red-plus2")).plus2 == 2
    assert after(state, play(A, "red-plus2"), play(B, "green-plus2")).plus2 == 4


def test_king_and_plus_keep_the_turn_with_what_is_owed() -> None:
    king = after(table(a="king blue-1 blue-3", **THREE), play(A, "king"))
    plus = after(table(a="red-plus blue-1 blue-3", **THREE), play(A, "red-plus"))

    assert (king.turn, king.owed) == (A, Owed.KING)
    assert (plus.turn, plus.owed) == (A, Owed.PLUS)


def test_a_plus3_opens_a_window_only_if_somebody_is_asked() -> None:
    opened = after(table(a="plus3 blue-1 blue-3", b="breaker blue-7", c="blue-8 blue-9"), play(A, "plus3"))
    settled = decided(table(a="plus3 blue-1 blue-3", **THREE), play(A, "plus3"))

    assert opened.window is not None
    assert opened.turn == A
    assert kinds(settled) == ["CardsPlayed", "Plus3Settled", "CardsDrawn", "CardsDrawn", "TurnPassed"]


def test_a_breaker_on_ones_own_turn_draws_three_and_leaves_the_lead() -> None:
    before = table(a="breaker blue-1 blue-3", **THREE)
    decision = decided(before, play(A, "breaker"))

    drawn = decision.events[1]
    assert isinstance(drawn, CardsDrawn)
    assert (drawn.reason, len(drawn.cards)) == (DrawReason.BREAKER, 3)
    assert (decision.state.lead, decision.state.lead_at) == (before.lead, before.lead_at)
    assert decision.state.discard[-1] == BREAKER


def test_a_closed_run_says_so() -> None:
    decision = decided(table(a="red-taki red-3 blue-1 blue-3", **THREE), play(A, "red-taki red-3", close=True))

    assert kinds(decision) == ["CardsPlayed", "TakiClosed", "TurnPassed"]
    assert decision.state.open_taki is None


def test_settlement_follows_the_order_of_the_rules() -> None:
    state = table(
        {"mode": "tournament"}, a="plus3", b="red-4", c="blue-8 blue-9", must_say=["b"], stages={"a": 3, "b": 8, "c": 8}
    )

    decision = decided(state, play(A, "plus3"))

    assert kinds(decision) == [
        "CardsDrawn", "CardsPlayed", "StageCleared", "CardsDrawn", "Plus3Settled", "CardsDrawn", "CardsDrawn",
        "TurnPassed",
    ]  # fmt: skip
    reasons = [event.reason.value for event in decision.events if isinstance(event, CardsDrawn)]
    assert reasons == ["last_card_penalty", "stage", "plus3", "plus3"]


def test_effects_on_others_are_void_once_the_game_is_won() -> None:
    for card in ("red-stop", "red-plus2", "red-reverse", "plus3"):
        state = after(table(a=card, **THREE), play(A, card))
        assert state.outcome is not None
        assert (state.plus2, state.direction, len(state.hands[B]), len(state.hands[C])) == (0, 1, 2, 2)


def test_a_last_plus_draws_its_card_and_passes() -> None:
    state = after(table(a="red-plus", draw_pile="blue-1 blue-3", **THREE), play(A, "red-plus"))

    assert (codes_of(state.hands[A]), state.turn, state.owed, state.outcome) == (["blue-1"], B, None, None)


def test_a_held_win_waits_and_is_claimed_when_the_stack_is_drawn() -> None:
    waiting = decided(table({"win_on_plus2": "after_stack_resolved"}, a="red-plus2", **THREE), play(A, "red-plus2"))

    assert kinds(waiting) == ["CardsPlayed", "WinHeld", "TurnPassed"]
    assert waiting.state.tally.waiting == (A,)


def test_a_pass_without_a_king_before_it_is_no_effect_of_cards() -> None:
    state = after(table(a="king blue-1 blue-3", **THREE), play(A, "king"), Pass(A))

    assert (state.turn, state.owed) == (B, None)
