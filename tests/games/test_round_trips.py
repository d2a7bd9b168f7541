"""What a move costs in questions to the database, told by the wire itself."""

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from django.db import connection
from psycopg import pq

from tests.games.people import Person, command_for, people, started

pytestmark = pytest.mark.django_db(transaction=True)


def round_trips(call: Callable[[], Any], log: Path) -> list[str]:
    """The statements that a call sends, each followed by a wait for the answer (libpq's own trace counts the waits)."""
    wire = cast("Any", connection.connection).pgconn
    with log.open("wb") as file:
        wire.trace(os.dup(file.fileno()))
        wire.set_trace_flags(pq.Trace.SUPPRESS_TIMESTAMPS)
        call()
        wire.untrace()
    return [line for line in log.read_text(errors="replace").splitlines() if "\tReadyForQuery" in line]


def warm(players: list[Person], game: str) -> None:
    """Draw until every statement is prepared and the ruleset is known to the process."""
    connection.close()  # one that has served its time would be replaced after a call (DATABASE_CONN_MAX_AGE)
    for _ in range(12):
        mover(players, game).move(game, {"type": "draw"}).ok(201)


def mover(players: list[Person], game: str) -> Person:
    view = players[0].view(game)
    return players[view["turn"]]


def test_a_move_asks_the_database_twice_for_the_token_too(tmp_path: Path) -> None:
    players = people(3)
    game = started(players, ruleset={"options": {"plus3_window": "holders_only"}})
    warm(players, game)
    for number in range(2):  # the first with a key prepares the statement that keeps one
        player = mover(players, game)
        moves = player.get(f"games/{game}/legal-moves").body["legal_moves"]
        sent = partial(player.move, game, command_for(moves[-1], random.Random(5)), idempotency_key=f"key {number}")
        waits = round_trips(sent, tmp_path / f"wire-{number}")
    assert len(waits) == 2


def test_a_view_asks_the_database_once_for_the_token_too(tmp_path: Path) -> None:
    players = people(2)
    game = started(players)
    warm(players, game)
    waits = round_trips(lambda: players[0].view(game), tmp_path / "wire")
    assert len(waits) == 1


def test_a_refused_move_writes_nothing_and_asks_once(tmp_path: Path) -> None:
    players = people(2)
    game = started(players)
    warm(players, game)
    other = next(player for player in players if player is not mover(players, game))
    waits = round_trips(lambda: other.move(game, {"type": "draw"}).refused(409, "not_your_turn"), tmp_path / "wire")
    assert len(waits) == 1
