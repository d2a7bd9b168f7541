"""Different things at one moment, from threads and from processes: one wins, each other gets the right code, no gap."""

from __future__ import annotations

import random
import time
from concurrent.futures import ProcessPoolExecutor
from threading import Event as Signal
from threading import Thread
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import connections

from games.engine.cards import BREAKER
from games.engine.ruleset import Plus3Window, Ruleset
from games.engine.state import State
from games.services.rebuilding import Rebuilt, rebuild
from tests.games import caller_process
from tests.games.crowds import Crowd, codes, proven, shout
from tests.games.overdue import LONG, deadline, in_position, overdue, told
from tests.games.people import Json, Person, command_for, one_move, people, started

pytestmark = pytest.mark.django_db(transaction=True)

STILL: Final[dict[str, Any]] = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW: Final = {"type": "draw"}
ASKED_ALL: Final = Ruleset(turn_timeout_seconds=3600, plus3_window=Plus3Window.ALL_PLAYERS)
TOO_LATE: Final = "412 version_conflict"


def different_moves(person: Person, game: str) -> list[Json]:
    """One command for each legal move."""
    chance = random.Random(1)
    return [command_for(template, chance) for template in person.view(game)["legal_moves"]]


@pytest.mark.parametrize("number", [2, 5, 10])
def test_of_different_moves_at_one_version_exactly_one_counts(crowd: Crowd, number: int) -> None:
    players = people(number)
    game = started(players, **STILL)
    for _ in range(3):
        view = players[0].view(game)
        version, mover = view["version"], players[view["turn"]]
        # A +3 would ask the others first: then the next round finds nobody who may move by turn.
        moves = [move for move in different_moves(mover, game) if "plus3" not in str(move)][:number]
        callers = [(mover, move) for move in moves] + [(p, DRAW) for p in players if p is not mover]
        answers = crowd([shout(p, f"games/{game}/moves", m, if_match=str(version)) for p, m in callers[:number]])
        assert codes(answers)["201"] == 1, (codes(answers), moves, mover.view(game))
        (won,) = [answer.body for answer in answers if answer.status == 201]
        assert set(codes(answers)) <= {"201", TOO_LATE, "409 not_your_turn"}
        assert [event["version"] for event in won["events"]] == list(range(version + 1, won["version"] + 1))
        assert players[0].view(game)["version"] == won["version"]
    assert proven(players[0], game)


def test_who_comes_too_late_is_told_what_was_missed(crowd: Crowd) -> None:
    players = people(2)
    game = started(players, **STILL)
    version = players[0].view(game)["version"]
    moves = different_moves(players[0], game)
    answers = crowd([shout(players[0], f"games/{game}/moves", move, if_match=str(version)) for move in moves])
    won = next(answer.body for answer in answers if answer.status == 201)
    for late in (answer.body for answer in answers if answer.status == 412):
        assert (late["version"], late["events"], late["more"]) == (won["version"], won["events"], False)


def breakers(state: State) -> int:
    """How many of those who are asked could break the +3."""
    window = state.window
    return 0 if window is None else sum(BREAKER in hand for seat, hand in enumerate(state.hands) if asked(state, seat))


def asked(state: State, seat: int) -> bool:
    return state.window is not None and bool(state.window.awaited >> seat & 1)


def test_a_plus_three_answered_from_all_seats_at_once_is_settled_once(crowd: Crowd) -> None:
    players = people(4)
    game = in_position(players, ASKED_ALL, lambda state: breakers(state) >= 1, 1_000)
    version = players[0].view(game)["version"]
    answering = [(p, different_moves(p, game)) for p in players]
    # Where a call is open, catching is offered too: that is no answer to the +3.
    sent = [(p, move) for p, moves in answering for move in moves if move.get("answer")]
    answers = crowd([shout(p, f"games/{game}/moves", move) for p, move in sent])
    events = told(game, version)
    settled = [payload for kind, _, payload in events if kind == "plus3_settled"]
    assert len(settled) == 1
    answered = [payload["seat"] for kind, _, payload in events if kind == "plus3_answered"]
    assert len(answered) == len(set(answered)) == codes(answers)["201"]
    # A second answer of one seat, or one that comes when all have answered.
    assert set(codes(answers)) <= {"201", "409 not_waited_for", "409 awaiting_plus3", "409 window_closed"}
    assert proven(players[0], game)


