"""What keeps the log able to grow: partitions made ahead, and the application's role kept in its place."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.core.management.base import OutputWrapper
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from eventlog import partitions, roles


def keep_up(connection: BaseDatabaseWrapper, ahead: int = partitions.AHEAD) -> Iterator[str]:
    """Do what is to be done, which may be nothing, and say what was done and what an operator should know."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (now() AT TIME ZONE 'UTC')::date")
        this_month = partitions.Month.of(cursor.fetchone()[0])
    with transaction.atomic(using=connection.alias):  # no moment in which a new partition stands open to the role
        result = partitions.make(connection, this_month, ahead)
        standing = roles.settle(connection, settings.DATABASE_APPLICATION_ROLE)
    if result.made:
        yield f"partitions made: {', '.join(map(str, result.made))}"
    for month in result.left:
        yield f"{month} stays in the default partition, where streams of that month are (docs/events.md)"
    yield standing.told(settings.DATABASE_APPLICATION_ROLE)


def after_migrate(using: str, verbosity: int, stdout: OutputWrapper | None = None, **_: object) -> None:
    """Receive Django's `post_migrate`, which also comes when this app is migrated away, and from tests that flush."""
    if not roles.is_owner(connections[using]):
        return
    for sentence in keep_up(connections[using]):
        if stdout is not None and verbosity >= 1:
            stdout.write(f"  Log: {sentence}")
