"""No call waits long for the database: a statement that gets no answer is given up, and those who come next wait for none.

A server that was killed is noticed at once. One that hangs, whose machine is gone, or that waits for somebody's lock is not.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from psycopg.pq import TransactionStatus

from httpapi import problems
from httpapi.counts import Breaker

log: Final = logging.getLogger("httpapi")

LONGEST_SECONDS: Final = 5.0
"""With the connection that is tried afterwards (3 s) and the queue this keeps answers under ten seconds."""
LOOK_SECONDS: Final = 0.5


class _Call:
    """A call at work: the connection of its thread, and how often in a row its statement was found waiting."""

    def __init__(self, wrapper: Any) -> None:
        self.wrapper, self.looks = wrapper, 0


class Watch:
    """Looks at all calls of the process; `breaker` is closed while the database seems to hang."""

    def __init__(self) -> None:
        self.breaker = Breaker()
        self._calls: set[_Call] = set()
        threading.Thread(target=self._go_on, name="hangs", daemon=True).start()

    @contextmanager
    def over(self, wrapper: Any) -> Iterator[None]:
        """Watch over what this thread asks until the block ends."""
        call = _Call(wrapper)
        self._calls.add(call)
        try:
            yield
        finally:
            self._calls.discard(call)

    def look(self) -> None:
        """Give up what was found waiting for too long."""
        for call in list(self._calls):
            call.looks = call.looks + 1 if _waits(call.wrapper.connection) else 0
            if (call.looks - 1) * LOOK_SECONDS >= LONGEST_SECONDS:
                call.looks = 0
                self.breaker.failed()
                log.error("a statement had no answer for %.0f s and is given up", LONGEST_SECONDS)
                _end(call.wrapper.connection)

    def _go_on(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                self.look()
            except (psycopg.Error, OSError, AttributeError) as error:  # a connection that ended meanwhile
                log.warning("a connection could not be looked at (%s)", type(error).__name__)


@cache
def watch() -> Watch:
    """The watch of this process, begun with its first call (never before a fork)."""
    return Watch()


class HangMiddleware:
    """Watches over each call, and answers 503 at once where it would have to connect to a database that hangs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        guard, wrapper = watch(), connections[DEFAULT_DB_ALIAS]
        needs_connection = wrapper.connection is None and request.path_info.startswith("/api/")
        if needs_connection and not guard.breaker.lets_through():
            return problems.response(problems.Unavailable(), request)
        with guard.over(wrapper):
            response = self.get_response(request)
        _tidy(wrapper)
        if wrapper.connection is not None:
            guard.breaker.succeeded()
        return response


def _tidy(wrapper: Any) -> None:
    """Close a connection that failed or has served its time (DATABASE_CONN_MAX_AGE), once a call.

    Django itself looks through all connections twice a call, at what costs more than a rule of the game (see apps.py).
    """
    if wrapper.connection is None or wrapper.in_atomic_block:
        return
    if wrapper.errors_occurred or not wrapper.autocommit or time.monotonic() >= (wrapper.close_at or float("inf")):
        wrapper.close_if_unusable_or_obsolete()


def _waits(connection: Any) -> bool:
    """Whether a statement is under way on it."""
    if connection is None or connection.closed:
        return False
    return bool(connection.pgconn.transaction_status == TransactionStatus.ACTIVE)


def _end(connection: Any) -> None:
    """End the conversation under whoever waits for it; that is then told that the server closed the connection."""
    with socket.socket(fileno=os.dup(connection.fileno())) as ours:
        ours.shutdown(socket.SHUT_RDWR)
