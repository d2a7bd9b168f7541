"""verify_log: recompute the proof of the log."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from eventlog.audit import Outcome, streams_since, verify_streams
from eventlog.progress import Progress


def moment(text: str) -> datetime:
    """A date or a time, in UTC unless it says otherwise."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not a date like 2026-11-30") from None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


class Command(BaseCommand):
    """Exit status 1 if anything is broken."""

    help = "Recompute numbers, digests, texts and registered checks of the log, and name the first broken event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--game", type=UUID, metavar="ID", help="this game alone")
        parser.add_argument(
            "--since", type=moment, metavar="DATE", help="games with an event on or after that day (UTC)"
        )

    def handle(self, *_: Any, game: UUID | None, since: datetime | None, **__: Any) -> None:
        """Verify, telling of every broken game as it is found."""
        sizes = streams_since(since)
        if game is not None:
            if game not in sizes:
                raise CommandError(f"the log holds nothing of {game}" + (f" since {since}" if since else ""))
            sizes = {game: sizes[game]}
        progress = Progress(self.stdout, sum(sizes.values()), "events")
        outcomes = []
        for outcome in verify_streams(sizes):
            outcomes.append(outcome)
            if outcome.broken:
                progress.interrupt()
                self.stdout.write(f"BROKEN {outcome.broken}")
            progress.advance(outcome.events)
        progress.interrupt()
        self._conclude(outcomes)

    def _conclude(self, outcomes: list[Outcome]) -> None:
        events, erased = sum(each.events for each in outcomes), sum(each.erased for each in outcomes)
        broken = [each.broken for each in outcomes if each.broken]
        self.stdout.write(f"{len(outcomes):,} games, {events:,} events verified, {erased:,} texts erased")
        if broken:
            raise CommandError(f"{len(broken):,} games broken; first broken event: {broken[0]}")
        self.stdout.write("no break found")
