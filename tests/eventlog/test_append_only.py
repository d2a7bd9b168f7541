"""The database itself keeps the log as it was written."""

from uuid import UUID

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg import errors

from eventlog import roles, store
from eventlog.records import StoredEvent
from eventlog.roles import Standing

APPLICATION = "taki_app"
CHANGES = [
    "UPDATE eventlog_event SET seat = 3",
    "UPDATE eventlog_event SET payload = '{}' WHERE version = 2",
    "DELETE FROM eventlog_event",
    "INSERT INTO eventlog_event SELECT * FROM eventlog_event ON CONFLICT (stream, version) DO UPDATE SET seat = 3",
]


@pytest.mark.parametrize("change", [*CHANGES, "TRUNCATE eventlog_event", "DELETE FROM eventlog_event_default"])
def test_the_application_role_may_not_change_events(
    written: list[StoredEvent], undone: CursorWrapper, change: str
) -> None:
    assert roles.settle(connection, APPLICATION) is Standing.CONFINED
    undone.execute(f"SET LOCAL ROLE {APPLICATION}")

    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        undone.execute(change)


@pytest.mark.parametrize("change", ["UPDATE eventlog_text SET text = ''", "TRUNCATE eventlog_text"])
def test_the_application_role_may_not_change_texts(
    written: list[StoredEvent], undone: CursorWrapper, change: str
) -> None:
    roles.settle(connection, APPLICATION)
    undone.execute(f"SET LOCAL ROLE {APPLICATION}")

    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        undone.execute(change)


def test_the_tests_themselves_write_as_the_application_role(written: list[StoredEvent]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")

        assert cursor.fetchone() == (APPLICATION,)


@pytest.mark.parametrize("change", CHANGES)
def test_the_trigger_refuses_even_the_superuser(
    superuser: psycopg.Connection[tuple[object, ...]], written: list[StoredEvent], change: str
) -> None:
    with pytest.raises(errors.RestrictViolation, match=r"append-only: (UPDATE|DELETE) of event"):
        superuser.execute(change)

    assert store.read(written[0].stream)[0].digest == written[0].digest


def test_the_trigger_guards_partitions_that_are_addressed_by_name(
    superuser: psycopg.Connection[tuple[object, ...]], written: list[StoredEvent]
) -> None:
    found = superuser.execute("SELECT DISTINCT tableoid::regclass::text FROM eventlog_event").fetchall()
    assert found
    for (table,) in found:
        with pytest.raises(errors.RestrictViolation):
            superuser.execute(f"DELETE FROM {table}")


def test_the_trigger_refuses_to_change_a_text(
    superuser: psycopg.Connection[tuple[object, ...]], written: list[StoredEvent]
) -> None:
    with pytest.raises(errors.RestrictViolation):
        superuser.execute("UPDATE eventlog_text SET text = ''")


@pytest.mark.parametrize(
    "column, value", [("salt", "'\\x00'"), ("digest", "'\\x00'"), ("version", "0"), ("payload", "'{'")]
)
def test_a_malformed_event_is_refused(stream: UUID, written: list[StoredEvent], column: str, value: str) -> None:
    columns = ["stream", "version", "at", "kind", "kind_version", "cause", "salt", "digest", "payload"]
    chosen = ", ".join(value if each == column else each for each in columns)

    with (
        pytest.raises((IntegrityError, DatabaseError), match=r"check constraint|invalid input syntax"),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"INSERT INTO eventlog_event ({', '.join(columns)}) SELECT {chosen} FROM eventlog_event LIMIT 1")
