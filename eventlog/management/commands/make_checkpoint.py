"""make_checkpoint: sign what changed since the last checkpoint."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from eventlog import checkpoint_store, keyring
from eventlog.checkpoint_store import TakenNumberError
from eventlog.keyring import NoSuchKeyError


class Command(BaseCommand):
    """May be run at any time, also beside the worker that does so every hour."""

    help = "Make a checkpoint of all games that changed since the last one. Without CHECKPOINT_KEYS a key is made and kept."

    def handle(self, *_: Any, **__: Any) -> None:
        """Do it and say what was signed."""
        try:
            made = checkpoint_store.make_checkpoints(keyring.opened())
        except (NoSuchKeyError, TakenNumberError) as error:
            raise CommandError(str(error)) from None
        for each in made:
            header = each.header
            self.stdout.write(f"checkpoint {header.number}: {header.streams:,} games, signed by {header.key}")
