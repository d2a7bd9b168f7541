import pytest
from msgspec.structs import replace

from games.engine.commands import CatchLastCard, DrawCards, Pass, TimeOut
from games.engine.events import Plus3Settled
from games.engine.expiry import strikes_in_a_row
from games.engine.refusals import AwaitingPlus3, NotWaitedFor
from games.engine.state import Owed, State
from tests.games.engine.tables import A, B, C, D, after, decided, kinds, play, table


def window(options: dict[str, str] | None = None, a: str = "plus3 red-1 red-3") -> State:
    """a has played a +3; b, who is next, holds a King, c and d a Breaker."""
    state = table(options, a=a, b="king blue-1 blue-3", c="breaker green-1 green-3", d="breaker yellow-1 yellow-3")
    return after(state, play(A, "plus3"))


def outcome_of(state: State, *commands: object) -> tuple[str, int | None]:
    events = decided(state, *commands).events  # type: ignore[arg-type]
    (settled,) = [event for event in events if isinstance(event, Plus3Settled)]
    return settled.outcome.value, settled.by


def test_the_last_pass_lets_the_others_draw() -> None:
    state = window()

    assert after(state, Pass(B), Pass(C)).window is not None
    assert outcome_of(state, Pass(B), Pass(C), Pass(D)) == ("drawn", None)
    assert [len(hand) for hand in after(state, Pass(B), Pass(C), Pass(D)).hands] == [2, 6, 6, 6]


def test_a_breaker_turns_the_plus3_back_and_names_its_player() -> None:
    state = window()

    assert outcome_of(state, play(D, "breaker")) == ("broken", D)
    broken = after(state, play(D, "breaker"))
    assert ([len(hand) for hand in broken.hands], broken.turn) == ([5, 3, 3, 2], B)


def test_a_king_of_the_next_player_cancels_and_goes_on() -> None:
    state = window()

    assert outcome_of(state, play(B, "king")) == ("cancelled", B)
    cancelled = after(state, play(B, "king"))
    assert (cancelled.turn, cancelled.owed, [len(hand) for hand in cancelled.hands]) == (B, Owed.KING, [2, 2, 3, 3])


def test_a_king_for_oneself_lets_the_others_draw_before_the_second_card() -> None:
    state = after(window({"king_on_plus3": "self_only"}), play(B, "king"))

    assert ([len(hand) for hand in state.hands], state.owed) == ([2, 2, 6, 6], Owed.KING)


def test_a_pass_shows_in_the_log_and_closes_nothing_yet() -> None:
    assert kinds(decided(window(), Pass(B))) == ["Plus3Answered"]


def test_what_is_no_answer_waits() -> None:
    state = window()

    for command in (play(B, "blue-1"), DrawCards(B), play(A, "red-1"), play(C, "green-1"), CatchLastCard(B, A)):
        with pytest.raises(AwaitingPlus3):
            after(state, command)
    with pytest.raises(NotWaitedFor):
        after(state, Pass(A))


def test_a_second_pass_is_not_waited_for() -> None:
    with pytest.raises(NotWaitedFor):
        after(window(), Pass(C), Pass(C))


def test_in_a_winning_window_a_breaker_takes_the_win_away() -> None:
    state = window({"plus3_last_card": "breakable"}, a="plus3")

    assert state.window is not None
    assert state.window.wins
    broken = after(state, play(C, "breaker"))
    assert (broken.outcome, len(broken.hands[A]), broken.turn) == (None, 3, B)


def test_in_a_winning_window_the_last_pass_gives_the_win() -> None:
    state = window({"plus3_last_card": "breakable"}, a="plus3")

    won = after(state, Pass(C), Pass(D))

    assert won.outcome is not None
    assert (won.outcome.winner, len(won.hands[B])) == (A, 3)
    with pytest.raises(AwaitingPlus3):
        after(state, play(B, "king"))


def test_a_pass_forgets_strikes_unseen() -> None:
    """22.14: who was asked is hidden (4.3), so the count that everybody sees stays until that player acts."""
    state = table(a="plus3 red-1 red-3", b="breaker blue-1 blue-3")
    struck = replace(state, tally=replace(state.tally, strikes=(0, 2)))

    passed = after(struck, play(A, "plus3"), Pass(B))

    assert "StrikesCleared" not in kinds(decided(after(struck, play(A, "plus3")), Pass(B)))
    assert (passed.tally.strikes, strikes_in_a_row(passed, B)) == ((0, 2), 0)
    assert after(passed, TimeOut()).tally.strikes == (0, 1)
    assert after(passed, DrawCards(B)).tally == replace(state.tally, strikes=(0, 0))


def test_a_breaker_forgets_strikes_for_all_to_see() -> None:
    """22.14: whoever breaks a +3 is known anyway."""
    state = table(a="plus3 red-1 red-3", b="breaker blue-1 blue-3")
    struck = replace(state, tally=replace(state.tally, strikes=(0, 2)))

    assert after(struck, play(A, "plus3"), play(B, "breaker")).tally.strikes == (0, 0)
