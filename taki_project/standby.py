"""What keeps the clock going while no broker does: the clock's worker sweeps by itself when no message comes."""

import logging
import threading
import time
from typing import Any, Final

from celery import signals
from django.db import close_old_connections

from games import tasks

logger = logging.getLogger(__name__)
PATIENCE: Final = 3.0
"""So long (seconds) no message may come."""
SHORT_SILENCE: Final = 5.0
"""Worth no word: of many workers each is asked but now and then."""
LONGEST_SWEEP: Final = 20.0
"""A sweep gives way sooner; one that takes longer hangs."""


class Watch:
    """When the last sweep by message began and ended, by the process's own clock."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._ended = time.monotonic()

    def began(self, **_: Any) -> None:
        """A message came."""
        self._began = time.monotonic()

    def ended(self, **_: Any) -> None:
        """Its sweep is done, well or not."""
        self._began, self._ended = None, time.monotonic()

    def is_silent(self) -> bool:
        """Whether nobody sweeps."""
        began, now = self._began, time.monotonic()
        return now - self._ended > PATIENCE if began is None else now - began > LONGEST_SWEEP


def start() -> None:
    """Watch over this process in a thread that ends with it."""
    watch = Watch()
    signals.task_prerun.connect(watch.began, weak=False)
    signals.task_postrun.connect(watch.ended, weak=False)
    threading.Thread(target=_stand_by, args=[watch], name="standby", daemon=True).start()


def _stand_by(watch: Watch) -> None:
    since: float | None = None
    told = False
    while True:
        time.sleep(1.0)
        if not watch.is_silent():
            if told:
                logger.warning("sweeps are asked for again")
            since, told = None, False
            continue
        since = since or time.monotonic()
        if not told and time.monotonic() - since > SHORT_SILENCE:
            logger.warning("no sweep is asked for; this process sweeps by itself")
            told = True
        _sweep()


def _sweep() -> None:
    try:
        close_old_connections()
        tasks.settle_expired_turns()
        tasks.draw_due_penalties()
    except Exception as error:  # noqa: BLE001 (the clock is stopped by nothing)
        logger.warning("a sweep failed (%s); next try in a second", type(error).__name__)
