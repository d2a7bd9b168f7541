"""Old shapes of events made new: pure functions from the data of one version of a kind to that of the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Fields: TypeAlias = dict[str, object]
"""The data of one event as plain JSON values."""
Upcast: TypeAlias = Callable[[Fields], Fields]


class Upcasters:
    """Steps by (kind, version they start from)."""

    def __init__(self, steps: Mapping[tuple[str, int], Upcast] | None = None) -> None:
        self._steps = dict(steps or {})

    def check(self, current: Mapping[str, int]) -> None:
        """Raise ValueError unless exactly the versions before each kind's current one have a step."""
        needed = {(kind, version) for kind, newest in current.items() for version in range(1, newest)}
        if lacking := sorted(needed - self._steps.keys()):
            raise ValueError(f"old versions without an upcaster: {lacking}")
        if idle := sorted(self._steps.keys() - needed):
            raise ValueError(f"upcasters that lead nowhere: {idle}")

    def upcast(self, kind: str, version: int, newest: int, fields: Fields) -> Fields:
        """The data as the newest version of its kind holds it."""
        for step in range(version, newest):
            fields = self._steps[kind, step](fields)
        return fields
