"""The database itself keeps the log as it was written."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from eventlog import roles
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


@pytest.mark.django_db
def test_the_tests_themselves_write_as_the_application_role() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")

        assert cursor.fetchone() == (APPLICATION,)


@pytest.mark.parametrize("role", ["postgres", "taki_owner"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_trigger_refuses_superuser_and_owner(
    written: list[StoredEvent], undone: CursorWrapper, change: str, role: str
) -> None:
    undone.execute(f"SET LOCAL ROLE {role}")

    with pytest.raises(IntegrityError, match=r"append-only: (UPDATE|DELETE) of event"), transaction.atomic():
        undone.execute(change)


def test_the_trigger_guards_partitions_that_are_addressed_by_name(
    written: list[StoredEvent], undone: CursorWrapper
) -> None:
    undone.execute("SELECT DISTINCT tableoid::regclass::text FROM eventlog_event")
    tables = undone.fetchall()

    assert tables
    for (table,) in tables:
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            undone.execute(f"DELETE FROM {table}")


def test_the_trigger_refuses_to_change_a_text(written: list[StoredEvent], undone: CursorWrapper) -> None:
    with pytest.raises(IntegrityError, match="append-only"):
        undone.execute("UPDATE eventlog_text SET text = ''")


@pytest.mark.parametrize(
    "column, value", [("salt", "'\\x00'"), ("digest", "'\\x00'"), ("version", "0"), ("payload", "'{'")]
)
def test_a_malformed_event_is_refused(
    written: list[StoredEvent], undone: CursorWrapper, column: str, value: str
) -> None:
    columns = ["stream", "version", "at", "kind", "kind_version", "cause", "salt", "digest", "payload"]
    chosen = ", ".join(value if each == column else each for each in columns)

    with pytest.raises(DatabaseError, match=r"check constraint|invalid input syntax"):
        undone.execute(f"INSERT INTO eventlog_event ({', '.join(columns)}) SELECT {chosen} FROM eventlog_event LIMIT 1")
