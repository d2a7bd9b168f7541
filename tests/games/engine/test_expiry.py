import pytest

from games.engine.commands import CallTimeOut, DrawCards, Leave, Pass, TimeOut
from games.engine.events import LeaveReason, PlayerLeft, Policy, TurnTimedOut
from games.engine.expiry import policy_of
from games.engine.state import Ended, State
from tests.games.engine.tables import A, B, C, after, decided, kinds, play, table

THREE = {"b": "blue-6 blue-7", "c": "blue-8 blue-9"}


def ended(state: State) -> tuple[str, int | None]:
    assert state.outcome is not None
    return state.outcome.ended.value, state.outcome.winner


def test_the_clock_does_what_the_table_asks_for() -> None:
    assert policy_of(table(a="red-1", **THREE)) is Policy.DRAW
    assert policy_of(table(a="red-1", discard="red-plus", owed="plus", **THREE)) is Policy.DRAW
    assert policy_of(table(a="red-1", owed="king", **THREE)) is Policy.PASS
    assert policy_of(table(a="red-1", discard="red-plus2", plus2=2, **THREE)) is Policy.DRAW_STACK


def test_an_expired_turn_tells_when_it_ran_out_and_what_was_done() -> None:
    decision = decided(table(a="red-1", **THREE), TimeOut(60_000), now=60_250)

    first = decision.events[0]
    assert isinstance(first, TurnTimedOut)
    assert (first.deadline, first.noticed, first.policy, first.strikes) == (60_000, 60_250, Policy.DRAW, 1)
    assert kinds(decision) == ["TurnTimedOut", "CardsDrawn", "TurnPassed"]


def test_an_expired_window_passes_for_all() -> None:
    state = after(table(a="plus3 red-1 red-3", b="breaker red-4", c="breaker red-6"), play(A, "plus3"))

    assert [len(hand) for hand in after(state, TimeOut()).hands] == [2, 5, 5]
    assert after(state, TimeOut()).tally.strikes == (0, 0, 0)


def test_the_last_strike_acts_and_then_takes_the_player_out() -> None:
    decision = decided(table({"timeouts_before_forfeit": 1}, a="red-1", **THREE), TimeOut())

    left = decision.events[-1]
    assert isinstance(left, PlayerLeft)
    assert (left.seat, left.reason, len(left.cards)) == (A, LeaveReason.TIMEOUTS, 2)
    assert decision.state.turn == B


def test_without_a_limit_strikes_only_count() -> None:
    state = table({"timeouts_before_forfeit": 0}, a="red-1 red-3", b="blue-6 blue-7")

    assert after(state, *[TimeOut()] * 20).tally.strikes == (10, 10)


def test_a_leavers_cards_go_under_the_pile_in_order_or_stay_frozen() -> None:
    fields = {"a": "red-1 red-3", **THREE}
    state = after(table(draw_pile="king", **fields), Leave(A))
    frozen = after(table({"leaver_hand": "frozen"}, draw_pile="king", **fields), Leave(A))

    assert list(state.draw_pile[1:]) == list(table(a="red-1 red-3", **THREE).hands[A])
    assert (len(frozen.hands[A]), len(frozen.draw_pile)) == (2, 1)


def test_a_leaver_to_move_takes_stack_and_duty_along() -> None:
    stack = after(table(a="red-1", discard="red-plus2", plus2=4, **THREE), Leave(A))
    duty = after(table(a="red-1 red-3", discard="red-plus", owed="plus", **THREE), Leave(A))

    assert (stack.turn, stack.plus2) == (B, 0)
    assert (duty.turn, duty.owed) == (B, None)


def test_a_leaver_out_of_turn_changes_no_turn() -> None:
    assert after(table(a="red-1", **THREE), Leave(B)).turn == A


def test_a_window_without_its_player_is_void_and_without_an_awaited_one_goes_on() -> None:
    state = after(table(a="plus3 red-1 red-3", b="breaker red-4", c="breaker red-6"), play(A, "plus3"))

    void = after(state, Leave(A))
    assert (void.window, void.turn, [len(hand) for hand in void.hands]) == (None, B, [0, 2, 2])
    assert after(state, Leave(B)).window is not None
    assert [len(hand) for hand in after(state, Leave(B), Pass(C)).hands] == [2, 0, 5]


def test_the_last_player_left_wins_by_forfeit_or_nobody_does() -> None:
    assert ended(after(table(a="red-1", **THREE), Leave(A), Leave(C))) == (Ended.FORFEIT.value, B)
    nobody = {"last_remaining": "no_winner"}
    assert ended(after(table(nobody, a="red-1", **THREE), Leave(A), Leave(C))) == (Ended.NO_WINNER.value, None)


def test_calls_run_out_by_the_second_where_the_rules_say_so() -> None:
    options = {"last_card_deadline": "seconds:5"}
    state = after(table(options, a="red-1 blue-1", b="blue-6 blue-7"), play(A, "red-1"), DrawCards(B))

    assert state.calls.owes == 0b01
    paid = decided(state, CallTimeOut(), now=5000)
    assert kinds(paid) == ["CallTimedOut", "CardsDrawn"]
    assert (len(paid.state.hands[A]), paid.state.calls.owes) == (5, 0)


@pytest.mark.parametrize("options", [{}, {"last_remaining": "no_winner"}])
def test_a_victim_who_leaves_gives_the_waiting_player_the_win(options: dict[str, str]) -> None:
    held = {"win_on_plus2": "after_stack_resolved", **options}
    state = after(table(held, a="red-plus2", b="blue-6 blue-7"), play(A, "red-plus2"), Leave(B))

    assert ended(state) == ("won", A)
