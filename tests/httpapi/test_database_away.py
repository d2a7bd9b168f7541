"""Without the database: 503 and when to come back, and no trace of it afterwards."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from psycopg import OperationalError

from httpapi.database import one_row, raw_cursor
from tests.databases import Connection
from tests.httpapi.calls import call

WELL_FORMED = "taki_eNAbFMgztrj38Vf7b2Tcy0AjiSz7WoBWlnAm1uFgA5S2dPWgd"
pytestmark = [pytest.mark.urls("tests.httpapi.urls"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def away() -> Iterator[None]:
    """The address of the database leads nowhere."""
    kept = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict |= {"HOST": "127.0.0.1", "PORT": "1"}
    yield
    connection.close()
    connection.settings_dict |= kept


def cut(superuser: Connection) -> None:
    """End the service's own connection from outside."""
    with raw_cursor() as cursor:
        row = cursor.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
    superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [row[0]])


@pytest.mark.usefixtures("away")
def test_callers_are_told_to_come_back() -> None:
    for answer in (
        call("GET", "/api/test/database"),
        call("GET", "/api/test/numbers"),
        call("GET", "/api/v1/players/01a22bc1-caf7-7096-9ac8-57b3ac132b70"),
        call("GET", "/api/test/signed-in", token=WELL_FORMED),
    ):
        answer.refused(503, "database_away")
        assert answer.headers["Retry-After"] == "2"


def test_the_connection_that_failed_is_given_up(superuser: Connection) -> None:
    cut(superuser)
    call("GET", "/api/test/database").refused(503, "database_away")
    assert connection.connection is None
    call("GET", "/api/test/database").ok()


def test_the_first_read_of_a_request_replaces_a_dropped_connection(superuser: Connection) -> None:
    cut(superuser)
    assert one_row("SELECT 1", ()) == (1,)


def test_within_a_transaction_nothing_is_replaced(superuser: Connection) -> None:
    with pytest.raises(OperationalError), transaction.atomic():
        _cut_and_ask(superuser)
    connection.close()


def _cut_and_ask(superuser: Connection) -> None:
    cut(superuser)
    one_row("SELECT 1", ())
