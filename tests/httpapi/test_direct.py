"""The direct way to the database gives what a cursor gives, refuses as a cursor refuses, and keeps out of transactions."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from psycopg import errors

from accounts.models import Player
from httpapi.database import kept_cursor, one_row
from httpapi.direct import Direct, direct, writing

pytestmark = pytest.mark.django_db(transaction=True)

ID = uuid4()
WIDE = """SELECT %s::uuid, %s::text, %s::bytea, %s::bigint, %s::smallint, %s::text, now(), true, ARRAY['a', 'b'],
    '{"a": 1}'::json::text, 1.5::float8, NULL::timestamptz, date '2026-11-30'"""
PARAMS = (ID, "ü\n%s", b"\x00\xff", 2**40, -7, None)


def way() -> Direct:
    found = direct()
    assert found is not None
    return found


@pytest.mark.parametrize("query", [WIDE, WIDE.encode()])
def test_a_row_is_what_a_cursor_reads(query: Any) -> None:
    by_cursor: Any = kept_cursor().execute(query, PARAMS, binary=True).fetchone()
    for _ in range(8):  # beyond the point at which the server plans for all parameters at once
        row = way().row(query, PARAMS)
        assert row is not None
        assert (row[:6], row[7:]) == (by_cursor[:6], by_cursor[7:])
        assert row[6].tzinfo is not None


def test_rows_of_another_length_come_whole_each_time() -> None:
    for words in ("", "x", "x" * 100_000, None):
        assert way().row("SELECT %s::text", (words,)) == (words,)
    assert way().row("SELECT 1 WHERE %s::bigint = 2", (1,)) is None


def test_what_was_written_is_counted_and_kept() -> None:
    insert = "INSERT INTO players (id, kind, display_name, language, password, is_superuser, may_review, is_active, is_staff) "
    with writing() as sender:
        assert isinstance(sender, Direct)
        for number in range(3):
            sender.execute(
                insert + "SELECT %s, 'human', %s, 'en', '', false, false, true, false", (uuid4(), f"P {number}")
            )
            assert sender.rowcount == 1
        sender.execute("UPDATE players SET language = %s WHERE display_name LIKE 'P _'".replace("%s", "'cy'"), ())
        assert sender.rowcount == 3
    assert Player.objects.filter(language="cy").count() == 3


def test_refusals_are_the_drivers_own_and_the_connection_stays_good() -> None:
    with pytest.raises(errors.UndefinedTable):
        way().row("SELECT 1 FROM nothing_there", ())
    with pytest.raises(errors.DivisionByZero):
        way().row("SELECT 1 / %s::int", (0,))
    with pytest.raises(psycopg.DataError):
        way().row("SELECT %s::text", ("a\x00b",))
    with pytest.raises(TypeError):
        way().row("SELECT %s::text", ([],))
    assert way().row("SELECT %s::int", (1,)) == (1,)


def insert_once_more() -> None:
    with writing() as sender:
        assert isinstance(sender, Direct)
        sender.execute("INSERT INTO once VALUES (%s)", (1,))


def test_a_breach_of_uniqueness_names_its_table_and_is_djangos() -> None:
    way().execute("CREATE TEMPORARY TABLE once (id int PRIMARY KEY)", ())
    way().execute("INSERT INTO once VALUES (%s)", (1,))
    with pytest.raises(IntegrityError) as refusal:
        insert_once_more()
    cause = refusal.value.__cause__
    assert isinstance(cause, errors.UniqueViolation)
    assert cause.diag.table_name == "once"


def test_a_statement_that_the_server_forgot_is_prepared_anew() -> None:
    assert way().row("SELECT %s::int", (1,)) == (1,)
    way().connection.execute("DEALLOCATE ALL")
    assert way().row("SELECT %s::int", (2,)) == (2,)


def test_a_rollback_of_the_driver_costs_no_call_its_answer() -> None:
    """It forgets every prepared statement of the connection."""
    assert way().row("SELECT %s::int", (1,)) == (1,)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        raise_within()
    assert way().row("SELECT %s::int", (2,)) == (2,)


def raise_within() -> None:
    for _ in range(8):
        kept_cursor().execute("SELECT 1")
    raise ZeroDivisionError


def test_a_statement_whose_columns_a_migration_changed_is_prepared_anew() -> None:
    way().execute("CREATE TEMPORARY TABLE wide (a int)", ())
    assert way().row("SELECT * FROM wide", ()) is None
    way().execute("INSERT INTO wide VALUES (1)", ())
    assert way().row("SELECT * FROM wide", ()) == (1,)
    way().execute("ALTER TABLE wide ADD COLUMN b text DEFAULT 'x'", ())
    assert way().row("SELECT * FROM wide", ()) == (1, "x")


def test_inside_a_transaction_the_cursor_is_asked() -> None:
    with transaction.atomic():
        assert direct() is None
        with writing() as sender:
            assert isinstance(sender, psycopg.Cursor)
        assert one_row("SELECT %s::int", (1,)) == (1,)
    assert one_row("SELECT %s::int", (1,)) == (1,)


def test_where_nothing_may_be_prepared_the_cursor_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    monkeypatch.setitem(settings.DATABASES["default"]["OPTIONS"], "prepare_threshold", None)
    assert direct() is None


def test_a_new_connection_knows_none_of_the_old_ones_statements() -> None:
    first = way()
    assert first.row("SELECT %s::uuid", (ID,)) == (UUID(str(ID)),)
    connection.close()
    assert way() is not first
    assert way().row("SELECT %s::uuid", (ID,)) == (ID,)


def test_a_connection_that_the_server_ended_is_told_and_replaced() -> None:
    backend = one_row("SELECT pg_backend_pid()", ())[0]
    old = way()
    with psycopg.connect(connection.connection.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
    with pytest.raises(psycopg.OperationalError):
        old.row("SELECT 1", ())
    assert one_row("SELECT 1", ()) == (1,)
