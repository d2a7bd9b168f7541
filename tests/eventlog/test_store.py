"""Writing and reading on real PostgreSQL."""

import traceback
from uuid import UUID

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from msgspec.structs import replace
from uuid_utils.compat import uuid7

from eventlog import store
from eventlog.chain import chain, verify
from eventlog.models import Event
from eventlog.records import Cause, Head, NewEvent, StoredEvent
from tests.eventlog.samples import COMMAND, fixed_lamps, lamps, lit, stamp

pytestmark = pytest.mark.django_db
FREE = "moved AS (SELECT %s::uuid AS id)"
HELD = "moved AS (SELECT %s::uuid AS id WHERE false)"


def insert(guards: str, rows: tuple[StoredEvent, ...]) -> bool:
    with store.cursor() as cursor:
        return store.insert_guarded(cursor, guards, [rows[0].stream], rows)


def as_read(rows: list[StoredEvent]) -> list[StoredEvent]:
    """Free text is read apart."""
    return [replace(row, text=None) for row in rows]


def test_events_are_read_as_they_were_written(stream: UUID) -> None:
    rows = chain(Head.before(stream), [lit(1, text="words"), lit(2, cause=Cause.CLOCK), lit(3, seat=None)], stamp())

    assert insert(FREE, rows)

    assert store.read(stream) == as_read(list(rows))


@pytest.mark.parametrize(
    "payload", ['{"b":1,"a":2}', '{"a" : [1,  2]}', '{"a":"א\\u00e9"}', '{"a":12345678901234567890}']
)
def test_a_payload_keeps_its_very_bytes(stream: UUID, payload: str) -> None:
    event = NewEvent(kind="lamp_lit", kind_version=1, payload=payload.encode())

    insert(FREE, chain(Head.before(stream), [event], stamp()))

    assert store.read(stream)[0].payload == payload.encode()


def test_a_payload_with_nul_is_refused(stream: UUID) -> None:
    event = NewEvent(kind="lamp_lit", kind_version=1, payload=b'{"a":"\\u0000"}')

    with pytest.raises(DataError), transaction.atomic():
        insert(FREE, chain(Head.before(stream), [event], stamp()))


@pytest.mark.parametrize("payload", [b'{"card":"red-5","b":"\\u0000"}', b'{"card":"red-5"'])
def test_a_refused_event_is_not_quoted_in_the_error(stream: UUID, payload: bytes) -> None:
    event = NewEvent(kind="lamp_lit", kind_version=1, payload=payload)

    with pytest.raises(DataError) as refusal, transaction.atomic():
        insert(FREE, chain(Head.before(stream), [event], stamp()))

    assert "red-5" not in "".join(traceback.format_exception(refusal.value))


def test_an_event_that_breaks_a_constraint_is_not_quoted_either(stream: UUID) -> None:
    (row,) = chain(Head.before(stream), [lit(1)], stamp(), salts=lambda _: b"short")

    with pytest.raises(IntegrityError, match="salt_check") as refusal, transaction.atomic():
        insert(FREE, (row,))

    assert "amber" not in "".join(traceback.format_exception(refusal.value))


def test_a_guard_that_returns_no_row_keeps_everything_out(stream: UUID) -> None:
    assert not insert(HELD, chain(Head.before(stream), [lit(1, text="words")], stamp()))

    assert store.read(stream) == []
    assert store.texts(stream) == {}


def test_what_the_guard_wrote_is_undone_when_the_events_are_refused(stream: UUID) -> None:
    rows = chain(Head.before(stream), [lit(1)], stamp())
    insert(FREE, rows)
    noting = "moved AS (INSERT INTO eventlog_text (stream, version, text, salt) VALUES (%s, 9, '', %s) "
    noting += "RETURNING stream AS id)"

    with pytest.raises(store.VersionTakenError), transaction.atomic(), store.cursor() as cursor:
        store.insert_guarded(cursor, noting, [stream, bytes(16)], rows)

    assert store.texts(stream) == {}


def test_a_command_is_stored_once(stream: UUID) -> None:
    first = chain(Head.before(stream), [lit(1), lit(2)], stamp(COMMAND))
    again = chain(first[-1].head, [lit(3)], stamp(COMMAND))
    insert(FREE, first)

    with pytest.raises(store.DuplicateCommandError, match=str(stream)), transaction.atomic():
        insert(FREE, again)

    assert len(store.read(stream)) == 2


def test_two_streams_may_hold_the_same_command_id(stream: UUID) -> None:
    insert(FREE, chain(Head.before(stream), [lit(1)], stamp(COMMAND)))

    assert insert(FREE, chain(Head.before(uuid7()), [lit(1)], stamp(COMMAND)))


def test_a_version_is_taken_once(stream: UUID) -> None:
    insert(FREE, chain(Head.before(stream), [lit(1)], stamp()))

    with pytest.raises(store.VersionTakenError), transaction.atomic():
        insert(FREE, chain(Head.before(stream), [lit(2)], stamp()))


