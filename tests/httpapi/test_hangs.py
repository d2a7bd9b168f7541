"""A database that hangs: callers are told within the time that they may have to wait, and one after another does not wait."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from httpapi import hangs
from taki_project.local.postgres import GRANTS, Postgres
from tests.databases import Connection
from tests.httpapi.calls import Answer, call
from tests.httpapi.test_limits import asked

pytestmark = [pytest.mark.urls("tests.httpapi.urls"), pytest.mark.django_db(transaction=True)]

SHORT = 1.0


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(hangs, "LONGEST_SECONDS", SHORT)
    monkeypatch.setattr("httpapi.counts.BREAK_SECONDS", 3600.0)
    hangs.watch().breaker.succeeded()
    yield
    hangs.watch().breaker.succeeded()


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """The address of the database leads to somebody who takes every connection and never says a word."""
    kept = dict(connection.settings_dict)
    connection.close()
    with socket.create_server(("127.0.0.1", 0)) as server:
        options = {**kept["OPTIONS"], "connect_timeout": 2}
        connection.settings_dict |= {"HOST": "127.0.0.1", "PORT": str(server.getsockname()[1]), "OPTIONS": options}
        yield server
    connection.close()
    connection.settings_dict |= kept


def held(superuser: Connection) -> None:
    """Keep everybody away from the groups until the transaction ends."""
    superuser.execute("SET LOCAL idle_in_transaction_session_timeout = '60s'")  # a call that waits for ever fails
    superuser.execute("LOCK TABLE auth_group IN ACCESS EXCLUSIVE MODE")


def timed(path: str, method: str = "GET", body: object = None, **headers: str) -> tuple[float, Answer]:
    began = time.monotonic()
    answer = call(method, f"/api/test/{path}", body, **headers)
    return time.monotonic() - began, answer


def test_a_statement_that_gets_no_answer_is_given_up(superuser: Connection) -> None:
    call("GET", "/api/test/numbers").ok()
    with superuser.transaction():
        held(superuser)
        seconds, answer = timed("numbers")
    answer.refused(503, "database_away")
    assert answer.headers["Retry-After"] == "2"
    assert seconds >= SHORT


def test_a_write_that_was_given_up_is_done_once_by_its_repeat(superuser: Connection) -> None:
    key = "a-key-that-is-hard-to-guess-0002"
    with superuser.transaction():
        held(superuser)
        _, answer = timed("effect", "POST", {"name": "a"}, idempotency_key=key)
        answer.refused(503, "database_away")
    hangs.watch().breaker.succeeded()
    timed("effect", "POST", {"name": "a"}, idempotency_key=key)[1].ok(201)
    assert Group.objects.count() == 1


def test_who_would_have_to_connect_meanwhile_is_told_at_once() -> None:
    connection.close()
    hangs.watch().breaker.failed()
    _, answer = timed("numbers")
    answer.refused(503, "database_away")
    assert connection.connection is None


def test_who_has_a_connection_that_works_shows_that_the_database_is_there(superuser: Connection) -> None:
    call("GET", "/api/test/numbers").ok()
    hangs.watch().breaker.failed()
    call("GET", "/api/test/numbers").ok()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_on_a_new_connection).result().ok()


def _on_a_new_connection() -> Answer:
    try:
        return call("GET", "/api/test/numbers")
    finally:
        connection.close()


def test_a_server_that_takes_connections_and_says_nothing_costs_the_first_caller_alone(silent: socket.socket) -> None:
    _, answer = timed("numbers")
    answer.refused(503, "database_away")
    assert asked(silent) >= 1
    _, answer = timed("numbers")
    answer.refused(503, "database_away")
    assert asked(silent) == 0


def test_a_call_that_is_busy_with_itself_is_left_alone() -> None:
    connection.ensure_connection()
    guard = hangs.watch()
    with guard.over(connection):
        for _ in range(20):
            guard.look()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")


def test_a_process_that_hangs_in_its_work_keeps_its_locks_for_a_minute_at_most(servers: Postgres) -> None:
    with servers.connect() as superuser:
        superuser.execute(GRANTS.read_bytes())
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("1min",)
