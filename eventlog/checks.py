"""What else must be true of a stream, as the apps above the log register it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from eventlog.records import Break, StoredEvent

Check: TypeAlias = Callable[[UUID, Sequence[StoredEvent]], Break | None]
"""Looks at one whole stream, oldest event first, and says where it breaks."""
Expected: TypeAlias = Callable[[], Iterable[UUID]]
"""Names streams that must hold events."""

CHECKS: Final[list[Check]] = []
EXPECTED: Final[list[Expected]] = []


def register(check: Check) -> Check:
    """Have `verify_log` make this check of every stream; it runs in one snapshot with the log."""
    CHECKS.append(check)
    return check


def expect(streams: Expected) -> Expected:
    """Have `verify_log` look for these streams even if the log holds nothing of them: so a deleted one is found."""
    EXPECTED.append(streams)
    return streams
