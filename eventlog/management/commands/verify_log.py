"""verify_log: recompute the proof of the log."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from eventlog import checkpoint_audit, checkpoint_rows, keyring
from eventlog.audit import Outcome, streams_since, verify_streams
from eventlog.checkpoints import Fault
from eventlog.kept import Kept, KeptFault, read_kept
from eventlog.partitions import Month
from eventlog.progress import Progress


def moment(text: str) -> datetime:
    """A date or a time, in UTC unless it says otherwise."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not a date like 2026-11-30") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def month(text: str) -> Month:
    """A month as `make_partitions` writes it."""
    try:
        return Month.of(datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC).date())
    except ValueError:
        raise ArgumentTypeError(f"{text} is not a month like 2026-11") from None


class Command(BaseCommand):
    """Exit status 1 if anything is broken."""

    help = "Recompute numbers, digests, checkpoints, texts and registered checks of the log, and name the first broken event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--game", type=UUID, metavar="ID", help="this game alone")
        parser.add_argument(
            "--since", type=moment, metavar="DATE", help="games with an event on or after that day (UTC)"
        )
        parser.add_argument(
            "--archived", type=month, action="append", default=[], metavar="MONTH",
            help="games opened in that month (2026-11) are kept elsewhere and not missed; may be repeated",
        )  # fmt: skip
        parser.add_argument(
            "--checkpoint", type=Path, metavar="FILE", help="compare with checkpoints that were kept outside"
        )
        parser.add_argument(
            "--checkpoint-key", action="append", default=[], metavar="HEX",
            help="the public key to believe, instead of those at hand; may be repeated",
        )  # fmt: skip

    def handle(self, *_: Any, game: UUID | None, since: datetime | None, **options: Any) -> None:
        """Verify, telling of every broken game as it is found."""
        sizes = streams_since(since, options["archived"])
        if game is not None:
            if game not in sizes:
                raise CommandError(f"the log holds nothing of {game}" + (f" since {since}" if since else ""))
            sizes = {game: sizes[game]}
        kept = _kept(options["checkpoint"])
        every = None if game or since or options["archived"] else sizes
        faults = self._checkpoints(kept, options["checkpoint_key"], every)
        progress = Progress(self.stdout, sum(sizes.values()), "events")
        outcomes = []
        for outcome in verify_streams(sizes, None if kept is None else kept.mentions):
            outcomes.append(outcome)
            if outcome.broken:
                progress.interrupt()
                self.stdout.write(f"BROKEN {outcome.broken}")
            progress.advance(outcome.events)
        progress.interrupt()
        self._conclude(outcomes, faults)

    def _checkpoints(self, kept: Kept | None, keys: Sequence[str], every: Collection[UUID] | None) -> list[Fault]:
        """What is wrong with checkpoints; only where all games are looked at can one be missed for a kept mention."""
        ring = keyring.at_hand()
        trusted = keys or (ring.publics if ring else ())
        faults = list(checkpoint_audit.stored_faults(trusted))
        if kept is not None:
            faults += checkpoint_audit.kept_faults(kept, trusted, every)
        last = checkpoint_rows.last()
        if last is not None:
            believed = "" if trusted else ", a key that is believed for want of another"
            self.stdout.write(
                f"{last.header.number:,} checkpoints, the last at {last.header.at} by {last.header.key}{believed}"
            )
        for fault in faults:
            self.stdout.write(f"BROKEN {fault}")
        return faults

    def _conclude(self, outcomes: list[Outcome], faults: list[Fault]) -> None:
        events, erased = sum(each.events for each in outcomes), sum(each.erased for each in outcomes)
        broken = [each.broken for each in outcomes if each.broken]
        self.stdout.write(f"{len(outcomes):,} games, {events:,} events verified, {erased:,} texts erased")
        told = []
        if broken:
            told.append(f"{len(broken):,} games broken; first broken event: {broken[0]}")
        if faults:
            told.append(f"{len(faults):,} faults of checkpoints; the first: {faults[0]}")
        if told:
            raise CommandError("; ".join(told))
        self.stdout.write("no break found")


def _kept(path: Path | None) -> Kept | None:
    try:
        return None if path is None else read_kept(path.read_bytes().splitlines())
    except (OSError, KeptFault) as fault:
        raise CommandError(f"cannot read {path}: {fault}") from None
