"""`manage.py verify_log` on a log that somebody with all power over the database has changed."""

from collections.abc import Sequence
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db.backends.utils import CursorWrapper
from msgspec.structs import replace
from uuid_utils.compat import uuid7

from eventlog import checks, store
from eventlog.chain import chain, covered, verify
from eventlog.digest import digest
from eventlog.records import Break, Flaw, Head, StoredEvent
from tests.eventlog.samples import lamps, lit, stamp

ALTERATIONS = {
    "at": "at + 1",
    "kind": "'lamp_broken'",
    "kind_version": "7",
    "cause": "4",
    "seat": "8",
    "span": "3",
    "actor": "gen_random_uuid()",
    "command_id": "gen_random_uuid()",
    "salt": "decode(repeat('00', 16), 'hex')",
    "digest": "decode(repeat('00', 32), 'hex')",
    "text_hash": "decode(repeat('00', 32), 'hex')",
    "fingerprint": "decode('00', 'hex')",
    "payload": '\'{"colors":["amber"],"lamp":1}\'::json',
}


def verified(*options: str) -> str:
    """What the command printed; it raises if something is broken."""
    output = StringIO()
    call_command("verify_log", *options, stdout=output)
    return output.getvalue()


def first_broken(*options: str) -> str:
    """The complaint, after which the process ends with status 1."""
    with pytest.raises(CommandError) as complaint:
        verified(*options)
    assert complaint.value.returncode == 1
    return str(complaint.value)


def watch(head: Head) -> None:
    """Register what games register: the head of a stream as another table knows it."""
    checks.register(lambda stream, rows: verify(rows, head) if stream == head.stream else None)


def test_an_untouched_log_is_whole(written: list[StoredEvent]) -> None:
    output = verified()

    assert "1 games, 8 events verified, 0 texts erased\nno break found\n" in output
    assert "100 %  8 of 8 events" in output


def test_an_empty_log_is_whole(undone: CursorWrapper) -> None:
    assert verified() == "0 games, 0 events verified, 0 texts erased\nno break found\n"


@pytest.mark.parametrize("column", ALTERATIONS)
def test_an_altered_column_is_found(forger: CursorWrapper, written: list[StoredEvent], column: str) -> None:
    forger.execute(f"UPDATE eventlog_event SET {column} = {ALTERATIONS[column]} WHERE version = 3")

    assert f"first broken event: {written[0].stream} event 3: its content" in first_broken()


def test_no_proven_column_is_left_out_of_the_test_above() -> None:
    keys = {"stream", "version"}

    assert ALTERATIONS.keys() | keys | {"request_id", "text"} == set(StoredEvent.__struct_fields__)


@pytest.mark.parametrize("version", [1, 4, 7])
def test_a_removed_event_is_found(forger: CursorWrapper, written: list[StoredEvent], version: int) -> None:
    forger.execute("DELETE FROM eventlog_event WHERE version = %s", [version])

    assert f"{written[0].stream} event {version}: missing" in first_broken()


