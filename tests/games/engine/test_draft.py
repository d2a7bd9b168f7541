from typing import Any

from games.engine.commands import DrawCards
from games.engine.draft import Draft, draw, owe_call, pass_turn, say
from games.engine.events import CardsDrawn, DrawReason, PileReshuffled
from games.engine.state import State
from tests.games.engine.tables import CHANCE, A, B, C, after, play, table

REST = {"b": "blue-6 blue-7"}


def drafted(state: State) -> Draft:
    return Draft(state, CHANCE, 500)


def test_a_recorded_event_has_happened_at_once() -> None:
    draft = drafted(table(a="red-1", **REST))

    pass_turn(draft, A)

    assert (draft.state.turn, draft.state.since, len(draft.events)) == (B, 500, 1)


def test_a_short_pile_is_reshuffled_once_and_gives_what_there_is() -> None:
    draft = drafted(table(a="red-1", draw_pile="red-9", discard="blue-1 blue-3 red-5", **REST))

    cards = draw(draft, A, 5, DrawReason.PLUS2)

    assert [type(event) for event in draft.events] == [PileReshuffled, CardsDrawn]
    assert len(cards) == 3
    assert draft.state.discard == bytes([draft.state.discard[0]])
    assert draft.state.tally.shuffles == 1


def test_the_lead_and_what_lies_on_it_is_never_reshuffled() -> None:
    fields: dict[str, Any] = {"discard": "red-5 plus3 breaker", "lead": {"color": "red", "symbol": "5"}}
    draft = drafted(table(a="red-1", draw_pile=[], lead_index=0, **fields, **REST))

    assert draw(draft, A, 1, DrawReason.TURN) == b""
    assert len(draft.state.discard) == 3


def test_a_pile_that_is_just_enough_is_not_reshuffled() -> None:
    draft = drafted(table(a="red-1", draw_pile="red-9 red-8", discard="blue-1 red-5", **REST))

    draw(draft, A, 2, DrawReason.TURN)

    assert [type(event) for event in draft.events] == [CardsDrawn]


def test_a_call_is_made_with_exactly_one_card_and_once() -> None:
    one, two = drafted(table(a="red-1", **REST)), drafted(table(a="red-1 red-3", **REST))

    for draft in (one, two):
        say(draft, A)
        say(draft, A)

    assert (len(one.events), len(two.events)) == (1, 0)


def test_a_duty_arises_for_a_card_left_by_playing_alone() -> None:
    drawn = drafted(table(a="red-1", **REST))
    owe_call(drawn, A)
    played = after(table(a="red-1 red-3", **REST), play(A, "red-1"))

    assert drawn.events == []
    assert played.calls.owes == 0b01


def test_missed_calls_are_paid_in_turn_order_from_whoever_acts() -> None:
    state = table(
        a="red-1 red-3", b="blue-1", c="blue-3", must_say=["b", "c"], direction=-1, draw_pile="red-4 red-6 red-7 red-8"
    )

    paid = after(state, DrawCards(A))

    assert [len(paid.hands[seat]) for seat in (A, B, C)] == [2, 1, 5]
    assert paid.calls.owes == 0
