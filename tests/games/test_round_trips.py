"""What a move costs in questions to the database, told by the wire itself."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from django.db import connection
from psycopg import pq

from tests.games.people import Person, command_for, one_move, people, started

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


def warm(players: list[Person], game: str) -> random.Random:
    """Play until every statement is prepared and the ruleset is known to the process."""
    chance = random.Random(5)
    for _ in range(12):
        one_move(players, game, chance)
    return chance


def mover(players: list[Person], game: str) -> Person:
    view = players[0].view(game)
    return players[view["turn"]]


def test_a_move_asks_the_database_twice_for_the_token_too(tmp_path: Path) -> None:
    players = people(3)
    game = started(players, ruleset={"options": {"plus3_window": "holders_only"}})
    chance = warm(players, game)
    player = mover(players, game)
    moves = player.get(f"games/{game}/legal-moves").body["legal_moves"]
    command = command_for(moves[-1], chance)
    waits = round_trips(lambda: player.move(game, command, idempotency_key="once").ok(201), tmp_path / "wire")
    assert len(waits) == 2


def test_a_view_asks_the_database_once_for_the_token_too(tmp_path: Path) -> None:
    players = people(2)
    game = started(players)
    warm(players, game)
    waits = round_trips(lambda: players[0].view(game), tmp_path / "wire")
    assert len(waits) == 1


def test_a_refused_move_writes_nothing_and_asks_once_besides_the_token(tmp_path: Path) -> None:
    players = people(2)
    game = started(players)
    warm(players, game)
    other = next(player for player in players if player is not mover(players, game))
    waits = round_trips(lambda: other.move(game, {"type": "draw"}).refused(409, "not_your_turn"), tmp_path / "wire")
    assert len(waits) == 1
