from games.engine.commands import Leave
from games.engine.ranking import places
from games.engine.state import State
from tests.games.engine.tables import A, B, C, D, after, table


def standings(state: State, winner: int | None) -> list[tuple[int, int]]:
    return [(place.seat, place.place) for place in places(state, winner)]


def test_the_others_stand_by_cards_left_and_ties_share_a_place() -> None:
    state = table(a="red-1 red-3 red-4", b="red-6", c="blue-1 blue-3", d="blue-4 blue-6")

    assert standings(state, B) == [(B, 1), (C, 2), (D, 2), (A, 4)]


def test_leavers_come_last_the_latest_to_leave_first() -> None:
    state = after(table(a="red-1", b="red-6 red-7", c="blue-1", d="blue-4"), Leave(C), Leave(A))

    assert standings(state, None) == [(D, 1), (B, 2), (A, 3), (C, 4)]


def test_a_tournament_stands_by_stage_and_then_by_cards() -> None:
    stages = {"a": 3, "b": 5, "c": 3, "d": 1}
    state = table({"mode": "tournament"}, a="red-1 red-3", b="red-6", c="blue-1", d="blue-3 blue-4", stages=stages)

    assert standings(state, None) == [(D, 1), (C, 2), (A, 3), (B, 4)]
    assert [place.stage for place in places(state, None)] == [1, 3, 3, 5]


def test_without_a_winner_the_first_place_may_be_shared() -> None:
    assert standings(table(a="red-1", b="red-6"), None) == [(A, 1), (B, 1)]


def test_single_games_have_no_stages() -> None:
    assert [place.stage for place in places(table(a="red-1", b="red-6"), A)] == [None, None]


def test_a_winner_stands_first_even_with_cards() -> None:
    assert standings(table(a="red-1 red-3", b="red-6"), A) == [(A, 1), (B, 2)]
