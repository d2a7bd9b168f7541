"""With the Redis-protocol server stopped or dead, players go on as before."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import LazySettings
from django.test import Client

from httpapi import counts
from httpapi.meter import meter
from tests.games.clock_processes import BROKER, Clockwork, clockwork
from tests.games.people import people, started

pytestmark = pytest.mark.django_db

DRAW = {"type": "draw"}
ROUNDS = 9
PATIENCE = counts.PATIENCE_SECONDS


@pytest.fixture
def server(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clockwork]:
    """A server of one's own that limits are counted on."""
    monkeypatch.setattr(counts, "PATIENCE_SECONDS", PATIENCE)
    with clockwork(tmp_path, BROKER) as work:
        settings.REDIS_URL = work.home.redis_url
        forget_clients()
        yield work
    forget_clients()


def forget_clients() -> None:
    counts.shared.cache_clear()
    meter.cache_clear()


@pytest.fixture
def askers(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads that asked the server for counts, one for each time."""
    found: list[threading.Thread] = []
    execute = redis.client.Pipeline.execute

    def told(pipeline: redis.client.Pipeline, *how: Any, **options: Any) -> Any:
        found.append(threading.current_thread())
        return execute(pipeline, *how, **options)

    monkeypatch.setattr(redis.client.Pipeline, "execute", told)
    return found


def test_no_move_and_no_view_asks_it_whether_it_is_there_stopped_or_dead(
    server: Clockwork, askers: list[threading.Thread]
) -> None:
    players = people(2)
    game = started(players, ruleset={"options": {"first_player": "seat_zero"}})
    turn = 0
    for harm in (None, server.stall, server.kill):
        if harm is not None:
            harm(BROKER)
        for _ in range(ROUNDS):
            players[turn].move(game, DRAW).ok(201)
            players[turn].view(game)
            turn = 1 - turn
    assert threading.current_thread() not in askers


def test_a_sign_up_waits_for_it_a_fifth_of_a_second_and_the_next_not_at_all(
    server: Clockwork, askers: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PATIENCE * 2 == 0.2
    monkeypatch.setattr(counts, "BREAK_SECONDS", 3600.0)

    def guest() -> int:
        """Sign up; how often the server was asked so far."""
        key = f"a key of more than twenty-two {time.monotonic_ns()}"
        answer = Client().post("/api/v1/players/guest", b"{}", "application/json", headers={"Idempotency-Key": key})
        assert answer.status_code == 201, answer.content
        return askers.count(threading.current_thread())

    before = guest()
    assert before > 0
    server.stall(BROKER)
    assert [guest() for _ in range(6)] == [before + 1] * 6
