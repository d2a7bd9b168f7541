"""Counts shared by all processes through the Redis protocol; in the process alone while that is away."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
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
                self._make_room(now)
            before, _ = self._counts.get(key, (0, 0.0))
            self._counts[key] = (before + amount, now + seconds)
            return before + amount

    def _make_room(self, now: float) -> None:
        """Drop what has ended; all of it if that leaves more than half, for looking through it costs time."""
        alive = {name: kept for name, kept in self._counts.items() if kept[1] > now}
        self._counts = alive if len(alive) <= _MOST_LOCAL_COUNTS // 2 else {}

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

        def commands(pipeline: redis.client.Pipeline) -> None:
            for key, amount in amounts.items():
                pipeline.incrby(key, amount)
            for key in amounts:
                pipeline.expire(key, seconds)

        local = {key: self._local.add(key, amount, seconds) for key, amount in amounts.items()}
        return _greater(local, self._ask(commands))

    def get(self, keys: Sequence[str]) -> dict[str, int]:
        """The values of several counts."""

        def commands(pipeline: redis.client.Pipeline) -> None:
            for key in keys:
                pipeline.get(key)

        return _greater({key: self._local.get(key) for key in keys}, self._ask(commands))

    def _ask(self, commands: Callable[[redis.client.Pipeline], None]) -> list[Any]:
        """The replies, one round trip; none when the server is away."""
        if not self._breaker.lets_through():
            return []
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                commands(pipeline)
                replies: list[Any] = pipeline.execute()
        except (redis.RedisError, OSError) as error:
            self._breaker.failed()
            log.warning("limits are counted in this process alone: %s", error)
            return []
        self._breaker.succeeded()
        return replies


def _greater(local: dict[str, int], replies: Iterable[Any]) -> dict[str, int]:
    """What the server says, or more if this process alone has counted more."""
    shared = {key: int(reply or 0) for key, reply in zip(local, replies, strict=False)}
    return {key: max(count, shared.get(key, 0)) for key, count in local.items()}


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
