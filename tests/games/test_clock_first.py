"""A command first settles what the clock owes, in the same write, by the database's clock."""

import time

import pytest

from eventlog.models import Event
from games.engine.ruleset import Plus3Window, Ruleset
from games.engine.state import State
from games.engine.templates import PlayMove, legal_moves
from games.models import Deadline
from games.tables import moment_of
from games.tasks import settle_expired_turns
from tests.games.overdue import deadline, in_position, now, true_deadline
from tests.games.people import Person, people, started

pytestmark = pytest.mark.django_db

FAST = {"ruleset": {"options": {"turn_timeout_seconds": 1, "timeouts_before_forfeit": 0, "first_player": "seat_zero"}}}
DRAW = {"type": "draw"}


def overdue(players: list[Person]) -> str:
    """A game whose first player let the turn run out."""
    game = started(players, **FAST)
    time.sleep(1.05)
    return game


def test_a_late_move_meets_the_table_after_the_timeout() -> None:
    players = people(2)
    game = overdue(players)
    answer = players[1].move(game, DRAW).ok(201)
    told = [(event["kind"], event["cause"], event["seat"]) for event in answer["events"]]
    assert told == [
        ("turn_timed_out", "clock", 0),
        ("cards_drawn", "clock", 0),
        ("turn_passed", "clock", None),
        ("cards_drawn", "player", 1),
        ("turn_passed", "player", None),
    ]
    assert answer["events"][0]["data"]["policy"] == "draw"
    assert "cards" not in answer["events"][1]["data"]
    first = Event.objects.get(stream=game, version=answer["events"][0]["version"])
    assert (first.actor, first.span) == (None, 5)


def test_a_repeat_of_a_late_move_gives_the_clocks_events_again() -> None:
    players = people(2)
    game = overdue(players)
    first = players[1].move(game, DRAW, idempotency_key="late")
    again = players[1].move(game, DRAW, idempotency_key="late")
    assert again.raw == first.raw
    assert len(first.ok(201)["events"]) == 5


def test_what_the_clock_did_stays_when_the_late_command_is_refused() -> None:
    players = people(2)
    game = overdue(players)
    problem = players[0].move(game, DRAW).refused(409, "not_your_turn")
    view = players[0].view(game)
    assert (view["turn"], view["version"]) == (1, problem["version"])
    assert view["seats"][0]["timeouts"] == 1
    assert len(view["you"]["hand"]) == 9


def test_a_late_move_at_the_version_before_the_timeout_is_a_conflict_that_tells_of_it() -> None:
    players = people(2)
    game = started(players, **FAST)
    version = players[0].view(game)["version"]
    time.sleep(1.05)
    problem = players[0].move(game, DRAW, if_match=str(version)).refused(412, "version_conflict")
    assert [event["kind"] for event in problem["events"]] == ["turn_timed_out", "cards_drawn", "turn_passed"]
    assert "cards" in problem["events"][1]["data"]


def test_a_dry_run_after_the_deadline_keeps_nothing_either() -> None:
    players = people(2)
    game = overdue(players)
    version = players[1].view(game)["version"]
    players[1].post(f"games/{game}/moves?dry_run=true", DRAW).ok()
    assert players[1].view(game)["version"] == version


def test_a_deadline_that_moves_on_is_left_where_it_stands_until_the_sweep_comes_by() -> None:
    players = people(2)
    game = started(players)
    first = deadline(game)
    players[players[0].view(game)["turn"]].move(game, DRAW).ok(201)
    assert deadline(game) == first
    Deadline.objects.filter(game_id=game).update(at=moment_of(now() - 1))  # as if its time had come
    version = players[0].view(game)["version"]
    assert settle_expired_turns() == 1
    assert players[0].view(game)["version"] == version
    assert deadline(game) == true_deadline(game)
    assert deadline(game) != first


def test_a_deadline_that_comes_earlier_is_written_at_once() -> None:
    """A window of fifteen seconds in a game whose turns have an hour."""
    players = people(3)
    rules = Ruleset(turn_timeout_seconds=3600, plus3_window=Plus3Window.ALL_PLAYERS)
    game = in_position(players, rules, may_play_plus3, 1_000)
    before = deadline(game)
    players[players[0].view(game)["turn"]].move(game, {"type": "play", "cards": ["plus3"]}).ok(201)
    assert players[0].view(game)["window"] is not None
    after = deadline(game)
    assert after == true_deadline(game)
    assert after is not None
    assert before is not None
    assert after < before


def may_play_plus3(state: State) -> bool:
    moves = legal_moves(state, state.turn, 0)
    return state.window is None and any(isinstance(move, PlayMove) and move.card == "plus3" for move in moves)


def test_a_game_without_a_clock_has_no_deadline() -> None:
    players = people(2)
    game = started(players, ruleset={"options": {"turn_timeout_seconds": 0}})
    assert not Deadline.objects.filter(game_id=game).exists()
    assert players[0].view(game)["clock"] is None


def test_a_finished_game_has_no_deadline() -> None:
    players = people(2)
    game = started(players)
    players[0].post(f"games/{game}/leave").ok()
    assert not Deadline.objects.filter(game_id=game).exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_refused_leave_tells_of_the_clock_is_kept() -> None:
    players, (stranger,) = people(2), people(1)
    game = started(players, **FAST)
    version = players[0].view(game)["version"]
    time.sleep(1.05)
    conflict = players[0].post(f"games/{game}/leave", if_match=str(version)).refused(412, "version_conflict")
    assert [event["kind"] for event in conflict["events"]][:1] == ["turn_timed_out"]
    assert players[0].view(game)["version"] == conflict["version"] > version
    time.sleep(1.05)
    refusal = stranger.post(f"games/{game}/leave", idempotency_key="k").refused(409, "not_in_game")
    assert players[0].view(game)["version"] == refusal["version"] > conflict["version"]
    assert players[0].view(game)["seats"][1]["timeouts"] == 1
