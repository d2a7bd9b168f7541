"""Whether the checkpoints in the database are those that were signed, and those that were kept outside."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from eventlog import checkpoint_rows, checkpoint_store
from eventlog.checkpoints import Fault, Mention, chain_faults, list_fault, mention_fault, name_of
from eventlog.kept import Kept
from eventlog.records import Break, Flaw, StoredEvent


def stored_faults(trusted: Collection[str]) -> Iterator[Fault]:
    """What is wrong with the checkpoints here: signatures, chain, lists."""
    yield from chain_faults(checkpoint_rows.everything(), trusted)
    expected = 1
    for number, checkpoint in checkpoint_rows.all_rows():
        if checkpoint is None:
            yield Fault(number, "it cannot be read as a checkpoint of this number")
            expected += number == expected
            continue
        if number != expected:
            yield Fault(expected, f"missing: {number} stands in its place")
        if fault := list_fault(checkpoint.header, checkpoint_store.heads_in(number)):
            yield fault
        expected = number + 1
    for number in checkpoint_rows.lists_from(expected):
        if not checkpoint_rows.find(number):
            yield Fault(number, "missing, but its list is there")


def kept_faults(kept: Kept, trusted: Collection[str], streams: Collection[UUID] | None) -> Iterator[Fault]:
    """What is wrong with kept checkpoints, where the database differs, and what of all its `streams` they miss."""
    yield from kept.all_faults(trusted)
    for checkpoint in kept.checkpoints:
        number = checkpoint.header.number
        stored = checkpoint_rows.find(number)
        if stored is None:
            yield Fault(number, "it was kept outside and is gone here")
        elif stored.signed != checkpoint.signed:
            yield Fault(number, "the one that was kept outside is another")
    if streams is None:
        return
    names = {name_of(stream) for stream in streams}
    for name, mentions in kept.mentions.items():
        if name not in names:
            yield Fault(mentions[0].number, f"the log holds nothing of the stream that is listed as {name}")


def break_of(rows: Sequence[StoredEvent], mentions: Sequence[Mention], *, waits: bool) -> Break | None:
    """Where a whole log is not the one that checkpoints mention; `waits`: the next checkpoint is going to hold it."""
    digests = {row.version: row.digest for row in rows}
    last = rows[-1]
    for mention in mentions:
        if detail := mention_fault(digests, mention):
            return Break(last.stream, min(mention.version, last.version + 1), Flaw.CHECKPOINT, detail)
    covered = max((mention.version for mention in mentions), default=0)
    if covered < last.version and not waits:
        detail = "no checkpoint holds its last events, and the next one is not going to"
        return Break(last.stream, covered + 1, Flaw.UNLISTED, detail)
    return None
