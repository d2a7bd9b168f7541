"""Streams in the database, an empty registry of checks, and a connection that rules over the database."""

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
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
def written(stream: UUID, transactional_db: None) -> list[StoredEvent]:
    """Eight events of four commands, with texts on the odd versions, committed."""
    rows = lamps(stream, 4, text="words")
    with store.cursor() as cursor:
        store.append(cursor, rows)
    return rows


@pytest.fixture
def forger(superuser: psycopg.Connection[tuple[object, ...]]) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The database's superuser, with the trigger out of the way."""
    superuser.execute("ALTER TABLE eventlog_event DISABLE TRIGGER eventlog_event_append_only")
    superuser.execute("ALTER TABLE eventlog_text DISABLE TRIGGER eventlog_text_written_once")
    yield superuser
    superuser.execute("ALTER TABLE eventlog_event ENABLE TRIGGER eventlog_event_append_only")
    superuser.execute("ALTER TABLE eventlog_text ENABLE TRIGGER eventlog_text_written_once")


@pytest.fixture
def ruler(transactional_db: None) -> Iterator[BaseDatabaseWrapper]:
    """Django's own connection, as the superuser."""
    application = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = "postgres"
    yield connection
    connection.close()
    connection.settings_dict["USER"] = application


@pytest.fixture
def undone(ruler: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    """The superuser's cursor, in a transaction of which nothing stays."""
    with transaction.atomic(), ruler.cursor() as cursor:
        yield cursor
        transaction.set_rollback(True)