def test_two_breakers_at_once_break_one_plus_three(crowd: Crowd) -> None:
    players = people(5)
    game = in_position(players, ASKED_ALL, lambda state: breakers(state) >= 2, 1_000)
    version = players[0].view(game)["version"]
    breaking = {"type": "play", "cards": ["breaker"], "answer": True}
    holders = [p for p in players if "breaker" in str(p.view(game)["legal_moves"])]
    assert len(holders) >= 2
    answers = crowd([shout(p, f"games/{game}/moves", breaking) for p in holders])
    assert codes(answers)["201"] == 1
    assert codes(answers)["409 window_closed"] == len(holders) - 1
    assert [payload["outcome"] for kind, _, payload in told(game, version) if kind == "plus3_settled"] == ["broken"]
    assert proven(players[0], game)


def test_a_leave_and_moves_of_others_at_once_all_count_in_some_order(crowd: Crowd) -> None:
    players = people(4)
    game = started(players, **STILL)
    moves = [shout(players[0], f"games/{game}/moves", DRAW), shout(players[1], f"games/{game}/moves", DRAW)]
    leaves = [shout(p, f"games/{game}/leave") for p in players[2:]]
    answers = crowd(leaves + moves)
    assert [answer.status for answer in answers[:3]] == [200, 200, 201]
    assert codes(answers[3:]) in ({"201": 1}, {"409 not_your_turn": 1})
    assert proven(players[0], game)


def test_a_leave_and_a_move_of_one_player_at_once_both_count_or_the_move_comes_too_late(crowd: Crowd) -> None:
    for _ in range(3):
        players = people(3)
        game = started(players, **STILL)
        answers = crowd([shout(players[0], f"games/{game}/leave"), shout(players[0], f"games/{game}/moves", DRAW)])
        assert answers[0].status == 200
        assert codes(answers[1:]) in ({"201": 1}, {"409 not_in_game": 1})
        assert proven(players[1], game)


def test_at_the_deadline_either_the_player_or_the_clock_acts(crowd: Crowd, pool: ProcessPoolExecutor) -> None:
    players = people(2)
    games = overdue(players, 8, LONG, late_ms=-1_500)
    views = {game: players[0].view(game) for game in games}
    last = max(deadline(game) or 0 for game in games) / 1000
    sweeps = [pool.submit(caller_process.sweep, last + late) for late in (0.0, 0.02)]
    time.sleep(max(0.0, last - time.time()))
    movers = [players[views[game]["turn"]] for game in games]
    answers = crowd([shout(p, f"games/{g}/moves", DRAW) for p, g in zip(movers, games, strict=True)])
    for sweep in sweeps:
        sweep.result(60)
    caller_process.sweep(0.0)
    for game, answer in zip(games, answers, strict=True):
        acted = [(kind, cause) for kind, cause, _ in told(game, views[game]["version"]) if kind == "turn_timed_out"]
        assert acted == ([] if answer.status == 201 else [("turn_timed_out", "clock")])
        assert codes([answer]) in ({"201": 1}, {"409 not_your_turn": 1})
        assert proven(players[0], game)


def test_verifying_and_rebuilding_while_moves_run_finds_everything_right() -> None:
    players = people(2)
    game = started(players, **STILL)
    over = Signal()
    rebuilt: list[Rebuilt] = []
    proofs: list[Json] = []

    def again_and_again() -> None:
        try:
            while not over.is_set():
                rebuilt.append(rebuild(UUID(game)))
                proofs.append(players[1].get(f"games/{game}/verification").ok())
        finally:
            connections.close_all()

    watchers = [Thread(target=again_and_again) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    chance = random.Random(3)
    for _ in range(40):
        one_move(players, game, chance)
    over.set()
    for watcher in watchers:
        watcher.join(timeout=60)
    assert proofs
    assert all(proof["ok"] for proof in proofs)
    assert {one.mended for one in rebuilt} == {()}
    assert proven(players[0], game)
