"""rotate_checkpoint_key: let another key sign the coming checkpoints."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from eventlog import checkpoint_store, keyring
from eventlog.checkpoint_store import Choose
from eventlog.checkpoints import Checkpoint
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
        last = checkpoint_store.last()
        if last is None:
            raise CommandError("there is no checkpoint yet: the last of CHECKPOINT_KEYS will sign the first one")
        ring = self._ring(last)
        choose: Choose = checkpoint_store.renewal(ring) if lost else checkpoint_store.rotation(ring)
        try:
            made = checkpoint_store.make_checkpoint(choose)
        except NoSuchKeyError as error:
            raise CommandError(f"{error}; if it is lost: --lost") from None
        since = made.header.number + (0 if lost else 1)
        self.stdout.write(f"from checkpoint {since} on {made.heir} signs")

    def _ring(self, last: Checkpoint) -> KeyRing:
        if not settings.CHECKPOINT_KEYS:
            keyring.add_kept_key()
        ring = keyring.opened()
        if ring.newest.public == last.heir:
            raise CommandError("the newest key signs already: add another one to CHECKPOINT_KEYS, behind the others")
        return ring
