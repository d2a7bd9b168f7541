"""Streams in the database, an empty registry of checks, and a connection that rules over the database."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from pytest_django import DjangoDbBlocker
from uuid_utils.compat import uuid7

from eventlog import checks, store
from eventlog.records import StoredEvent
from tests.eventlog.samples import lamps


@pytest.fixture(autouse=True)
def _no_foreign_checks() -> Iterator[None]:
    """What other apps register is not true of lamps."""
    kept = checks.CHECKS[:], checks.EXPECTED[:]
    checks.CHECKS[:], checks.EXPECTED[:] = [], []
    yield
    checks.CHECKS[:], checks.EXPECTED[:] = kept


@pytest.fixture
def stream() -> UUID:
    """The id of a stream that holds nothing yet."""
    return uuid7()


@pytest.fixture
def undone(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[CursorWrapper]:
    """Django's own connection as the database's superuser, in a transaction of which nothing stays."""
    application = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = "postgres"
    try:
        with django_db_blocker.unblock(), transaction.atomic(), connection.cursor() as cursor:
            yield cursor
            transaction.set_rollback(True)
    finally:
        connection.close()
        connection.settings_dict["USER"] = application


@pytest.fixture
def written(stream: UUID, undone: CursorWrapper) -> list[StoredEvent]:
    """Eight events of four commands, with texts on the odd versions."""
    rows = lamps(stream, 4, text="words")
    with store.cursor() as cursor:
        store.append(cursor, rows)
    return rows


@pytest.fixture
def forger(undone: CursorWrapper) -> CursorWrapper:
    """The superuser, who has taken the triggers away."""
    undone.execute("ALTER TABLE eventlog_event DISABLE TRIGGER eventlog_event_append_only")
    undone.execute("ALTER TABLE eventlog_text DISABLE TRIGGER eventlog_text_written_once")
    return undone
