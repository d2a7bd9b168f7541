"""Counts that no call waits for: added up in the process, exchanged with the others four times a second."""

import threading
import time
from functools import cache
from typing import Final

import msgspec

from httpapi import counts

EXCHANGE_SECONDS: Final = 0.25


class _Count(msgspec.Struct):
    """One key: what all processes had when last asked, what this one added since, and how long it lives."""

    known: int
    fresh: int
    seconds: int
    ends_at: float


class Meter:
    """A call costs a few dictionary look-ups here; the figure is late by at most EXCHANGE_SECONDS."""

    def __init__(self, shared: counts.SharedCounts) -> None:
        self._shared = shared
        self._counts: dict[str, _Count] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        threading.Thread(target=self._exchange_forever, name="limits", daemon=True).start()

    def add(self, key: str, seconds: int) -> int:
        """Count one call; the sum as far as it is known."""
        with self._lock:
            count = self._counts.get(key)
            if count is None:
                count = self._counts[key] = _Count(0, 0, seconds, time.monotonic() + seconds)
            count.fresh += 1
            total = count.known + count.fresh
        if not self._wake.is_set():
            self._wake.set()
        return total

    def exchange(self) -> None:
        """Hand in what was added here, take over what all have."""
        now = time.monotonic()
        with self._lock:
            self._counts = {key: count for key, count in self._counts.items() if count.ends_at > now}
            added = {key: (count.fresh, count.seconds) for key, count in self._counts.items() if count.fresh}
        for seconds in {seconds for _, seconds in added.values()}:
            amounts = {key: amount for key, (amount, lives) in added.items() if lives == seconds}
            sums = self._shared.add(amounts, seconds)
            with self._lock:
                for key, amount in amounts.items():
                    if count := self._counts.get(key):
                        count.known, count.fresh = sums[key], count.fresh - amount

    def _exchange_forever(self) -> None:
        while True:
            self._wake.wait()
            time.sleep(EXCHANGE_SECONDS)
            self._wake.clear()
            self.exchange()


@cache
def meter() -> Meter:
    """The meter of this process, begun with its first call (never before a fork)."""
    return Meter(counts.shared())
