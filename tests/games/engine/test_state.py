from msgspec.structs import replace

from games.engine.commands import Leave
from games.engine.state import (
    Ended,
    Outcome,
    Window,
    actives,
    at_last_stage,
    following,
    is_tournament,
    pack,
    seats_after,
    unpack,
)
from tests.games.engine.tables import A, B, C, D, after, play, table


def test_play_goes_round_in_the_direction_of_play() -> None:
    left, right = table(a="red-3", b="red-4", c="red-6"), table(a="red-3", b="red-4", c="red-6", direction=-1)

    assert [following(left, A), following(left, C), following(left, B, 2)] == [B, A, A]
    assert [following(right, A), following(right, C), following(right, B, 2)] == [C, B, C]


def test_seats_that_left_are_not_counted() -> None:
    state = after(table(a="red-3", b="red-4", c="red-6", d="red-7"), Leave(B))

    assert actives(state) == (A, C, D)
    assert (following(state, A), following(state, A, 2), following(state, A, 3)) == (C, D, A)
    assert seats_after(state, C) == (D, A)


def test_the_others_stand_in_turn_order() -> None:
    assert seats_after(table(a="red-3", b="red-4", c="red-6", direction=-1), B) == (A, C)


def test_emptying_a_hand_wins_in_single_mode_and_at_stage_one() -> None:
    tournament = table({"mode": "tournament"}, a="red-3", b="red-4", stages={"a": 1, "b": 2})

    assert at_last_stage(table(a="red-3", b="red-4"), A)
    assert at_last_stage(tournament, A)
    assert not at_last_stage(tournament, B)
    assert is_tournament(tournament)


def test_a_packed_table_keeps_window_calls_and_outcome() -> None:
    state = after(table(a="plus3 red-3", b="breaker red-4", c="red-6 red-7"), play(A, "plus3", say_last=True))

    assert state.window == Window(A, B, 0b010)
    assert unpack(pack(state), state.rules) == state
    over = replace(state, outcome=Outcome(Ended.STALEMATE, None), window=None)
    assert unpack(pack(over), over.rules) == over


def test_equal_tables_pack_to_equal_bytes() -> None:
    first, second = table(a="red-3 king", b="red-4"), table(a="red-3 king", b="red-4")

    assert pack(first) == pack(second)
    assert pack(first) != pack(table(a="king red-3", b="red-4"))
