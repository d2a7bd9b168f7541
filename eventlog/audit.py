"""Recomputing the proof of whole streams, in batches that each see one moment of the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from msgspec import Struct

from eventlog import store
from eventlog.chain import verify, verify_texts
from eventlog.checks import CHECKS, EXPECTED
from eventlog.records import Break, Flaw, SaltedText, StoredEvent

_BATCH: Final = 5_000
"""Events looked at in one snapshot: bounds memory, and how long the database keeps old rows for us."""


class Outcome(Struct, frozen=True):
    """What was found of one stream; `erased` counts events whose free text is no longer there."""

    stream: UUID
    events: int
    erased: int
    broken: Break | None


def streams_since(since: datetime | None) -> dict[UUID, int]:
    """How many events there are of each stream that has one at or after a moment, and 0 of each that lost them all."""
    after = -1 if since is None else since.timestamp() * 1000
    statement = "SELECT stream, count(*), max(at) FROM eventlog_event GROUP BY stream ORDER BY stream"
    with store.cursor() as cursor:
        rows = cursor.execute(statement).fetchall()
        noted = {stream for (stream,) in cursor.execute("SELECT DISTINCT stream FROM eventlog_text")}
    expected = noted.union(*(streams() for streams in EXPECTED))
    lost = expected.difference(stream for stream, _, _ in rows)
    return {stream: count for stream, count, last in rows if last >= after} | dict.fromkeys(sorted(lost), 0)


def verify_streams(sizes: Mapping[UUID, int]) -> Iterator[Outcome]:
    """Verify each stream: numbers and digests, then free text, then what other apps registered."""
    for batch in _batches(sizes):
        with _snapshot():
            events, texts = store.read_all(batch), store.all_texts(batch)
            for stream in batch:
                yield _outcome(stream, events[stream], texts[stream])


def _outcome(stream: UUID, rows: Sequence[StoredEvent], texts: Mapping[int, SaltedText]) -> Outcome:
    erased = sum(row.text_hash is not None and row.version not in texts for row in rows)
    return Outcome(stream, len(rows), erased, _break(stream, rows, texts))


def _break(stream: UUID, rows: Sequence[StoredEvent], texts: Mapping[int, SaltedText]) -> Break | None:
    if not rows:
        return Break(stream, 1, Flaw.MISSING, "missing, like all events of this stream")
    if broken := verify(rows) or verify_texts(stream, rows, texts):
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
