"""Times in answers: UTC with milliseconds, by the database's clock where it matters."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Protocol

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Cursor(Protocol):
    """What Django's cursors and psycopg's have in common."""

    def execute(self, query: Any, /) -> Any:
        """Run a statement."""

    def fetchone(self) -> Any:
        """The next row."""


def isoformat_ms(ms: int) -> str:
    """Milliseconds since 1970 as `2026-11-30T05:03:00.123Z`."""
    seconds, rest = divmod(ms, 1000)
    return f"{_whole_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=1024)
def _whole_second(seconds: int) -> str:
    return (_EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")


def to_ms(moment: datetime) -> int:
    """A time as whole milliseconds since 1970, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def isoformat(moment: datetime) -> str:
    """A time as `2026-11-30T05:03:00.123Z`."""
    return isoformat_ms(to_ms(moment))


def database_now_ms(cursor: Cursor) -> int:
    """The database's clock, not that of the transaction, in milliseconds since 1970."""
    cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    return int(cursor.fetchone()[0])
