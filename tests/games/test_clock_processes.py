"""Real workers, beat and broker, killed at any moment: no deadline is lost, none counts twice."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.models.functions import Now

from eventlog.models import Event
from games.engine.ruleset import Ruleset
from games.models import Deadline, Heartbeat
from tests.games.clock_processes import BEAT, BROKER, WEB, WORKER, Clockwork, clockwork, until
from tests.games.overdue import deadline, is_whole, now, overdue, timeouts, told
from tests.games.people import people

pytestmark = pytest.mark.django_db(transaction=True)

SECOND_WORKER = "second"
PATIENCE = 90.0
"""A worker's start takes a second and a half of processor time, of which a busy machine makes ten."""
TURN_MS = 2_000
KILLINGS = 12


def still_due() -> int:
    return Deadline.objects.filter(at__lte=Now()).count()


def none_due() -> bool:
    return still_due() == 0


def settled_once(games: list[str]) -> bool:
    """Whether each of these games ran out exactly once."""
    return Counter(len(timeouts(game)) for game in games) == {1: len(games)} and all(is_whole(game) for game in games)


def test_a_worker_killed_at_work_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """It is killed among hundreds of overdue games, as soon as some are settled; its successor does the rest."""
    games = overdue(people(2), 300)
    with clockwork(tmp_path, BROKER, BEAT, WORKER) as work:
        until(lambda: still_due() < 300, PATIENCE, pause=0.0)
        work.kill(WORKER)
        work.start(WORKER)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
def test_a_worker_that_starts_without_a_broker_sweeps_by_itself(tmp_path: Path) -> None:
    games = overdue(people(2), 5)
    with clockwork(tmp_path, WORKER) as work:
        until(none_due, PATIENCE)
        until(lambda: "this process sweeps by itself" in work.log(WORKER), PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
@pytest.mark.parametrize("away", [BEAT, BROKER])
def test_while_beat_or_broker_is_dead_the_worker_sweeps_by_itself_and_then_is_asked_again(
    tmp_path: Path, away: str
) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER) as work:
        ready(work)
        work.kill(away)
        games = overdue(people(2), 20)
        assert until(none_due, PATIENCE) < 10
        until(lambda: "this process sweeps by itself" in work.log(WORKER), PATIENCE)
        work.start(away)
        until(lambda: "sweeps are asked for again" in work.log(WORKER), PATIENCE)
        games += overdue(people(2), 20)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
def test_a_broker_that_answers_nothing_holds_nothing_up(tmp_path: Path) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER) as work:
        ready(work)
        work.stall(BROKER)
        games = overdue(people(2), 20)
        assert until(none_due, PATIENCE) < 10
        work.go_on(BROKER)
        games += overdue(people(2), 20)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
def test_of_two_workers_the_one_that_is_left_goes_on(tmp_path: Path) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER, SECOND_WORKER) as work:
        ready(work)
        games = overdue(people(2), 600)
        until(lambda: still_due() < 600, PATIENCE, pause=0.0)
        work.kill(SECOND_WORKER)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
def test_a_worker_that_hangs_at_work_holds_up_its_batch_alone(tmp_path: Path) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER, SECOND_WORKER) as work:
        ready(work)
        games = overdue(people(2), 600)
        until(lambda: still_due() < 600, PATIENCE, pause=0.0)
        work.stall(WORKER)
        until(lambda: still_due() <= 100, PATIENCE)
        work.go_on(WORKER)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
def test_what_ran_out_while_everything_was_dead_is_settled_once_by_whatever_returns(tmp_path: Path) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER) as work:
        ready(work)
        work.kill(BROKER, BEAT, WORKER)
        games = overdue(people(2), 300)
        time.sleep(3)
        assert still_due() == 300
        work.start(BROKER, BEAT, WORKER, SECOND_WORKER)
        until(none_due, PATIENCE)
    assert settled_once(games)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_killed_whenever_each_deadline_follows_from_the_one_before(tmp_path: Path, seed: int) -> None:
    """Sixty games with turns of two seconds that nobody plays; processes die as soon as their successors have worked."""
    chance = random.Random(seed)
    games = overdue(people(2), 60, Ruleset(turn_timeout_seconds=TURN_MS // 1000, timeouts_before_forfeit=0))
    with clockwork(tmp_path, BROKER, BEAT, WORKER, SECOND_WORKER) as work:
        for _ in range(KILLINGS):
            await_progress()
            time.sleep(chance.uniform(0.0, 2.0))
            victims = chance.sample([BROKER, BEAT, WORKER, SECOND_WORKER], chance.choice([1, 1, 2, 4]))
            work.kill(*victims)
            time.sleep(chance.uniform(0.0, 0.5))
            work.start(*sorted(victims, key=BROKER.__ne__))
        until(lambda: all((deadline(game) or 0) > now() - TURN_MS for game in games), PATIENCE)
    rounds = [timeouts(game) for game in games]
    for game, ran_out in zip(games, rounds, strict=True):
        assert is_whole(game)
        for before, after in pairwise(ran_out):
            assert after["deadline"] == before["noticed"] + TURN_MS
    assert min(map(len, rounds)) > 1


@pytest.mark.slow
def test_a_turn_that_runs_out_while_the_web_server_is_dead_gets_time_instead_of_a_strike(tmp_path: Path) -> None:
    with clockwork(tmp_path, BROKER, BEAT, WORKER, WEB) as work:
        until(Heartbeat.objects.exists, PATIENCE)
        ready(work)
        (game,) = overdue(people(2), late_ms=-20_000)
        before = told(game)
        work.kill(WEB)
        until(lambda: (deadline(game) or 0) < now() - 3_000, PATIENCE)
        assert told(game) == before
        work.start(WEB)
        until(lambda: told(game) != before, PATIENCE)
    ((kind, cause, payload),) = told(game)[len(before) :]
    assert (kind, cause) == ("clock_extended", "clock")
    assert payload["down_from"] < payload["deadline"] <= payload["down_until"] <= payload["noticed"]
    assert deadline(game) == payload["down_until"] + 1000 * settings.OUTAGE_GRACE_SECONDS


@pytest.mark.slow
def test_the_web_server_beats_again_after_its_connections_were_cut(tmp_path: Path, superuser: Any) -> None:
    with clockwork(tmp_path, WEB):
        until(Heartbeat.objects.exists, PATIENCE)
        for _ in range(3):
            superuser.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND query LIKE '%games_heartbeat%'"
            )
            connection.close()
            until(Heartbeat.objects.filter(at__gt=Heartbeat.objects.get().at).exists, PATIENCE)


def await_progress() -> None:
    """Wait until further turns have run out."""
    ran_out = Event.objects.filter(kind="turn_timed_out")
    before = ran_out.count()
    until(lambda: ran_out.count() > before, PATIENCE)


def ready(work: Clockwork) -> None:
    """Wait until the worker sweeps."""
    games = overdue(people(2), 1)
    until(none_due, PATIENCE)
    assert settled_once(games)
    assert work.running
