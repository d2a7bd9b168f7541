"""What checkpoints that were kept say of a record. Apart, because nothing else here needs signatures."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from eventlog.checkpoints import mention_fault, name_of
from eventlog.kept import Kept, KeptFault, read_kept
from games.engine.record import Check, Record, RecordFault


def read_witness(content: Iterable[bytes]) -> Kept:
    """Read a file of kept checkpoints; RecordFault names the first line that is none."""
    try:
        return read_kept(content)
    except KeptFault as fault:
        raise RecordFault(str(fault)) from None


def checkpoint_check(record: Record, kept: Kept, trusted: Collection[str]) -> Check:
    """Compare with checkpoints that were kept: a record of which they know nothing is not proven."""
    mentions = kept.mentions.get(name_of(record.header.game), ())
    digests = {row.version: row.digest for row in record.rows}
    faults = [str(fault) for fault in kept.all_faults(trusted)]
    faults += [fault for mention in mentions if (fault := mention_fault(digests, mention))]
    if faults or not mentions:
        return Check("checkpoints", ok=False, detail=faults[0] if faults else "none of those kept holds this game")
    last = max(mentions, key=lambda mention: mention.version)
    header = next(each.header for each in kept.checkpoints if each.header.number == last.number)
    proven = f"events 1 to {last.version} of {len(record.rows)} stand since {header.at}"
    return Check("checkpoints", ok=True, detail=f"{proven} (checkpoint {last.number}, signed by {header.key})")
