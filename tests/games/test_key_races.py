"""One Idempotency-Key at several calls at once: one has its effect, the others are told, nothing fails."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import connections

from eventlog.models import Event
from httpapi.idempotency import _scope_key
from httpapi.models import IdempotencyKey
from tests.databases import Connection
from tests.games.crowds import Crowd, codes, proven, shout
from tests.games.people import Answer, Person, people, started

pytestmark = pytest.mark.django_db(transaction=True)

STILL: Final[dict[str, Any]] = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW: Final = {"type": "draw"}
REUSED: Final = "422 idempotency_key_reused"
IN_PROGRESS: Final = "409 idempotency_key_in_progress"


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """A thread whose connection ends with the test."""
    with ThreadPoolExecutor(1) as pool:
        yield pool
        pool.submit(connections.close_all).result()


def test_a_move_and_a_leave_with_one_key_have_one_effect(crowd: Crowd) -> None:
    players = people(2)
    for number in range(6):
        there, here = started(players, **STILL), started(players, **STILL)
        leave = shout(players[0], f"games/{there}/leave", idempotency_key=f"k{number}")
        move = shout(players[0], f"games/{here}/moves", DRAW, idempotency_key=f"k{number}")
        answers = crowd([leave, move, leave, move])
        left, moved = codes(answers[::2]), codes(answers[1::2])
        has_moved = len(players[0].view(here)["you"]["hand"]) == 9
        assert players[0].view(there)["status"] == ("running" if has_moved else "finished")
        assert moved == ({"201": 2} if has_moved else {REUSED: 2})
        assert set(left) <= {REUSED if has_moved else "200", IN_PROGRESS}


def test_a_key_that_a_move_commits_while_a_leave_is_at_work_undoes_the_leave(
    superuser: Connection, beside: ThreadPoolExecutor
) -> None:
    players = people(2)
    game = started(players, **STILL)
    before = Event.objects.filter(stream=game).count()
    with superuser.transaction():
        _take(superuser, players[0], "k", game)
        leaving = beside.submit(players[0].post, f"games/{game}/leave", idempotency_key="k")
        _await_some_that_wait(superuser)
    leaving.result(30).refused(422, "idempotency_key_reused")
    assert players[0].view(game)["status"] == "running"
    assert Event.objects.filter(stream=game).count() == before


def test_a_key_whose_move_is_undone_serves_the_leave_that_waited(
    superuser: Connection, beside: ThreadPoolExecutor
) -> None:
    players = people(2)
    game = started(players, **STILL)
    with superuser.transaction(force_rollback=True):
        _take(superuser, players[0], "k", game)
        leaving = beside.submit(players[0].post, f"games/{game}/leave", idempotency_key="k")
        _await_some_that_wait(superuser)
    leaving.result(30).ok()
    assert players[0].view(game)["status"] == "finished"


def test_repeats_that_wait_for_the_first_to_commit_get_its_answer(superuser: Connection) -> None:
    players = people(2)
    game = started(players, **STILL)
    version = str(players[0].view(game)["version"])
    with ThreadPoolExecutor(3) as pool:
        with superuser.transaction():
            superuser.execute("SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE", [UUID(game)])
            calls = [pool.submit(_moved, players[0], game, version) for _ in range(3)]
            _await_some_that_wait(superuser, 3)
        answers = [call.result(30) for call in calls]
    assert codes(answers) == {"201": 3}
    assert len({answer.raw for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 2
    assert proven(players[0], game)


def test_opening_a_table_from_many_sides_with_one_key_opens_one(crowd: Crowd) -> None:
    (host,) = people(1)
    opening = shout(host, "games", {"name": "once"}, idempotency_key="open")
    told = codes(crowd([opening] * 6))
    assert set(told) <= {"201", IN_PROGRESS}
    assert told["201"] >= 1
    assert len(host.get("me/games").ok()["results"]) == 1


def _moved(person: Person, game: str, version: str) -> Answer:
    try:
        return person.move(game, DRAW, idempotency_key="k", if_match=version)
    finally:
        connections.close_all()


def _take(superuser: Connection, person: Person, key: str, game: str) -> None:
    """What the statement of a move does with its key."""
    superuser.execute(
        "INSERT INTO idempotency_keys (scope_key, fingerprint, status, stream, version_from, version_to) "
        "VALUES (%s, %s, 201, %s, 1, 1)",
        [_scope_key(key, UUID(person.id), b""), bytes(32), UUID(game)],
    )
    assert not IdempotencyKey.objects.filter(stream=game).exists()


def _await_some_that_wait(superuser: Connection, number: int = 1) -> None:
    """Until so many connections of the service wait for a lock."""
    for _ in range(400):
        superuser.execute("SELECT pg_stat_clear_snapshot()")  # within a transaction the first look would be kept
        row = superuser.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
        if row == (number,):
            return
        time.sleep(0.02)
    raise AssertionError("nobody waits")
