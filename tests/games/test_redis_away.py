"""With the Redis-protocol server stopped or dead, players go on as before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

import pytest
from django.conf import LazySettings
from django.test import Client

from httpapi import counts
from httpapi.meter import meter
from tests.games.clock_processes import BROKER, Clockwork, clockwork
from tests.games.people import Person, people, started

pytestmark = pytest.mark.django_db

DRAW = {"type": "draw"}
ROUNDS = 9


@pytest.fixture
def server(tmp_path: Path, settings: LazySettings) -> Iterator[Clockwork]:
    """A server of one's own that limits are counted on."""
    with clockwork(tmp_path, BROKER) as work:
        settings.REDIS_URL = work.home.redis_url
        forget_clients()
        yield work
    forget_clients()


def forget_clients() -> None:
    counts.shared.cache_clear()
    meter.cache_clear()


def seconds(call: Callable[[], object]) -> float:
    began = time.monotonic()
    call()
    return time.monotonic() - began


def a_move_and_a_view(players: list[Person], game: str) -> float:
    """How long a move and the view after it take, in the middle of several."""
    turn = players[0].view(game)["turn"]

    def both(player: Person) -> None:
        player.move(game, DRAW).ok(201)
        player.view(game)

    return median(seconds(partial(both, players[(turn + number) % 2])) for number in range(ROUNDS))


def test_moves_and_views_take_no_longer_while_it_is_stopped_or_dead(server: Clockwork) -> None:
    players = people(2)
    game = started(players, ruleset={"options": {"first_player": "seat_zero"}})
    there = a_move_and_a_view(players, game)
    server.stall(BROKER)
    stopped = a_move_and_a_view(players, game)
    server.kill(BROKER)
    dead = a_move_and_a_view(players, game)
    assert max(stopped, dead) < 2 * there + 0.02, (there, stopped, dead)


def test_a_sign_up_waits_a_fifth_of_a_second_for_it_and_the_next_not_at_all(server: Clockwork) -> None:
    def guest() -> None:
        key = f"a key of more than twenty-two {time.monotonic_ns()}"
        answer = Client().post("/api/v1/players/guest", b"{}", "application/json", headers={"Idempotency-Key": key})
        assert answer.status_code == 201, answer.content

    usual = max(seconds(guest) for _ in range(5))
    server.stall(BROKER)
    first = seconds(guest)
    later = [seconds(guest) for _ in range(5)]
    assert first < usual + 0.25
    assert median(later) < usual + 0.05
