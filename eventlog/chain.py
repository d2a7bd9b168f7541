"""Chaining new events to a stream, and finding where a chain is broken; pure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from msgspec import Raw
from msgspec.structs import replace

from eventlog.digest import SALT_BYTES, Row, digest, instant, text_hash
from eventlog.records import IMPERSONAL, Break, Flaw, Head, NewEvent, SaltedText, Stamp, StoredEvent

Salts = Callable[[int], bytes]
"""So many random bytes."""


def chain(head: Head, events: Sequence[NewEvent], stamp: Stamp, salts: Salts = os.urandom) -> tuple[StoredEvent, ...]:
    """Number, salt and seal the events of one command, ready to be inserted behind `head`.

    The salt is covered by the digest and shown only with the whole event: without it, a digest published while a
    drawn card is hidden would give that card away in as many guesses as there are cards.
    """
    if not events:
        raise ValueError("a command without events has nothing to store")
    rows: list[StoredEvent] = []
    for event in events:
        first = not rows
        cause = stamp.cause if event.cause is None else event.cause
        text = None if event.text is None else SaltedText(event.text, salts(SALT_BYTES))
        row = StoredEvent(
            stream=head.stream,
            version=head.version + 1,
            kind=event.kind,
            kind_version=event.kind_version,
            at=stamp.at,
            cause=cause,
            actor=None if cause in IMPERSONAL else stamp.actor,
            seat=event.seat,
            span=len(events) if first else None,
            command_id=stamp.command_id if first else None,
            fingerprint=stamp.fingerprint if first else None,
            request_id=stamp.request_id if first else None,
            salt=salts(SALT_BYTES),
            payload=event.payload,
            text_hash=None if text is None else text_hash(text.salt, text.text),
            digest=b"",
            text=text,
        )
        rows.append(replace(row, digest=digest(covered(row, head.digest))))
        head = rows[-1].head
    return tuple(rows)


def covered(event: StoredEvent, previous: bytes) -> Row:
    """All of an event that its digest proves: everything but the request id, which is for tracing alone."""
    return Row(
        actor=event.actor,
        at=instant(event.at),
        cause=event.cause.word,
        command_id=event.command_id,
        data=Raw(event.payload),
        fingerprint=None if event.fingerprint is None else event.fingerprint.hex(),
        kind=event.kind,
        kind_version=event.kind_version,
        previous=previous.hex(),
        salt=event.salt.hex(),
        seat=event.seat,
        span=event.span,
        stream=event.stream,
        text_hash=None if event.text_hash is None else event.text_hash.hex(),
        version=event.version,
    )


def verify(rows: Iterable[StoredEvent], head: Head | None = None) -> Break | None:
    """The first event of one stream, read from its beginning, at which the proof fails.

    Without a head that is kept elsewhere a cut tail, or a stream rewritten with all its digests, looks whole.
    """
    last: Head | None = None
    for row in rows:
        if last is None:
            last = Head.before(row.stream if head is None else head.stream)
        if broken := _broken_at(last, row):
            return broken
        last = row.head
    return None if head is None else verify_head(last or Head.before(head.stream), head)


def _broken_at(last: Head, row: StoredEvent) -> Break | None:
    expected = last.version + 1
    if row.stream != last.stream:
        return Break(last.stream, expected, Flaw.OTHER_STREAM, f"it belongs to stream {row.stream}")
    if row.version > expected:
        return Break(row.stream, expected, Flaw.MISSING, f"missing: event {row.version} follows {last.version}")
    if row.version < expected:
        return Break(row.stream, row.version, Flaw.OUT_OF_ORDER, f"stands behind event {last.version}")
    if row.digest != _digest_of(row, last):
        return Break(row.stream, row.version, Flaw.DIGEST, "its content does not match its digest")
    return None


def _digest_of(row: StoredEvent, last: Head) -> bytes | None:
    """The digest that the event should have; None if it says what cannot be, such as a time beyond all calendars."""
    try:
        return digest(covered(row, last.digest))
    except (ArithmeticError, ValueError, TypeError):
        return None


def verify_head(last: Head, head: Head) -> Break | None:
    """Whether a log that ends at `last` is the one whose head was kept elsewhere."""
    if last.version < head.version:
        detail = f"missing: the log ends at {last.version}, its head says {head.version}"
        return Break(head.stream, last.version + 1, Flaw.CUT, detail)
    if last.version > head.version:
        detail = f"unknown to the head, which ends at {head.version}"
        return Break(head.stream, head.version + 1, Flaw.HEAD, detail)
    if last.digest != head.digest:
        return Break(head.stream, last.version, Flaw.HEAD, "its digest is not the head's")
    return None


def verify_texts(stream: UUID, rows: Iterable[StoredEvent], texts: Mapping[int, SaltedText]) -> Break | None:
    """The first free text that is not the one its event was written with. An erased text is no break."""
    hashes = {row.version: row.text_hash for row in rows}
    for version, text in sorted(texts.items()):
        if hashes.get(version) != text_hash(text.salt, text.text):
            return Break(stream, version, Flaw.TEXT, "its text is not the one it was written with")
    return None
