"""Errors tell where they arose, to the log alone; of cards they tell nobody, not even where their messages quote some."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, cast

import pytest
from django.db import IntegrityError
from django.http import HttpResponse
from django.test import Client

from games.engine.cards import codes_of
from games.engine.state import State
from games.services import judging
from taki_project.log_lines import LineFormatter
from tests.databases import Connection
from tests.games.people import Answer, Person, people, started
from tests.games.ways_out import CODES, logged, spellings

STILL = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}


def posted(player: Person, path: str, body: bytes = b"{}") -> Answer:
    """A call whose error is answered, not raised into the test."""
    client = Client(raise_request_exception=False)
    headers = {"Authorization": f"Bearer {player.token}"}
    return Answer(cast("HttpResponse", client.post(f"/api/v1/{path}", body, "application/json", headers=headers)))


def quoting(state: State) -> str:
    return f"{state} {codes_of(state.hands[1])} {state.hands[1].hex()}"


def arising(state: State) -> None:
    raise ValueError(quoting(state))


def arising_again(state: State) -> None:
    try:
        arising(state)
    except ValueError as error:
        raise IntegrityError(f"a row fails\nDETAIL: {quoting(state)}") from error


@pytest.mark.django_db
@pytest.mark.parametrize("path, body", [("moves", b'{"type":"draw"}'), ("moves?dry_run=true", b'{"type":"draw"}')])
def test_an_error_inside_a_move_tells_nobody_of_the_cards_it_quotes(
    path: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = people(2)
    game = started(players, **STILL)
    hand = players[1].view(game)["you"]["hand"]
    monkeypatch.setattr(judging, "decide", lambda state, *_: arising(state))
    with logged() as lines:
        answer = posted(players[0], f"games/{game}/{path}", body)
    answer.refused(500, "internal_error")
    assert "ValueError" in lines.text
    assert "test_errors_are_silent.py" in lines.text
    for text in (lines.text, answer.raw.decode(), str(dict(answer.headers))):
        assert CODES.findall(text) == []
        assert not [card for card in hand if card in text]


@pytest.mark.django_db
def test_what_an_error_arose_from_is_told_without_its_message_too(monkeypatch: pytest.MonkeyPatch) -> None:
    players = people(2)
    game = started(players, **STILL)
    monkeypatch.setattr(judging, "decide", lambda state, *_: arising_again(state))
    with logged() as lines:
        posted(players[0], f"games/{game}/leave").refused(500, "internal_error")
    assert "IntegrityError: a row fails\n" in lines.text
    assert "ValueError" in lines.text
    assert CODES.findall(lines.text) == []


REFUSED: dict[str, Callable[[str, str], str]] = {
    "an event": lambda table, _: f"ALTER TABLE {table} ADD CONSTRAINT spoilt CHECK (kind <> 'player_left') NOT VALID",
    "a state": lambda _, game: (
        f"ALTER TABLE games_game ADD CONSTRAINT spoilt CHECK (id <> '{game}' OR turn = 7) NOT VALID"
    ),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", REFUSED)
def test_a_row_that_the_database_refuses_is_not_quoted(what: str, superuser: Connection) -> None:
    players = people(3)
    game = started(players, **STILL)
    state = hidden_state(superuser, game)
    table = "eventlog_event" if what == "an event" else "games_game"
    superuser.execute(REFUSED[what](table, game).encode())
    try:
        with logged() as lines:
            answer = posted(players[2], f"games/{game}/leave")
    finally:
        superuser.execute(f"ALTER TABLE {table} DROP CONSTRAINT spoilt".encode())
    answer.refused(500, "internal_error")
    assert "spoilt" in lines.text
    for text in (lines.text, answer.raw.decode()):
        assert "DETAIL" not in text
        assert CODES.findall(text) == []
        assert not [spelled for spelled in spellings(state) if spelled in text]


def hidden_state(superuser: Connection, game: str) -> bytes:
    row = superuser.execute("SELECT state FROM games_game WHERE id = %s", [game]).fetchone()
    assert row is not None
    return bytes(cast("bytes", row[0]))


def test_a_line_about_a_failed_task_does_not_quote_its_error() -> None:
    error = ValueError("red-3")
    context: dict[str, Any] = {"name": "settle_expired_turns", "exc": repr(error), "traceback": "red-3"}
    told = (type(error), error, None)
    record = logging.LogRecord("celery", logging.ERROR, "", 1, "Task %(name)s raised: %(exc)s", (context,), told)
    assert LineFormatter().format(record).splitlines()[0] == "Task settle_expired_turns raised: ValueError"
    assert "red-3" not in LineFormatter().format(record)
