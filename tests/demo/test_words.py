"""What happened, in words."""

from demo.client import Json
from demo.words import card, standing, told
from games.engine.cards import CODE
from games.i18n import card_name

NAMES = ["Noa", "Ben"]


def event(kind: str, seat: int | None, cause: str = "player", **data: object) -> Json:
    return {"kind": kind, "seat": seat, "cause": cause, "data": data}


def test_every_card_is_called_what_the_service_calls_it() -> None:
    assert [card(code) for code in CODE] == [card_name(code, "en") for code in CODE]


def test_a_command_is_one_line() -> None:
    events = [
        event("cards_played", 0, cards=["red-taki", "red-5"]),
        event("taki_closed", 0),
        event("stage_cleared", 0, cleared=3, reached=2),
        event("cards_drawn", 0, count=2, reason="stage"),
        event("turn_passed", None, to=1),
    ]
    assert told(events, NAMES) == [
        "Noa plays red TAKI, red 5, closes the run, clears stage 3, takes 2 for the next stage"
    ]


def test_what_others_suffer_stands_behind_it() -> None:
    events = [event("cards_played", 0, cards=["plus3"]), event("cards_drawn", 1, count=3, reason="plus3")]
    assert told(events, NAMES) == ["Noa plays +3; Ben draws 3 for a +3"]


def test_the_clock_has_a_line_of_its_own() -> None:
    events = [
        event("turn_timed_out", 1, "clock", strikes=1),
        event("cards_drawn", 1, "clock", count=1, reason="turn"),
        event("cards_played", 0, cards=["king"]),
    ]
    assert told(events, NAMES) == ["the clock: Ben is silent too long (strike 1), draws 1", "Noa plays King"]


def test_what_nobody_needs_to_hear_is_not_told() -> None:
    assert told([event("turn_passed", None, to=1), event("plus3_answered", None)], NAMES) == []


def test_a_standing_tells_the_stage_and_the_cards() -> None:
    seat = {"status": "playing", "stage": 4, "hand_count": 1}
    assert standing(seat) == "stage 4, 1 card"
    assert standing(seat | {"stage": None, "hand_count": 5}) == "5 cards"
    assert standing(seat | {"stage": 0}) == "through"
    assert standing(seat | {"status": "left"}) == "out"
