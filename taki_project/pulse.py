"""The beat of a web process: while it reaches the database, players can act, and deadlines hold."""

import logging
import threading
import time
from typing import Final

from django.db import DatabaseError, close_old_connections

from games.services.outages import beat

logger = logging.getLogger(__name__)
SECONDS: Final = 1.0


def start() -> None:
    """Beat once now, before the first request, and then each second in a thread that ends with the process."""
    _try()
    threading.Thread(target=_go_on, name="pulse", daemon=True).start()


def _go_on() -> None:
    while True:
        time.sleep(SECONDS)
        _try()


def _try() -> None:
    close_old_connections()
    try:
        beat()
    except DatabaseError as error:
        logger.warning("no beat: %s", error)
