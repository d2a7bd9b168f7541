"""Months as partitions: a stream's id is a UUID version 7, which begins with the millisecond it was made in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from msgspec import Struct

AHEAD: Final = 12
"""Months made ahead, the current one not counted: a run a year is enough."""


class Month(Struct, frozen=True, order=True):
    """A calendar month, in UTC."""

    year: int
    month: int

    @classmethod
    def of(cls, day: date) -> Month:
        """The month of a day."""
        return cls(day.year, day.month)

    @property
    def following(self) -> Month:
        """The next month."""
        return Month(self.year + self.month // 12, self.month % 12 + 1)

    @property
    def first_id(self) -> UUID:
        """The lowest id of a stream made in this month: 48 bits of milliseconds, then zeros."""
        begins = datetime(self.year, self.month, 1, tzinfo=UTC)
        return UUID(int=int(begins.timestamp()) * 1000 << 80)

    @property
    def table(self) -> str:
        """The name of its partition."""
        return f"eventlog_event_{self.year}_{self.month:02}"

    def __str__(self) -> str:
        """Year and month for people."""
        return f"{self.year}-{self.month:02}"


def months(first: Month, ahead: int) -> Iterator[Month]:
    """A month and so many after it."""
    for _ in range(ahead + 1):
        yield first
        first = first.following


class Made(Struct, frozen=True):
    """What a run did: months that got a partition, and months left in the default one because streams are there."""

    made: tuple[Month, ...]
    left: tuple[Month, ...]


def make(connection: BaseDatabaseWrapper, first: Month, ahead: int = AHEAD) -> Made:
    """Make the partitions that are missing, and move nothing.

    PostgreSQL refuses a partition to a month that has streams in the default partition: such a month stays there until
    somebody moves them (docs/events.md).
    """
    made: list[Month] = []
    left: list[Month] = []
    wanted = list(months(first, ahead))
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid "
                       "WHERE inhparent = 'eventlog_event'::regclass")  # fmt: skip
        present = {name for (name,) in cursor.fetchall()}
        for month in wanted:
            if month.table in present:
                continue
            with transaction.atomic(using=connection.alias):
                (made if _made(cursor, month) else left).append(month)
    return Made(tuple(made), tuple(left))


def _made(cursor: CursorWrapper, month: Month) -> bool:
    begin, end = month.first_id, month.following.first_id
    cursor.execute("SET LOCAL lock_timeout = '5s'")
    # Attaching takes this lock in any case; taken first, nobody adds a stream of the month between look and attach.
    cursor.execute("LOCK TABLE eventlog_event_default IN ACCESS EXCLUSIVE MODE")
    cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [month.table])
    if cursor.fetchone()[0]:
        return True
    cursor.execute(
        "SELECT EXISTS (SELECT FROM eventlog_event_default WHERE stream >= %s AND stream < %s)", [begin, end]
    )
    if cursor.fetchone()[0]:
        return False
    # Created apart and attached, not created as a partition: that would lock the whole log against inserts.
    cursor.execute(f"CREATE TABLE {month.table} (LIKE eventlog_event INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
    cursor.execute(
        f"ALTER TABLE eventlog_event ATTACH PARTITION {month.table} FOR VALUES FROM ('{begin}') TO ('{end}')"
    )
    return True
