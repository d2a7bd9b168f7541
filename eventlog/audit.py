"""Recomputing the proof of whole streams, in batches that each see one moment of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from msgspec import Struct

from eventlog import checkpoint_audit, checkpoint_store, store
from eventlog.chain import verify, verify_texts
from eventlog.checkpoints import Mention, name_of
from eventlog.checks import CHECKS, EXPECTED
from eventlog.partitions import Month
from eventlog.records import Break, Flaw, SaltedText, StoredEvent

_BATCH: Final = 5_000
"""Events looked at in one snapshot: bounds memory, and how long the database keeps old rows for us."""


class Outcome(Struct, frozen=True):
    """What was found of one stream; `erased` counts events whose free text is no longer there."""

    stream: UUID
    events: int
    erased: int
    broken: Break | None


def streams_since(since: datetime | None, archived: Collection[Month] = ()) -> dict[UUID, int]:
    """How many events there are of each stream that has one at or after a moment, and 0 of each that lost them all.

    Streams opened in a month that is archived elsewhere are not missed.
    """
    after = -1 if since is None else since.timestamp() * 1000
    statement = "SELECT stream, count(*), max(at) FROM eventlog_event GROUP BY stream ORDER BY stream"
    with store.cursor() as cursor:
        rows = cursor.execute(statement).fetchall()
        noted = {stream for (stream,) in cursor.execute("SELECT DISTINCT stream FROM eventlog_text")}
    expected = noted.union(checkpoint_store.mentioned(), *(streams() for streams in EXPECTED))
    lost = {stream for stream in expected.difference(row[0] for row in rows) if not _is_of(stream, archived)}
    return {stream: count for stream, count, last in rows if last >= after} | dict.fromkeys(sorted(lost), 0)


def _is_of(stream: UUID, months: Collection[Month]) -> bool:
    return any(month.first_id <= stream < month.following.first_id for month in months)


class _Found(Struct, frozen=True):
    """All that one moment of the database holds of a stream; `waits`: the next checkpoint is going to hold it."""

    stream: UUID
    rows: Sequence[StoredEvent]
    texts: Mapping[int, SaltedText]
    mentions: Sequence[Mention]
    waits: bool


def verify_streams(sizes: Mapping[UUID, int], kept: Mapping[str, Sequence[Mention]] | None = None) -> Iterator[Outcome]:
    """Verify each stream: numbers and digests, checkpoints, free text, then what other apps registered.

    `kept` are heads, by name of their stream, that checkpoints outside of the database mention.
    """
    for batch in _batches(sizes):
        with _snapshot():
            for found in _read(batch, kept or {}):
                erased = sum(row.text_hash is not None and row.version not in found.texts for row in found.rows)
                yield Outcome(found.stream, len(found.rows), erased, _break(found))


def _read(batch: Sequence[UUID], kept: Mapping[str, Sequence[Mention]]) -> Iterator[_Found]:
    events, texts, mentions = store.read_all(batch), store.all_texts(batch), checkpoint_store.mentions(batch)
    uncovered = [stream for stream in batch if len(events[stream]) > _covered(mentions[stream])]
    waiting = checkpoint_store.waiting(uncovered) if uncovered else set()
    for stream in batch:
        known = [*mentions[stream], *(kept.get(name_of(stream), ()) if kept else ())]
        yield _Found(stream, events[stream], texts[stream], known, stream in waiting)


def _covered(mentions: Sequence[Mention]) -> int:
    return max((mention.version for mention in mentions), default=0)


def _break(found: _Found) -> Break | None:
    stream, rows = found.stream, found.rows
    if not rows:
        return Break(stream, 1, Flaw.MISSING, "missing, like all events of this stream")
    broken = verify(rows) or checkpoint_audit.break_of(rows, found.mentions, waits=found.waits)
    if broken := broken or verify_texts(stream, rows, found.texts):
        return broken
    return next((broken for check in CHECKS if (broken := check(stream, rows))), None)


def _batches(sizes: Mapping[UUID, int]) -> Iterator[list[UUID]]:
    batch: list[UUID] = []
    events = 0
    for stream, count in sizes.items():
        batch.append(stream)
        events += count
        if events >= _BATCH:
            yield batch
            batch, events = [], 0
    if batch:
        yield batch


@contextmanager
def _snapshot() -> Iterator[None]:
    """Checks compare the log with rows of other tables: both must be of one moment, whatever is played meanwhile."""
    if connection.in_atomic_block:  # somebody else's transaction has begun, its isolation is theirs
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
