"""The digest of an event: SHA-256 over the canonical JSON of everything it must prove (docs/events.md)."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

SALT_BYTES: Final = 16
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# For ASCII keys without floats these are the bytes of RFC 8785; tests/eventlog/test_digest.py compares.
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class Fact(Struct, frozen=True, kw_only=True):
    """An event as records and digests write it. Byte strings are lower-case hex.

    `data` must hold canonical JSON already, as `Codec.encode` makes it: it goes in verbatim.
    """

    actor: UUID | None
    at: str
    cause: str
    command_id: UUID | None
    data: Raw
    fingerprint: str | None
    kind: str
    kind_version: int
    salt: str
    seat: int | None
    span: int | None
    stream: UUID
    text_hash: str | None
    version: int


class Row(Fact, frozen=True, kw_only=True):
    """What one digest covers: the event, and the digest before it."""

    previous: str


def canonical(row: Row) -> bytes:
    """The bytes that are hashed."""
    return _ENCODER.encode(row)


def digest(row: Row) -> bytes:
    """The 32 bytes that stand for this event and, through `previous`, for all before it."""
    return hashlib.sha256(canonical(row)).digest()


def text_hash(salt: bytes, text: str) -> bytes:
    """The hash that stays in the event when its free text is erased; the salt is erased with the text."""
    return hashlib.sha256(salt + text.encode()).digest()


@lru_cache(maxsize=1024)
def instant(milliseconds: int) -> str:
    """A moment as every answer writes it: 2026-11-30T05:03:00.123Z."""
    moment = EPOCH + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
