"""Making checkpoints and reading them back. What changed is a queue in the database, so no late commit is missed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from msgspec import Struct

from eventlog import checkpoint_rows as rows
from eventlog import store
from eventlog.checkpoints import Checkpoint, Keys, Mention, list_of, make
from eventlog.keyring import KeyRing
from eventlog.records import Head
from eventlog.signing import SigningKey
from eventlog.store import Cursor

MOST_STREAMS: Final = 10_000
"""In one checkpoint, so that its list stays below 1.5 MB; more make several checkpoints."""

# Makers of checkpoints wait for each other; writers of the log wait for nobody.
_ALONE: Final = "LOCK TABLE eventlog_changed IN SHARE UPDATE EXCLUSIVE MODE"
# One statement, one snapshot: a row of `changed` is seen exactly when the event it was written with is. What commits
# later, however long ago it began, leaves its row for the next checkpoint.
_TAKE: Final = """
WITH chosen AS (SELECT DISTINCT stream FROM eventlog_changed WHERE stream > %s ORDER BY stream LIMIT %s),
     taken AS (DELETE FROM eventlog_changed c USING chosen WHERE c.stream = chosen.stream)
SELECT chosen.stream, head.version, head.digest
FROM chosen CROSS JOIN LATERAL (
    SELECT e.version, e.digest FROM eventlog_event e WHERE e.stream = chosen.stream ORDER BY e.version DESC LIMIT 1
) head
"""
_NOW: Final = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_KEEP: Final = "INSERT INTO eventlog_checkpoint (number, signed, signature) VALUES (%s, %s, %s)"
_MENTION: Final = (
    "INSERT INTO eventlog_mention (number, stream, version, digest) "
    "SELECT %s, * FROM unnest(%s::uuid[], %s::integer[], %s::bytea[])"
)


class Way(Struct, frozen=True):
    """How the next checkpoint is made: behind which one, and who signs it."""

    last: Callable[[], Checkpoint | None]
    keys: Callable[[Checkpoint | None], Keys]


class TakenNumberError(Exception):
    """The number of the next checkpoint is taken by a row that no key at hand has signed, or vouches for."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"checkpoint {number} is there already and follows from none of our keys: see verify_log and docs/checkpoints.md"
        )


def regular(ring: KeyRing) -> Way:
    """Let the key sign that the last checkpoint names; the newest one signs the first."""
    return Way(lambda: rows.last_of(ring.publics), lambda last: Keys(_named(ring, last)))


def rotation(ring: KeyRing) -> Way:
    """Let the key that signs now name the newest one as its heir."""
    return Way(lambda: rows.last_of(ring.publics), lambda last: Keys(_named(ring, last), ring.newest.public))


def renewal(ring: KeyRing) -> Way:
    """Let the newest key go on in the place of one that was lost: nothing but trust in it can vouch for that."""
    return Way(rows.last_whole, lambda _: Keys(ring.newest))


def _named(ring: KeyRing, last: Checkpoint | None) -> SigningKey:
    return ring.newest if last is None else ring.key(last.heir)


def make_checkpoints(ring: KeyRing, most: int = MOST_STREAMS) -> list[Checkpoint]:
    """Checkpoints of all streams that changed since the last one: one, empty if none did, or several if many did.

    They go through the streams once, in order, so they come to an end however fast streams change again.
    """
    made: list[Checkpoint] = []
    above = UUID(int=0)
    while True:
        checkpoint, heads = _make(regular(ring), above, most)
        made.append(checkpoint)
        if len(heads) < most:
            return made
        above = max(head.stream for head in heads)


def make_checkpoint(way: Way) -> Checkpoint:
    """One checkpoint, of as many changed streams as it takes."""
    return _make(way, UUID(int=0), MOST_STREAMS)[0]


def _make(way: Way, above: UUID, most: int) -> tuple[Checkpoint, list[Head]]:
    with transaction.atomic(), store.cursor() as cursor:
        cursor.execute(_ALONE)
        last = way.last()
        keys = way.keys(last)
        number = 1 if last is None else last.header.number + 1
        if rows.is_taken(number):
            raise TakenNumberError(number)
        ((now,),) = cursor.execute(_NOW)
        heads = [Head(*row) for row in cursor.execute(_TAKE, [above, most])]
        made = make(last, now, heads, keys)
        _keep(cursor, made, heads)
    return made, heads


def _keep(cursor: Cursor, made: Checkpoint, heads: Sequence[Head]) -> None:
    number = made.header.number
    cursor.execute(_KEEP, [number, made.signed.decode(), made.signature])
    columns = [head.stream for head in heads], [head.version for head in heads], [head.digest for head in heads]
    cursor.execute(_MENTION, [number, *columns])


# --- reading -------------------------------------------------------------------------------------


def heads_in(number: int) -> bytes:
    """The list of heads of a checkpoint, made again from what is kept of it."""
    statement = "SELECT stream, version, digest FROM eventlog_mention WHERE number = %s"
    with store.cursor() as cursor:
        return list_of(Head(*row) for row in cursor.execute(statement, [number]))


def mentions(streams: Collection[UUID]) -> dict[UUID, list[Mention]]:
    """The heads that checkpoints hold of some streams, oldest first."""
    found: dict[UUID, list[Mention]] = {stream: [] for stream in streams}
    statement = (
        "SELECT stream, number, version, digest FROM eventlog_mention WHERE stream = ANY(%s) ORDER BY stream, number"
    )
    with store.cursor() as cursor:
        for stream, *mention in cursor.execute(statement, [list(streams)]):
            found[stream].append(Mention(*mention))
    return found


def mentioned() -> set[UUID]:
    """Every stream that a checkpoint holds."""
    with store.cursor() as cursor:
        return {stream for (stream,) in cursor.execute("SELECT DISTINCT stream FROM eventlog_mention")}


def waiting(streams: Collection[UUID]) -> set[UUID]:
    """Which of some streams the next checkpoint will hold."""
    statement = "SELECT DISTINCT stream FROM eventlog_changed WHERE stream = ANY(%s)"
    with store.cursor() as cursor:
        return {stream for (stream,) in cursor.execute(statement, [list(streams)])}
