"""Counts shared by all processes through the Redis protocol; in the process alone while that is away."""

import logging
import threading
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

log: Final = logging.getLogger("httpapi.counts")

# Connecting and waiting for the answer each get half of the 200 ms that a call may lose to an absent server.
PATIENCE_SECONDS: Final = 0.1
BREAK_SECONDS: Final = 2.0
_MOST_LOCAL_COUNTS: Final = 100_000


class Breaker:
    """After a failure nobody asks again for a while; then one caller tries."""

    def __init__(self) -> None:
        self._closed_at = 0.0
        self._lock = threading.Lock()

    def lets_through(self) -> bool:
        """Whether to try; whoever is let through after a failure keeps the others away meanwhile."""
        if not self._closed_at:
            return True
        with self._lock:
            now = time.monotonic()
            if now < self._closed_at:
                return False
            self._closed_at = now + BREAK_SECONDS
            return True

    def failed(self) -> None:
        """Closes the way."""
        self._closed_at = time.monotonic() + BREAK_SECONDS

    def succeeded(self) -> None:
        """Opens the way."""
        self._closed_at = 0.0


class LocalCounts:
    """Counts of this process, each with the time at which it ends."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def add(self, key: str, amount: int, seconds: int) -> int:
        """The count after adding."""
        now = time.monotonic()
        with self._lock:
            if len(self._counts) >= _MOST_LOCAL_COUNTS:
                self._counts = {name: kept for name, kept in self._counts.items() if kept[1] > now}
            before, _ = self._counts.get(key, (0, 0.0))
            self._counts[key] = (before + amount, now + seconds)
            return before + amount

    def get(self, key: str) -> int:
        """The count as it stands."""
        return self._counts.get(key, (0, 0.0))[0]


class SharedCounts:
    """Counts by key, the same for all processes as long as the server answers within its time."""

    def __init__(self, url: str) -> None:
        self._client = _client(url)
        self._breaker = Breaker()
        self._local = LocalCounts()

    def add(self, amounts: Mapping[str, int], seconds: int) -> dict[str, int]:
        """Add to several counts that end after `seconds`; their values afterwards."""
        local = {key: self._local.add(key, amount, seconds) for key, amount in amounts.items()}
        shared = self._ask([("INCRBY", key, amount) for key, amount in amounts.items()], list(amounts), seconds)
        return {key: max(count, shared.get(key, 0)) for key, count in local.items()}

    def get(self, keys: list[str]) -> dict[str, int]:
        """The values of several counts."""
        shared = self._ask([("GET", key) for key in keys], keys, None)
        return {key: max(self._local.get(key), shared.get(key, 0)) for key in keys}

    def _ask(self, commands: list[tuple[Any, ...]], keys: list[str], seconds: int | None) -> dict[str, int]:
        """Empty when the server is away; one round trip otherwise."""
        if not self._breaker.lets_through():
            return {}
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for command in commands:
                    pipeline.execute_command(*command)
                for key in keys if seconds is not None else ():
                    pipeline.execute_command("EXPIRE", key, seconds)
                replies = pipeline.execute()
        except (redis.RedisError, OSError) as error:
            self._breaker.failed()
            log.warning("limits are counted in this process alone: %s", error)
            return {}
        self._breaker.succeeded()
        return {key: int(reply or 0) for key, reply in zip(keys, replies, strict=False)}


def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=PATIENCE_SECONDS,
        socket_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 0),
        protocol=2,  # no greeting to wait for
        driver_info=None,
        decode_responses=True,
    )


@cache
def shared() -> SharedCounts:
    """The counts of this process's service."""
    return SharedCounts(settings.REDIS_URL)
