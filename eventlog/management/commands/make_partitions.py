"""make_partitions: the coming months' partitions of the log."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from eventlog.partitions import AHEAD
from eventlog.roles import is_owner
from eventlog.upkeep import keep_up


class Command(BaseCommand):
    """Runs as the schema's owner; may be run at any time, any number of times."""

    help = (
        "Make the partitions of the log for this month and the coming ones, and settle the application role's rights."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--ahead", type=int, default=AHEAD, metavar="N", help=f"months ahead (default: {AHEAD})")

    def handle(self, *_: Any, ahead: int, **__: Any) -> None:
        """Do it and say what was done."""
        if not is_owner(connection):
            raise CommandError("only the role that owns the log may do this: set DATABASE_OWNER_URL, and migrate first")
        for sentence in keep_up(connection, ahead):
            self.stdout.write(sentence)
