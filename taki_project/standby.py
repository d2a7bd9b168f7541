"""What keeps the clock going while no broker does: the clock's worker sweeps by itself when no message comes."""

import logging
import threading
import time
from typing import Final

from django.db import close_old_connections

from games import tasks

logger = logging.getLogger(__name__)
PATIENCE: Final = 3.0
_last = time.monotonic()


def note() -> None:
    """A sweep came by message."""
    global _last  # noqa: PLW0603 (one clock in one process)
    _last = time.monotonic()


def start() -> None:
    """Watch in a thread that ends with the process."""
    threading.Thread(target=_watch, name="standby", daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(1.0)
        if time.monotonic() - _last > PATIENCE:
            _sweep()


def _sweep() -> None:
    close_old_connections()
    try:
        tasks.settle_expired_turns()
        tasks.draw_due_penalties()
    except Exception:
        logger.exception("the clock could not sweep; next try in a second")
