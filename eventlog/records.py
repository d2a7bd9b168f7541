"""The values of the log: what an event is before and after it is stored, heads, and breaks of the proof."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final
from uuid import UUID

from msgspec import Struct

GENESIS: Final = bytes(32)
"""What stands before the first event of every stream."""


class Cause(IntEnum):
    """Who or what made an event happen: the number is stored, the word is shown and proven."""

    PLAYER = 1
    CLOCK = 2
    HOST = 3
    STAFF = 4
    SYSTEM = 5

    @property
    def word(self) -> str:
        """The name that callers see."""
        return _WORDS[self]


_WORDS: Final = {cause: cause.name.lower() for cause in Cause}
IMPERSONAL: Final = frozenset({Cause.CLOCK, Cause.SYSTEM})
"""Causes without an actor, also inside a person's command (what was due is settled first)."""


class Head(Struct, frozen=True):
    """How far a stream has come: its last version and that event's digest."""

    stream: UUID
    version: int
    digest: bytes

    @classmethod
    def before(cls, stream: UUID) -> Head:
        """The head of a stream that holds nothing yet."""
        return cls(stream, 0, GENESIS)


class Stamp(Struct, frozen=True, kw_only=True):
    """What all events of one command share. `at` is milliseconds since 1970 by the database's clock."""

    at: int
    cause: Cause
    actor: UUID | None = None
    command_id: UUID | None = None
    request_id: str | None = None
    fingerprint: bytes | None = None


class NewEvent(Struct, frozen=True, kw_only=True):
    """An event that is not stored yet; `cause` overrides the stamp's, `text` is kept apart so that it can be erased."""

    kind: str
    kind_version: int
    payload: bytes
    text: str | None = None
    cause: Cause | None = None
    seat: int | None = None


class SaltedText(Struct, frozen=True):
    """Free text with the 128 random bits that keep its hash from being guessed."""

    text: str
    salt: bytes


class StoredEvent(Struct, frozen=True):
    """An event as its row holds it.

    `command_id`, `fingerprint`, `request_id` and `span` (how many events the command caused) stand on the first event
    of a command alone. `text` is filled on the way in only; `store.texts` reads it.
    """

    stream: UUID
    version: int
    kind: str
    kind_version: int
    at: int
    cause: Cause
    actor: UUID | None
    seat: int | None
    span: int | None
    command_id: UUID | None
    fingerprint: bytes | None
    request_id: str | None
    salt: bytes
    payload: bytes
    text_hash: bytes | None
    digest: bytes
    text: SaltedText | None = None

    @property
    def head(self) -> Head:
        """The head of its stream while this event is the last."""
        return Head(self.stream, self.version, self.digest)


class Flaw(Enum):
    """What is wrong at a break of the proof."""

    MISSING = "missing"
    OUT_OF_ORDER = "out_of_order"
    OTHER_STREAM = "other_stream"
    DIGEST = "digest"
    CUT = "cut"
    HEAD = "head"
    TEXT = "text"
    CHECK = "check"
    CHECKPOINT = "checkpoint"
    UNLISTED = "unlisted"


class Fact(Struct, frozen=True, gc=False):
    """What an event says, and when: all that folding asks for."""

    version: int
    kind: str
    kind_version: int
    at: int
    payload: bytes


class Break(Struct, frozen=True):
    """The first event of a stream at which the proof fails, and why. Registered checks may bring flaws of their own."""

    stream: UUID
    version: int
    flaw: Enum
    detail: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.stream} event {self.version}: {self.detail} ({self.flaw.value})"
