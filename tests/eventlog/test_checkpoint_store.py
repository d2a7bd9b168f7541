"""Making checkpoints on real PostgreSQL: what they hold, who signs, who may write, and that no late commit is missed."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from uuid_utils.compat import uuid7

from eventlog import checkpoint_rows, checkpoint_store, roles, store
from eventlog.chain import chain
from eventlog.checkpoint_store import make_checkpoint, make_checkpoints, regular, renewal, rotation
from eventlog.checkpoints import Mention, chain_faults, list_fault
from eventlog.keyring import KeyRing, NoSuchKeyError
from eventlog.records import Head, StoredEvent
from tests.databases import Connection
from tests.eventlog.keys import BOTH, PUBLIC, RING, SECOND, SECOND_PUBLIC, THIRD
from tests.eventlog.samples import lamps, lit, stamp


def append(rows: Sequence[StoredEvent]) -> list[StoredEvent]:
    with store.cursor() as cursor:
        store.append(cursor, rows)
    return list(rows)


def more(head: Head) -> list[StoredEvent]:
    return append(chain(head, [lit(7)], stamp()))


def made(ring: KeyRing = RING) -> Mention | None:
    """A checkpoint of one stream at most: what it holds."""
    (checkpoint,) = make_checkpoints(ring)
    return held(checkpoint.header.number)


def held(number: int) -> Mention | None:
    mentions = [
        each for several in checkpoint_store.mentions(checkpoint_store.mentioned()).values() for each in several
    ]
    return next((each for each in mentions if each.number == number), None)


@pytest.mark.django_db
def test_a_checkpoint_holds_the_heads_of_the_streams_that_changed(stream: UUID) -> None:
    rows, other = append(lamps(stream, 2)), append(lamps(uuid7(), 1))

    (checkpoint,) = make_checkpoints(RING)

    assert checkpoint.header.streams == 2
    assert checkpoint_store.mentions([stream, other[0].stream]) == {
        stream: [Mention(1, 4, rows[-1].digest)],
        other[0].stream: [Mention(1, 2, other[-1].digest)],
    }
    assert list_fault(checkpoint.header, checkpoint_store.heads_in(1)) is None


@pytest.mark.django_db
def test_the_next_one_holds_only_what_changed_since(stream: UUID) -> None:
    rows = append(lamps(stream, 2))
    append(lamps(uuid7(), 1))
    make_checkpoints(RING)

    last = more(rows[-1].head)

    assert made() == Mention(2, 5, last[-1].digest)


@pytest.mark.django_db
def test_a_checkpoint_of_an_idle_hour_is_empty_and_still_signed() -> None:
    make_checkpoints(RING)
    (second,) = make_checkpoints(RING)

    assert (second.header.number, second.header.streams) == (2, 0)
    assert list(chain_faults(checkpoint_rows.everything(), [PUBLIC])) == []


@pytest.mark.django_db
def test_more_streams_than_one_checkpoint_takes_make_several() -> None:
    streams = [append(lamps(uuid7(), 1))[0].stream for _ in range(5)]

    several = make_checkpoints(RING, most=2)

    assert [each.header.streams for each in several] == [2, 2, 1]
    assert all(len(mentions) == 1 for mentions in checkpoint_store.mentions(streams).values())
    assert list(chain_faults(several, [PUBLIC])) == []


@pytest.mark.django_db
def test_a_guarded_write_that_was_overtaken_is_no_change(stream: UUID) -> None:
    rows = lamps(stream, 1)
    with store.cursor() as cursor:
        assert not store.insert_guarded(cursor, "moved AS (SELECT %s::uuid AS id WHERE false)", [stream], rows)
        assert checkpoint_store.waiting([stream]) == set()
        assert store.insert_guarded(cursor, "moved AS (SELECT %s::uuid AS id)", [stream], rows)

    assert checkpoint_store.waiting([stream]) == {stream}


# --- late commits --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_commits_after_the_checkpoint_is_in_the_next_one(
    stream: UUID, superuser: Connection
) -> None:
    """Its events carry earlier times than the checkpoint and than events that are in it."""
    superuser.execute("BEGIN")
    store.append(superuser.cursor(), lamps(stream, 1))
    other = append(lamps(uuid7(), 1))

    assert made() == Mention(1, 2, other[-1].digest), "nobody waits for the held transaction"
    superuser.execute("COMMIT")

    assert made() == Mention(2, 2, store.find_head(stream).digest)


@pytest.mark.django_db(transaction=True)
def test_a_stream_that_is_checkpointed_while_its_next_event_is_held_is_listed_again(
    stream: UUID, superuser: Connection
) -> None:
    rows = append(lamps(stream, 1))
    later = chain(rows[-1].head, [lit(5)], stamp())
    superuser.execute("BEGIN")
    store.append(superuser.cursor(), later)

    assert made() == Mention(1, 2, rows[-1].digest)
    assert made() is None
    superuser.execute("COMMIT")

    assert made() == Mention(3, 3, later[-1].digest)


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_rolled_back_leaves_nothing_to_list(stream: UUID, superuser: Connection) -> None:
    superuser.execute("BEGIN")
    store.append(superuser.cursor(), lamps(stream, 1))
    superuser.execute("ROLLBACK")

    assert made() is None


@pytest.mark.django_db(transaction=True)
def test_a_checkpoint_that_is_rolled_back_takes_nothing_with_it(stream: UUID) -> None:
    append(lamps(stream, 1))
    with transaction.atomic():
        make_checkpoints(RING)
        transaction.set_rollback(True)

    assert checkpoint_rows.last() is None
    assert made() is not None


@pytest.mark.django_db(transaction=True)
def test_writers_do_not_wait_for_a_checkpoint_that_is_being_made(stream: UUID, superuser: Connection) -> None:
    superuser.execute("BEGIN")
    superuser.execute("LOCK TABLE eventlog_changed IN SHARE UPDATE EXCLUSIVE MODE")
    superuser.execute("DELETE FROM eventlog_changed")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '2s'")
    append(lamps(stream, 1))
    superuser.execute("COMMIT")

    assert made() is not None


@pytest.mark.django_db(transaction=True)
def test_however_moves_and_checkpoints_interleave_every_last_head_is_held() -> None:
    stop = Signal()
    streams = [uuid7() for _ in range(6)]

    def write(stream: UUID) -> Head:
        head = Head.before(stream)
        try:
            while not stop.is_set():
                with transaction.atomic():
                    head = append(chain(head, [lit(1)], stamp()))[-1].head
        finally:
            connection.close()
        return head

    def keep() -> int:
        try:
            return sum(len(make_checkpoints(RING, most=4)) for _ in range(15))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        writers = [threads.submit(write, stream) for stream in streams]
        keepers = [threads.submit(keep) for _ in range(2)]
        number = sum(keeper.result() for keeper in keepers)
        stop.set()
        heads = [writer.result() for writer in writers]
    make_checkpoints(RING)

    mentions = checkpoint_store.mentions(streams)
    everything = list(checkpoint_rows.everything(step=7))
    assert [each.header.number for each in everything] == list(range(1, number + 2))
    assert list(chain_faults(everything, [PUBLIC])) == []
    for head in heads:
        assert (mentions[head.stream][-1].version, mentions[head.stream][-1].digest) == (head.version, head.digest)
        digests = {row.version: row.digest for row in store.read(head.stream)}
        assert all(digests[each.version] == each.digest for each in mentions[head.stream])


# --- keys ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_old_key_signs_the_handover_and_the_new_one_what_follows() -> None:
    make_checkpoints(RING)
    handover = make_checkpoint(rotation(BOTH))
    (after,) = make_checkpoints(KeyRing([SECOND]))

    assert (handover.header.key, handover.header.next_key, after.header.key) == (PUBLIC, SECOND_PUBLIC, SECOND_PUBLIC)
    assert list(chain_faults(checkpoint_rows.everything(), [PUBLIC])) == []
    assert [(first.header.number, last.header.number) for first, last in checkpoint_rows.terms()] == [(1, 2), (3, 3)]


@pytest.mark.django_db
def test_without_the_key_that_is_named_nothing_is_signed_and_nothing_lost(stream: UUID) -> None:
    make_checkpoints(RING)
    append(lamps(stream, 1))

    with pytest.raises(NoSuchKeyError, match=PUBLIC):
        make_checkpoints(KeyRing([THIRD]))

    assert made() is not None


@pytest.mark.django_db
def test_in_the_place_of_a_lost_key_another_goes_on() -> None:
    make_checkpoints(RING)
    make_checkpoint(renewal(KeyRing([SECOND])))

    stored = list(checkpoint_rows.everything())
    assert list(chain_faults(stored, [SECOND_PUBLIC])) == []
    assert len(list(chain_faults(stored, [PUBLIC]))) == 1


# --- who may write -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE eventlog_checkpoint SET signed = ''",
        "DELETE FROM eventlog_checkpoint",
        "UPDATE eventlog_mention SET version = 1",
        "DELETE FROM eventlog_mention",
        "TRUNCATE eventlog_mention",
        "UPDATE eventlog_changed SET stream = gen_random_uuid()",
    ],
)
def test_the_application_role_may_only_add_checkpoints(
    written: list[StoredEvent], undone: CursorWrapper, change: str
) -> None:
    make_checkpoints(RING)
    roles.settle(connection, "taki_app")
    undone.execute("SET LOCAL ROLE taki_app")

    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        undone.execute(change)


@pytest.mark.parametrize("role", ["postgres", "taki_owner"])
@pytest.mark.parametrize("table", ["eventlog_checkpoint", "eventlog_mention"])
def test_the_trigger_refuses_to_change_checkpoints(
    written: list[StoredEvent], undone: CursorWrapper, table: str, role: str
) -> None:
    make_checkpoint(regular(RING))
    undone.execute(f"SET LOCAL ROLE {role}")

    for change in (f"UPDATE {table} SET number = 9", f"DELETE FROM {table}"):
        with pytest.raises(DatabaseError, match="checkpoints are append-only"), transaction.atomic():
            undone.execute(change)


@pytest.mark.django_db
def test_the_column_of_the_key_is_what_was_signed() -> None:
    make_checkpoints(RING)
    make_checkpoint(rotation(BOTH))
    with connection.cursor() as cursor:
        cursor.execute("SELECT key, signed FROM eventlog_checkpoint")
        for key, signed in cursor.fetchall():
            assert key == json.loads(signed)["key"]


@pytest.mark.django_db
def test_checkpoints_are_read_forward_backward_and_one_by_one() -> None:
    for _ in range(5):
        make_checkpoints(RING)

    assert [each.header.number for each in checkpoint_rows.newest_first(None, 2)] == [5, 4]
    assert [each.header.number for each in checkpoint_rows.newest_first(4, 9)] == [3, 2, 1]
    assert [each.header.number for each in checkpoint_rows.oldest_first(3, 9)] == [4, 5]
    assert checkpoint_rows.find(3) in list(checkpoint_rows.everything())
    assert checkpoint_rows.find(6) is None
