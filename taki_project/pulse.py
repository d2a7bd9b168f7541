"""The beat of a web process: while it reaches the database, players can act, and deadlines hold."""

import logging
import threading
import time
from typing import Final

from django.db import DEFAULT_DB_ALIAS, close_old_connections, connections

from games.services import outages
from httpapi import hangs

logger = logging.getLogger(__name__)
LATE_SECONDS: Final = 60.0
"""How often a database that stays away is mentioned."""


def start() -> None:
    """Beat from now on, in a thread that ends with the process; the first request does not wait for it."""
    threading.Thread(target=_go_on, name="pulse", daemon=True).start()


def _go_on() -> None:
    mention_at = 0.0
    while True:
        try:
            close_old_connections()
            with hangs.watch().over(connections[DEFAULT_DB_ALIAS]):
                outages.beat()
            mention_at = 0.0
        except Exception as error:  # noqa: BLE001 (a pulse that ends stops all clocks)
            if time.monotonic() >= mention_at:
                mention_at = time.monotonic() + LATE_SECONDS
                logger.warning("no beat (%s)", type(error).__name__)
        time.sleep(outages.BEAT_SECONDS)
