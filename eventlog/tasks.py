"""Celery's task of this app."""

from __future__ import annotations

from celery import shared_task

from eventlog import checkpoint_store, keyring


@shared_task(name="make_checkpoint", ignore_result=True)
def make_checkpoint() -> None:
    """Sign what changed since the last checkpoint; a task that is lost is made up by the next one."""
    checkpoint_store.make_checkpoints(keyring.opened())
