"""Celery's task of this app."""

from __future__ import annotations

import logging

from celery import shared_task

from eventlog import checkpoint_store, keyring
from eventlog.checkpoint_store import TakenNumberError
from eventlog.keyring import NoSuchKeyError

logger = logging.getLogger(__name__)


@shared_task(name="make_checkpoint", ignore_result=True)
def make_checkpoint() -> None:
    """Sign what changed since the last checkpoint; a task that is lost is made up by the next one."""
    try:
        checkpoint_store.make_checkpoints(keyring.opened())
    except (NoSuchKeyError, TakenNumberError) as error:
        logger.error("no checkpoint was made: %s", error)  # noqa: TRY400 (it says all there is to say)
