"""Many writers of one stream, each with a connection of its own, in autocommit."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import psycopg
import pytest
from django.db import connection

from eventlog import store
from eventlog.chain import chain, verify
from eventlog.records import Head
from eventlog.store import DuplicateCommandError
from tests.eventlog.samples import COMMAND, lit, stamp

WRITERS = 16
GUARD = "moved AS (UPDATE lamp_post SET version = %s, digest = %s WHERE id = %s AND version = %s RETURNING id)"


@pytest.fixture
def lamp_post(stream: UUID, superuser: psycopg.Connection[tuple[object, ...]]) -> Iterator[None]:
    """A row that keeps the stream's head, as a game's row does."""
    superuser.execute("CREATE TABLE lamp_post (id uuid PRIMARY KEY, version integer, digest bytea)")
    superuser.execute("INSERT INTO lamp_post VALUES (%s, 0, %s)", [stream, bytes(32)])
    superuser.execute("GRANT SELECT, UPDATE ON lamp_post TO PUBLIC")
    yield
    superuser.execute("DROP TABLE lamp_post")


def head_of(stream: UUID) -> Head:
    """The head as the guarded row has it."""
    with store.cursor() as cursor:
        ((version, digest),) = cursor.execute("SELECT version, digest FROM lamp_post WHERE id = %s", [stream])
        return Head(stream, version, digest)


def write(stream: UUID, command_id: UUID | None = None) -> bool:
    """Two events behind the head, unless somebody was faster."""
    head = head_of(stream)
    rows = chain(head, [lit(1), lit(2)], stamp(command_id))
    with store.cursor() as cursor:
        return store.insert_guarded(cursor, GUARD, [rows[-1].version, rows[-1].digest, stream, head.version], rows)


def at_once(work: Callable[[], int]) -> int:
    """The work done by every writer, and the sum of what they say."""

    def connected(_: int) -> int:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as writers:
        return sum(writers.map(connected, range(WRITERS)))


@pytest.mark.usefixtures("lamp_post")
def test_sixteen_writers_of_one_stream_leave_no_gap(stream: UUID) -> None:
    def ten_commands() -> int:
        lost = 0
        for _ in range(10):
            while not write(stream):
                lost += 1
        return lost

    lost = at_once(ten_commands)

    rows = store.read(stream)
    assert lost > 0, "nobody raced"
    assert [row.version for row in rows] == list(range(1, 2 * 10 * WRITERS + 1))
    assert verify(rows, head_of(stream)) is None


@pytest.mark.usefixtures("lamp_post")
def test_a_command_sent_by_sixteen_at_once_is_stored_once(stream: UUID) -> None:
    def one_command() -> int:
        try:
            while not write(stream, COMMAND):
                pass
        except DuplicateCommandError:
            return 0
        return 1

    assert at_once(one_command) == 1

    rows = store.read(stream)
    assert [row.version for row in rows] == [1, 2]
    assert head_of(stream) == rows[-1].head, "a refused repeat moved the guarded row"
