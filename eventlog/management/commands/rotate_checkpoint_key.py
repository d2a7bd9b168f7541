"""rotate_checkpoint_key: let another key sign the coming checkpoints."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from eventlog import checkpoint_rows, checkpoint_store, keyring
from eventlog.checkpoint_store import TakenNumberError, Way
from eventlog.keyring import KeyRing, NoSuchKeyError


class Command(BaseCommand):
    """The old key signs a checkpoint that names the new one."""

    help = (
        "Hand over to the last key of CHECKPOINT_KEYS, or to a new one where none are set. The old key signs that; with "
        "--lost it does not, and everybody outside has to be told the new key in another way."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--lost", action="store_true", help="the old key cannot sign any more")

    def handle(self, *_: Any, lost: bool, **__: Any) -> None:
        """Do it and say from when on the new key counts."""
        if checkpoint_rows.last() is None:
            raise CommandError("there is no checkpoint yet: the last of CHECKPOINT_KEYS will sign the first one")
        way, ring = self._way(lost=lost)
        last = way.last()
        if last is not None and ring.newest.public == last.heir:
            raise CommandError("the newest key signs already: add another one to CHECKPOINT_KEYS, behind the others")
        try:
            made = checkpoint_store.make_checkpoint(way)
        except NoSuchKeyError as error:
            raise CommandError(f"{error}; if it is lost: --lost") from None
        except TakenNumberError as error:
            raise CommandError(str(error)) from None
        since = made.header.number + (0 if lost else 1)
        self.stdout.write(f"from checkpoint {since} on {made.heir} signs")

    def _way(self, *, lost: bool) -> tuple[Way, KeyRing]:
        if not settings.CHECKPOINT_KEYS:
            keyring.add_kept_key()
        ring = keyring.opened()
        return (checkpoint_store.renewal(ring) if lost else checkpoint_store.rotation(ring)), ring
