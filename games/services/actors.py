"""Who asks for something, and the stamp that the log gets of it."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from eventlog.records import Cause, Stamp
from httpapi.idempotency import Key


class Actor(Struct, frozen=True):
    """A signed-in caller of one request; `name` and `kind` are what a seat taken now will show."""

    id: UUID
    name: str
    kind: str
    request_id: str


def stamp(actor: Actor, cause: Cause, now: int, key: Key | None = None) -> Stamp:
    """The stamp of what this caller does now (ms). A key makes the command's id, which no log holds twice."""
    return Stamp(
        at=now,
        cause=cause,
        actor=actor.id,
        command_id=None if key is None else command_id(key),
        request_id=actor.request_id,
        fingerprint=None if key is None else key.fingerprint,
    )


def command_id(key: Key) -> UUID:
    """The id under which the log knows the command that came with this key."""
    return UUID(bytes=key.scope_key[:16])


def clock_stamp(now: int) -> Stamp:
    """The stamp of what the clock does by itself."""
    return Stamp(at=now, cause=Cause.CLOCK)
