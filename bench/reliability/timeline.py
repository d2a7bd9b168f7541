"""What happened when: calls with their answers, and the times in which something was away."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection

from msgspec import Struct


class Call(Struct, frozen=True):
    """A call: what kind, from when to when (seconds of the monotonic clock), and what came of it."""

    kind: str
    began: float
    ended: float
    code: str


class Absence(Struct, frozen=True):
    """A time in which something was killed and not yet back."""

    what: frozenset[str]
    began: float
    ended: float


class Timeline:
    """Filled by many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.calls: list[Call] = []
        self.absences: list[Absence] = []

    def call(self, one: Call) -> None:
        """Note a call."""
        with self._lock:
            self.calls.append(one)

    def absence(self, one: Absence) -> None:
        """Note an absence."""
        with self._lock:
            self.absences.append(one)

    def answers_without(self, what: str, others: Collection[str] = ()) -> Counter[tuple[str, str]]:
        """What calls that lay wholly in an absence were answered, while none of `others` was away."""
        found: Counter[tuple[str, str]] = Counter()
        for absence in self.absences:
            if what in absence.what and not absence.what & set(others):
                found.update(
                    (call.kind, call.code)
                    for call in self.calls
                    if absence.began <= call.began and call.ended <= absence.ended
                )
        return found

    def seconds_without(self, what: str) -> list[float]:
        """How long it was away, each time."""
        return [one.ended - one.began for one in self.absences if what in one.what]

    def slowest(self) -> float:
        """The longest time that a call took, answered or not."""
        return max((call.ended - call.began for call in self.calls), default=0.0)
