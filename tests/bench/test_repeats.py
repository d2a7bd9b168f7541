"""`make prove-repeats` in small: repeats forced on a real web server; and what it would find if it were there to find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bench.reliability import audit, service
from bench.reliability.asks import Ask, Book
from bench.reliability.repeats import Plan, force, judged
from bench.reliability.wire import Reply
from taki_project.local.home import Home
from taki_project.local.supervisor import Supervisor
from taki_project.local.web import Address
from tests.games.people import Person, people, started

pytestmark = pytest.mark.django_db(transaction=True)

REPEATS = 300
DRAW = b'{"type":"draw"}'


@pytest.fixture
def web(transactional_db: None, tmp_path: Path) -> Iterator[Address]:
    """The web server with its processes, on this run's database, until the test ends."""
    home, where, supervisor = Home(tmp_path), service.free_address(), Supervisor()
    for folder in (home.log, home.root / "static"):
        folder.mkdir()
    try:
        supervisor.start(service.web_entry(home, where, {}))
        yield where
    finally:
        supervisor.stop()


def test_forced_repeats_have_no_double_effect_and_lose_none(web: Address) -> None:
    before = audit.counts()
    book = force(Plan(repeats=REPEATS, clients=3, at_most=600, seed=1), web, lambda _: None)
    holds, lines = judged(book, before)
    assert holds, lines
    assert book.repeats.total() >= REPEATS
    assert len(book.repeats) == 4
    assert sum(one.ask.is_move for one in book.accepted.values()) > 10


def moved(book: Book) -> tuple[list[Person], str, Ask, Reply]:
    """A move that a book knows: its players, its game, what was asked and answered."""
    players = people(2)
    game = started(players, ruleset={"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}})
    ask = Ask(key="a-key", path=f"games/{game}/moves", body=DRAW, token=players[0].token)
    answer = players[0].move(game, {"type": "draw"}, idempotency_key=ask.key, x_request_id="a-key.0")
    reply = Reply(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.raw)
    book.accept(ask, reply)
    return players, game, ask, reply


def found(book: Book) -> audit.Verdict:
    return audit.verdict(book, audit.counts())


def test_a_move_that_stands_in_the_log_as_it_was_told_is_no_fault() -> None:
    book = Book()
    moved(book)
    verdict = found(book)
    assert (verdict.double, verdict.lost, verdict.untold) == ((), (), ())


def test_a_move_that_is_not_in_the_log_is_found() -> None:
    book = Book()
    _, _, ask, reply = moved(book)
    book.accept(replace(ask, key="another"), reply)
    assert found(book).lost == (f"another: {ask.path}",)


def test_a_move_that_stands_elsewhere_in_the_log_than_was_told_is_found() -> None:
    book = Book()
    _, _, ask, reply = moved(book)
    body = msgspec.json.decode(reply.body)
    book.accept(ask, Reply(201, reply.headers, msgspec.json.encode(body | {"events": body["events"][:-1]})))
    assert found(book).lost == (f"a-key: {ask.path}",)


def test_a_move_that_is_there_twice_is_found() -> None:
    book = Book()
    players, game, _, _ = moved(book)
    players[1].move(game, {"type": "draw"}, x_request_id="a-key.1").ok(201)
    assert found(book).double == ("a-key: 2 times",)


def test_a_move_that_nobody_was_told_of_is_found() -> None:
    book = Book()
    players, game, _, _ = moved(book)
    players[1].move(game, {"type": "draw"}, x_request_id="lost-key.0").ok(201)
    assert found(book).untold == (f"lost-key: {game}",)


def test_a_table_that_came_to_be_unasked_is_found() -> None:
    before = audit.counts()
    book = Book()
    moved(book)
    assert "1 games came to be, callers were told of 0" in audit.verdict(book, before).miscounted


@pytest.mark.parametrize("again", [b'{"other": "bytes"}', None], ids=["other bytes", "as if it were new"])
def test_a_repeat_that_is_answered_otherwise_is_found(again: bytes | None) -> None:
    book = Book()
    ask = Ask(key="a-key", path="games", body=b"{}", token="token")
    first = Reply(201, {"etag": '"1"'}, b'{"id": 1}')
    accepted = book.accept(ask, first)
    headers = {"etag": '"1"'} | ({} if again is None else {"idempotent-replayed": "true"})
    book.compare(accepted, Reply(201, headers, again or first.body), "late")
    assert len(book.faults) == 1
