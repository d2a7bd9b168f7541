import pytest

from games.engine.commands import (
    CallTimeOut,
    CatchLastCard,
    Command,
    DrawCards,
    Leave,
    Pass,
    PlayCards,
    SayLastCard,
    TimeOut,
)
from games.engine.decide import DECIDERS, decide
from games.engine.refusals import (
    AlreadyDeclared,
    GameOver,
    NothingToCatch,
    NothingToDeclare,
    NotInGame,
    Refusal,
    WindowClosed,
)
from games.engine.state import pack
from tests.games.engine.tables import CHANCE, A, B, C, after, decided, kinds, play, table

TWO = {"a": "red-1 blue-1 blue-3", "b": "red-3 red-4"}


def test_every_command_has_its_decider() -> None:
    assert set(DECIDERS) == set(Command.__args__)


@pytest.mark.parametrize(
    "command",
    [play(A, "red-1"), DrawCards(A), Pass(A), SayLastCard(A), CatchLastCard(A, B), Leave(A), TimeOut(), CallTimeOut()],
)
def test_a_finished_game_takes_no_command(command: Command) -> None:
    over = after(table(a="red-1", b="red-3"), play(A, "red-1"))

    with pytest.raises(GameOver):
        decide(over, command, CHANCE, 0)


@pytest.mark.parametrize("seat", [None, C])
def test_strangers_and_leavers_are_not_in_the_game(seat: int | None) -> None:
    state = after(table(c="blue-4 blue-6", **TWO), Leave(C))

    for command in (DrawCards(seat), Pass(seat), SayLastCard(seat), CatchLastCard(seat, A), Leave(seat)):
        with pytest.raises(NotInGame):
            decide(state, command, CHANCE, 0)
    with pytest.raises(NotInGame):
        decide(state, PlayCards(seat, b"\x00"), CHANCE, 0)


def test_an_answer_without_a_window_comes_too_late() -> None:
    for command in (play(B, "red-3", answer=True), DrawCards(A, answer=True), Pass(B, answer=True)):
        with pytest.raises(WindowClosed):
            decide(table(**TWO), command, CHANCE, 0)


def test_a_refused_command_changes_nothing() -> None:
    state = table(**TWO)
    before = pack(state)

    with pytest.raises(Refusal):
        decide(state, play(B, "red-3"), CHANCE, 0)

    assert pack(state) == before


def test_a_call_needs_exactly_one_card_and_comes_once() -> None:
    state = table(a="red-1 red-3", b="red-4")

    with pytest.raises(NothingToDeclare):
        decide(state, SayLastCard(A), CHANCE, 0)
    with pytest.raises(AlreadyDeclared):
        after(state, SayLastCard(B), SayLastCard(B))
    assert kinds(decided(state, SayLastCard(B))) == ["LastCardSaid"]


def test_a_caught_player_pays_and_is_caught_once() -> None:
    options = {"last_card_mode": "catch", "catch_grace_ms": 0}
    state = after(table(options, a="red-1 blue-1", b="red-3 red-4"), play(A, "red-1"))

    caught = decided(state, CatchLastCard(B, A))

    assert kinds(caught) == ["LastCardCaught", "CardsDrawn"]
    assert (len(caught.state.hands[A]), caught.state.calls.owes) == (5, 0)
    with pytest.raises(NothingToCatch):
        after(caught.state, CatchLastCard(B, A))


def test_a_player_who_acts_again_is_forgiven_the_timeouts() -> None:
    struck = after(table(**TWO), TimeOut(), DrawCards(B))

    assert struck.tally.strikes == (1, 0)
    assert kinds(decided(struck, DrawCards(A)))[0] == "StrikesCleared"
    assert after(struck, DrawCards(A)).tally.strikes == (0, 0)
