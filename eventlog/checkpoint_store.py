"""Making checkpoints and reading them back. What changed is a queue in the database, so no late commit is missed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from eventlog import store
from eventlog.checkpoints import Checkpoint, Keys, Mention, list_of, make, parse
from eventlog.keyring import KeyRing
from eventlog.records import Head
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
_SELECT: Final = "SELECT signed, signature FROM eventlog_checkpoint "

Choose = Callable[[Checkpoint | None], Keys]
"""Who signs the checkpoint behind this one."""


def regular(ring: KeyRing) -> Choose:
    """Let the key sign that the last checkpoint names; the newest one signs the first."""
    return lambda last: Keys(ring.newest if last is None else ring.key(last.heir))


def rotation(ring: KeyRing) -> Choose:
    """Let the key that signs now name the newest one as its heir."""
    return lambda last: Keys(regular(ring)(last).signs, ring.newest.public)


def renewal(ring: KeyRing) -> Choose:
    """Let the newest key go on in the place of one that was lost: nothing but trust in it can vouch for that."""
    return lambda _: Keys(ring.newest)


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


def make_checkpoint(choose: Choose) -> Checkpoint:
    """One checkpoint, of as many changed streams as it takes."""
    return _make(choose, UUID(int=0), MOST_STREAMS)[0]


def _make(choose: Choose, above: UUID, most: int) -> tuple[Checkpoint, list[Head]]:
    with transaction.atomic(), store.cursor() as cursor:
        cursor.execute(_ALONE)
        previous = cursor.execute(_SELECT + "ORDER BY number DESC LIMIT 1").fetchone()
        last = None if previous is None else _checkpoint(previous)
        keys = choose(last)
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


def _checkpoint(row: tuple[Any, ...]) -> Checkpoint:
    signed, signature = row
    return parse(signed.encode(), signature)


# --- reading -------------------------------------------------------------------------------------


def newest_first(below: int | None, count: int) -> list[Checkpoint]:
    """So many checkpoints before a number, or the last ones."""
    return _read("WHERE number < %s ORDER BY number DESC LIMIT %s", [2**31 - 1 if below is None else below, count])


def oldest_first(above: int, count: int) -> list[Checkpoint]:
    """So many checkpoints after a number."""
    return _read("WHERE number > %s ORDER BY number LIMIT %s", [above, count])


def find(number: int) -> Checkpoint | None:
    """One checkpoint."""
    return next(iter(_read("WHERE number = %s", [number])), None)


def last() -> Checkpoint | None:
    """The last checkpoint."""
    return next(iter(newest_first(None, 1)), None)


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


def terms() -> list[tuple[Checkpoint, Checkpoint]]:
    """The first and the last checkpoint that each key signed, the oldest key first."""
    statement = "SELECT min(number), max(number) FROM eventlog_checkpoint GROUP BY key ORDER BY 1"
    with store.cursor() as cursor:
        spans = cursor.execute(statement).fetchall()
    known = {
        each.header.number: each for each in _read("WHERE number = ANY(%s)", [[n for span in spans for n in span]])
    }
    return [(known[first], known[final]) for first, final in spans]


def everything(step: int = 1_000) -> Iterator[Checkpoint]:
    """All checkpoints, oldest first."""
    above = 0
    while found := oldest_first(above, step):
        yield from found
        above = found[-1].header.number


def _read(condition: str, params: Sequence[object]) -> list[Checkpoint]:
    with store.cursor() as cursor:
        return [_checkpoint(row) for row in cursor.execute(_SELECT + condition, params).fetchall()]