def test_anothers_uniqueness_is_anothers_error(stream: UUID) -> None:
    rows = chain(Head.before(stream), [lit(1, text="words")], stamp())
    clash = "moved AS (INSERT INTO eventlog_text (stream, version, text, salt) VALUES (%s, 1, '', %s) "
    clash += "RETURNING stream AS id)"

    with pytest.raises(Exception, match="eventlog_text_pkey"), transaction.atomic(), store.cursor() as cursor:
        store.insert_guarded(cursor, clash, [stream, bytes(16)], rows)


def test_several_streams_move_in_one_statement(stream: UUID) -> None:
    other = uuid7()
    rows = [*lamps(stream, 2, text="words"), *lamps(other, 1)]
    moved = "moved AS (SELECT id, 0 AS version FROM unnest(%s::uuid[]) AS id)"

    with store.cursor() as cursor:
        store.insert_moved(cursor, moved, [[stream, other]], rows)

    assert store.read_all([stream, other]) == {stream: as_read(rows[:4]), other: as_read(rows[4:])}
    assert store.texts(stream).keys() == {1, 3}


def test_one_stream_that_did_not_move_keeps_all_out(stream: UUID) -> None:
    rows = [*lamps(stream, 1), *lamps(uuid7(), 1)]
    moved = "moved AS (SELECT id FROM unnest(%s::uuid[]) AS id)"

    with (
        pytest.raises(RuntimeError, match="4 events to insert, 2 inserted"),
        transaction.atomic(),
        store.cursor() as cursor,
    ):
        store.insert_moved(cursor, moved, [[stream]], rows)

    assert store.read(stream) == []


def test_a_command_is_found_with_all_its_events(stream: UUID) -> None:
    before = chain(Head.before(stream), [lit(1)], stamp())
    command = chain(before[-1].head, [lit(2), lit(3), lit(4)], stamp(COMMAND))
    after = chain(command[-1].head, [lit(5)], stamp())
    for rows in (before, command, after):
        insert(FREE, rows)

    assert store.find_command(stream, COMMAND) == list(command)
    assert store.find_command(stream, uuid7()) is None
    assert store.find_command(uuid7(), COMMAND) is None


def test_reading_goes_on_behind_a_version(stream: UUID) -> None:
    insert(FREE, chain(Head.before(stream), [lit(number) for number in range(9)], stamp()))

    assert [event.version for event in store.read(stream, after=4, limit=3)] == [5, 6, 7]
    assert store.read(stream, after=9) == []


def test_the_head_is_that_of_the_last_event(stream: UUID) -> None:
    assert store.find_head(stream) == Head.before(stream)

    rows = chain(Head.before(stream), [lit(1), lit(2)], stamp())
    insert(FREE, rows)

    assert store.find_head(stream) == rows[-1].head


def test_several_streams_are_read_at_once(stream: UUID) -> None:
    other, empty = uuid7(), uuid7()
    for each in (stream, other):
        insert(FREE, chain(Head.before(each), [lit(1), lit(2)], stamp()))

    found = store.read_all([other, empty, stream])

    assert found == {stream: store.read(stream), other: store.read(other), empty: []}


def test_an_erased_text_is_gone_and_the_proof_stays(stream: UUID) -> None:
    rows = chain(Head.before(stream), [lit(1), lit(2, text="words of Noa")], stamp())
    insert(FREE, rows)
    assert {version: text.text for version, text in store.texts(stream).items()} == {2: "words of Noa"}

    assert store.erase_text(stream, 2)

    assert store.texts(stream) == {}
    assert not store.erase_text(stream, 2)
    assert verify(store.read(stream), rows[-1].head) is None


def test_no_event_holds_its_free_text(stream: UUID) -> None:
    insert(FREE, chain(Head.before(stream), [lit(1, text="words of Noa")], stamp()))

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM eventlog_event e WHERE stream = %s AND e::text LIKE '%%Noa%%'", [stream])
        assert cursor.fetchone() == (0,)


def test_the_model_reads_what_the_store_wrote(stream: UUID) -> None:
    (row,) = chain(Head.before(stream), [lit(1)], stamp())
    insert(FREE, (row,))

    event = Event.objects.get(stream=stream)

    assert event.pk == (stream, 1)
    assert event.payload == row.payload.decode()
    assert event.get_cause_display() == "player"
    assert bytes(event.digest) == row.digest


def test_a_thousand_events_go_in_one_statement(stream: UUID) -> None:
    rows = lamps(stream, 500)

    with store.cursor() as cursor:
        assert store.insert_guarded(cursor, FREE, [stream], rows)

    assert verify(store.read(stream), rows[-1].head) is None


def test_events_without_a_command_are_as_many_as_one_likes(stream: UUID) -> None:
    rows = fixed_lamps()
    quiet = replace(stamp(), command_id=None, cause=Cause.SYSTEM)
    first = chain(Head.before(stream), [lit(1)], quiet)
    insert(FREE, first)

    assert insert(FREE, chain(first[-1].head, [lit(2)], quiet))
    assert rows[2].command_id is None
