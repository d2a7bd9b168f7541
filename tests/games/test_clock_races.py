"""Sweeps beside sweeps and beside players, on connections of their own: each deadline counts once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connections

from games.engine.ruleset import Ruleset
from games.services import clock
from games.tasks import draw_due_penalties, settle_expired_turns
from tests.games.overdue import deadline, in_position, is_whole, now, overdue, timeouts, told
from tests.games.people import Answer, people

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[2]
DRAW = {"type": "draw"}
SWEEP = "import django; django.setup(); from games.tasks import settle_expired_turns; print(settle_expired_turns())"


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """What calls that begin together give."""
    results: list[Any] = [None] * len(calls)
    line = Barrier(len(calls))

    def run(number: int) -> None:
        try:
            line.wait(timeout=60)
            results[number] = calls[number]()
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=[number]) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results


def test_two_sweepers_at_once_settle_each_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BATCH", 7)
    games = overdue(people(2), 120)
    at_once([settle_expired_turns] * 3)
    settle_expired_turns()
    assert Counter(len(timeouts(game)) for game in games) == {1: 120}
    assert all(is_whole(game) for game in games)


def test_sweeping_processes_settle_each_game_once() -> None:
    games = overdue(people(2), 200)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", SWEEP],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "taki_project.settings"},
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    settled = [int(worker.communicate(timeout=120)[0].split()[-1]) for worker in workers]
    # One that a process claims just as the other has settled it is counted by both.
    assert sum(settled) >= 200
    assert Counter(len(timeouts(game)) for game in games) == {1: 200}


def test_both_tasks_at_once_settle_a_turn_and_a_call_once() -> None:
    rules = Ruleset(turn_timeout_seconds=60, last_card_deadline="seconds:60")
    players = people(3)
    games = [
        in_position(players, rules, lambda state: state.calls.owes != 0 and state.window is None, 90_000)
        for _ in range(5)
    ]
    at_once([settle_expired_turns, draw_due_penalties, settle_expired_turns, draw_due_penalties])
    for game in games:
        kinds = Counter(kind for kind, _, _ in told(game))
        assert (kinds["turn_timed_out"], kinds["call_timed_out"]) == (1, 1)
        assert is_whole(game)


def test_a_player_and_the_clock_at_the_deadline_leave_one_timeout_and_one_answer() -> None:
    """Whoever is first: the turn ran out, so the player to move is late, and is told so."""
    players = people(2)
    for _ in range(8):
        (game,) = overdue(players)
        before = players[0].view(game)
        late = players[before["turn"]]
        answer, _ = at_once([partial(late.move, game, DRAW), settle_expired_turns])
        settle_expired_turns()
        answer.refused(409, "not_your_turn")
        assert len(timeouts(game)) == 1
        assert is_whole(game)


def test_the_next_player_moving_at_once_with_the_clock_follows_the_timeout() -> None:
    players = people(2)
    for _ in range(8):
        (game,) = overdue(players)
        before = players[0].view(game)
        following = players[1 - before["turn"]]
        answer, _ = at_once([partial(following.move, game, DRAW), settle_expired_turns])
        answer.ok(201)
        kinds = [(kind, cause) for kind, cause, _ in told(game, before["version"])]
        assert kinds == [
            ("turn_timed_out", "clock"),
            ("cards_drawn", "clock"),
            ("turn_passed", "clock"),
            ("cards_drawn", "player"),
            ("turn_passed", "player"),
        ]


def test_moves_just_before_the_deadline_and_sweeps_never_lose_or_double_one() -> None:
    """Turns of a second, two players who move close to its end, three sweepers without pause."""
    players = people(2)
    games = overdue(players, 4, Ruleset(turn_timeout_seconds=1, timeouts_before_forfeit=0), late_ms=-1_000)
    ends = time.monotonic() + 6

    def sweep() -> None:
        while time.monotonic() < ends:
            settle_expired_turns()

    def play(game: str) -> list[Answer]:
        answers: list[Answer] = []
        while time.monotonic() < ends or (time.monotonic() < ends + 60 and 201 not in [one.status for one in answers]):
            at = deadline(game)
            time.sleep(max(0.0, (at or 0) - now() - 5) / 1000)
            answers += [player.move(game, DRAW) for player in players]
        return answers

    given = at_once([sweep, sweep, *(partial(play, game) for game in games)])
    assert {answer.status for answers in given[2:] for answer in answers} <= {201, 409}
    for game in games:
        ran_out = [timeout["deadline"] for timeout in timeouts(game)]
        assert len(ran_out) == len(set(ran_out))
        assert is_whole(game)
        assert all(timeout["noticed"] >= timeout["deadline"] for timeout in timeouts(game))
        moved = [payload for kind, cause, payload in told(game) if kind == "cards_drawn" and cause == "player"]
        assert moved
        assert players[0].get(f"games/{game}/verification").ok()["ok"] is True


def test_a_claim_that_waited_sees_the_game_as_it_is_now() -> None:
    """The sweep's statement began before the move was kept: it must not act on the deadline of then."""
    players = people(2)
    games = overdue(players, 30)
    movers = [players[1 - players[0].view(game)["turn"]] for game in games]
    calls: list[Callable[[], Any]] = [settle_expired_turns] * 3
    moves = [
        partial(lambda some: [mover.move(game, DRAW).status for game, mover in some], pairs)
        for pairs in (list(zip(games, movers, strict=True))[half::2] for half in (0, 1))
    ]
    *_, first, second = at_once([*calls, *moves])
    settle_expired_turns()
    assert set(first + second) == {201}
    assert Counter(len(timeouts(game)) for game in games) == {1: 30}