def test_two_swapped_events_are_found(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    forger.execute("UPDATE eventlog_event SET version = 100 WHERE version = 4")
    forger.execute("UPDATE eventlog_event SET version = 4 WHERE version = 6")
    forger.execute("UPDATE eventlog_event SET version = 6 WHERE version = 100")

    assert f"{written[0].stream} event 4: its content" in first_broken()


def test_an_event_moved_to_another_stream_is_found(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    elsewhere = uuid7()
    forger.execute("UPDATE eventlog_event SET stream = %s, version = 1 WHERE version = 8", [elsewhere])
    watch(written[-1].head)

    complaint = first_broken()

    assert complaint.startswith("2 games broken")
    assert f"{elsewhere} event 1: its content" in complaint or f"{written[0].stream} event 8: missing" in complaint


def test_an_invented_event_is_found(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    forger.execute(
        "INSERT INTO eventlog_event (stream, version, at, kind, kind_version, cause, salt, digest, payload) "
        "SELECT stream, 9, at, kind, kind_version, cause, salt, digest, payload FROM eventlog_event WHERE version = 8"
    )

    assert f"{written[0].stream} event 9: its content" in first_broken()


def test_an_event_resealed_by_itself_is_found_at_the_next(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    forged = replace(written[2], payload=b"{}")
    seal = digest(covered(forged, written[1].digest))
    forger.execute("UPDATE eventlog_event SET payload = '{}', digest = %s WHERE version = 3", [seal])

    assert f"{written[0].stream} event 4: its content" in first_broken()


def test_a_cut_tail_is_found_by_the_head_that_another_table_keeps(
    forger: CursorWrapper, written: list[StoredEvent]
) -> None:
    forger.execute("DELETE FROM eventlog_text WHERE version > 6")
    forger.execute("DELETE FROM eventlog_event WHERE version > 6")
    assert "no break found" in verified()
    watch(written[-1].head)

    assert f"{written[0].stream} event 7: missing: the log ends at 6, its head says 8" in first_broken()


def test_a_rewritten_stream_is_found_by_the_head_that_another_table_keeps(
    forger: CursorWrapper, written: list[StoredEvent]
) -> None:
    forger.execute("DELETE FROM eventlog_text")
    forger.execute("DELETE FROM eventlog_event")
    with store.cursor() as cursor:
        store.append(cursor, lamps(written[0].stream, 4))
    assert "no break found" in verified()
    watch(written[-1].head)

    assert f"{written[0].stream} event 8: its digest is not the head's" in first_broken()


def test_a_deleted_stream_is_found_if_another_table_still_expects_it(
    forger: CursorWrapper, written: list[StoredEvent]
) -> None:
    forger.execute("DELETE FROM eventlog_text")
    forger.execute("DELETE FROM eventlog_event")
    assert "no break found" in verified()
    checks.expect(lambda: [written[0].stream])

    assert f"{written[0].stream} event 1: missing, like all events" in first_broken()


def test_a_changed_text_is_found(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    forger.execute("UPDATE eventlog_text SET text = 'other words' WHERE version = 5")

    assert f"{written[0].stream} event 5: its text" in first_broken()


def test_an_invented_text_is_found(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    forger.execute("INSERT INTO eventlog_text VALUES (%s, 2, 'never said', %s)", [written[0].stream, bytes(16)])

    assert f"{written[0].stream} event 2: its text" in first_broken()


def test_an_erased_text_is_no_break_and_is_counted(written: list[StoredEvent]) -> None:
    assert store.erase_text(written[0].stream, 5)

    assert "8 events verified, 1 texts erased\nno break found" in verified()


def test_one_game_alone_is_verified(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    other = lamps(uuid7(), 1)
    with store.cursor() as cursor:
        store.append(cursor, other)
    forger.execute("UPDATE eventlog_event SET seat = 8 WHERE stream = %s AND version = 1", [other[0].stream])

    assert "1 games, 8 events verified" in verified("--game", str(written[0].stream))
    assert str(other[0].stream) in first_broken("--game", str(other[0].stream))


def test_a_game_that_nobody_knows_is_told_so(written: list[StoredEvent]) -> None:
    assert "the log holds nothing of" in first_broken("--game", str(uuid7()))


def test_only_games_with_later_events_are_verified(written: list[StoredEvent], stream: UUID) -> None:
    late = chain(Head.before(uuid7()), [lit(1)], replace(stamp(), at=written[0].at + 86_400_000))
    with store.cursor() as cursor:
        store.append(cursor, late)

    assert "2 games, 9 events" in verified("--since", "2026-11-30")
    assert "1 games, 1 events" in verified("--since", "2026-12-01")
    assert "0 games, 0 events" in verified("--since", "2026-12-02T00:00:00Z")


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError, match="not a date like 2026-11-30"):
        call_command("verify_log", "--since", "soon")


def test_every_broken_game_is_named_and_counted(forger: CursorWrapper, written: list[StoredEvent]) -> None:
    other = lamps(uuid7(), 1)
    with store.cursor() as cursor:
        store.append(cursor, other)
    forger.execute("UPDATE eventlog_event SET seat = 8 WHERE version = 2")
    output = StringIO()

    with pytest.raises(CommandError, match="2 games broken"):
        call_command("verify_log", stdout=output)

    told = [line for line in output.getvalue().splitlines() if line.startswith("BROKEN")]
    assert len(told) == 2


def test_a_registered_check_sees_each_whole_stream(written: list[StoredEvent]) -> None:
    seen: dict[UUID, int] = {}

    @checks.register
    def at_most_seven(stream: UUID, rows: Sequence[StoredEvent]) -> Break | None:
        seen[stream] = len(rows)
        return Break(stream, 8, Flaw.CHECK, "too bright") if len(rows) > 7 else None

    assert f"{written[0].stream} event 8: too bright (check)" in first_broken()
    assert seen == {written[0].stream: 8}


@pytest.mark.django_db(transaction=True)
def test_more_streams_than_one_batch_holds_are_all_verified_by_the_application_role() -> None:
    with store.cursor() as cursor:
        for _ in range(3):
            store.append(cursor, lamps(uuid7(), 1_300))

    assert "3 games, 7,800 events verified" in verified()
