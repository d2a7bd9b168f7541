from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.players import RandomPlayer
from bench.playouts import next_command
from bench.tables import RandomChance
from games.engine.cards import Cards, faces_of
from games.engine.decide import decide
from games.engine.events import (
    CardsDrawn,
    CardsPlayed,
    DrawReason,
    GameOpened,
    GameVoided,
    LastCardOwed,
    PileReshuffled,
    PlayerLeft,
    SeatTaken,
    VoidReason,
)
from games.engine.evolve import evolve, fold
from games.engine.ruleset import Ruleset
from games.engine.state import Ended, State
from tests.games.engine.strategies import players, tables
from tests.games.engine.tables import A, B, table

PLAYER = UUID(int=1)
OPENED = GameOpened(
    host=PLAYER, commitment="0", preset="taki_116", ruleset=Ruleset(), ruleset_version=1, min_players=2,
    max_players=4, visibility="public",
)  # fmt: skip


def cards(codes: str) -> Cards:
    return faces_of(codes.split())


def moved(state: State, event: object, at: int = 700) -> State:
    after = evolve(state, event, at)  # type: ignore[arg-type]
    assert after is not None
    return after


def test_before_the_start_there_is_no_table() -> None:
    lobby = [(OPENED, 0), (SeatTaken(seat=0, player=PLAYER), 1), (GameVoided(reason=VoidReason.EXPIRED), 2)]

    assert fold(lobby) is None


def test_played_cards_lie_on_the_pile_and_the_lead_is_where_the_event_says() -> None:
    state = table(a="red-taki red-3 plus3", b="red-4")
    plain = moved(state, CardsPlayed(seat=A, cards=cards("red-taki red-3"), lead=state.lead))
    beneath = moved(state, CardsPlayed(seat=A, cards=cards("red-taki red-3 plus3"), lead=state.lead, lead_card=2))
    unmoved = moved(state, CardsPlayed(seat=A, cards=cards("plus3"), lead=state.lead, lead_card=0))

    assert (len(plain.discard), plain.lead_at, plain.since) == (3, 2, 700)
    assert (len(beneath.discard), beneath.lead_at) == (4, 2)
    assert unmoved.lead_at == state.lead_at


def test_a_card_that_is_not_held_cannot_have_been_played() -> None:
    state = table(a="red-3", b="red-4")

    with pytest.raises(ValueError, match="does not hold"):
        moved(state, CardsPlayed(seat=A, cards=cards("red-9"), lead=state.lead))


def test_a_hand_that_grows_ends_call_and_duty() -> None:
    state = table(a="red-3", b="red-4", must_say=["a"], declared=["b"])
    reason = DrawReason.TURN

    for seat in (A, B):
        state = moved(state, CardsDrawn(seat=seat, reason=reason, cards=state.draw_pile[:1]))  # type: ignore[arg-type]

    assert (state.calls.owes, state.calls.said, state.calls.since) == (0, 0, ())


def test_a_penalty_of_no_card_ends_the_duty_and_keeps_the_card() -> None:
    state = moved(table(a="red-3", b="red-4", must_say=["a"]), CardsDrawn(seat=A, reason=DrawReason.LAST_CARD_PENALTY))

    assert (state.calls.owes, len(state.hands[A])) == (0, 1)


def test_a_duty_remembers_since_when() -> None:
    state = moved(table(a="red-3", b="red-4"), LastCardOwed(seat=B), at=1234)

    assert (state.calls.owes, state.calls.since[B]) == (0b10, 1234)


def test_a_reshuffle_goes_under_the_pile_and_leaves_lead_and_above() -> None:
    state = table(a="red-3", b="red-4", draw_pile="red-9", discard="blue-1 blue-3 red-5")

    reshuffled = moved(state, PileReshuffled(cards=cards("blue-3 blue-1")))

    assert bytes(reshuffled.draw_pile) == cards("red-9 blue-3 blue-1")
    assert (bytes(reshuffled.discard), reshuffled.lead_at) == (cards("red-5"), 0)


def test_a_seat_that_left_stays_marked() -> None:
    state = moved(table(a="red-3", b="red-4", draw_pile="red-9"), PlayerLeft(seat=A, cards=cards("red-3")))

    assert (state.tally.left, state.hands[A], bytes(state.draw_pile)) == ((A,), b"", cards("red-9 red-3"))


def test_a_void_game_is_over_without_a_winner() -> None:
    state = moved(table(a="red-3", b="red-4"), GameVoided(reason=VoidReason.RULING))

    assert state.outcome is not None
    assert (state.outcome.ended, state.outcome.winner) == (Ended.VOID, None)


@given(tables(), players(), st.integers(1, 40))
def test_evolving_never_changes_what_was(state: State, player: RandomPlayer, steps: int) -> None:
    chance = RandomChance(5)
    for now in range(steps):
        if state.outcome is not None:
            break
        before = (state.hands, state.draw_pile, state.discard, state.tally, state.calls)
        events = decide(state, next_command(player, state, now), chance, now).events
        assert (state.hands, state.draw_pile, state.discard, state.tally, state.calls) == before
        for event in events:
            state = moved(state, event, now)
