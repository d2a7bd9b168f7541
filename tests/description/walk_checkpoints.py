"""Checkpoints shown: the list, one with the only game there is, and a key that hands over to another."""

from __future__ import annotations

from django.conf import settings

from eventlog import checkpoint_store, keyring
from eventlog.keyring import KeyRing
from tests.description.recorder import Recorder
from tests.games.people import Person, opened

NEXT_KEY = "22" * 32


def walk(record: Recorder) -> None:
    """Open a table, sign it, hand over."""
    opened(Person())
    ring = keyring.opened()
    checkpoint_store.make_checkpoints(ring)
    checkpoint_store.make_checkpoint(checkpoint_store.rotation(KeyRing([*settings.CHECKPOINT_KEYS, NEXT_KEY])))
    record.ok("GET", "checkpoints?limit=1", name="the_latest_checkpoint")
    record.ok("GET", "checkpoints/1", name="a_checkpoint_with_its_list")
    record.ok("GET", "checkpoints/keys", name="a_key_that_hands_over")
