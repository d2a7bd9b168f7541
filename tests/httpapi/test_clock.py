"""Times in answers."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection

from httpapi.clock import database_now_ms, isoformat, isoformat_ms, to_ms


@pytest.mark.parametrize(
    "ms, text",
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_796_014_980_123, "2026-11-30T05:03:00.123Z"),
        (1_796_014_980_007, "2026-11-30T05:03:00.007Z"),
    ],
)
def test_times_are_utc_with_milliseconds(ms: int, text: str) -> None:
    assert isoformat_ms(ms) == text


def test_microseconds_are_cut_never_rounded_up() -> None:
    assert isoformat(datetime(2026, 11, 30, 5, 3, 0, 123_999, UTC)) == "2026-11-30T05:03:00.123Z"


def test_other_zones_are_converted() -> None:
    there = datetime(2026, 11, 30, 7, 3, tzinfo=timezone(timedelta(hours=2)))
    assert isoformat(there) == "2026-11-30T05:03:00.000Z"


def test_milliseconds_keep_their_exact_value() -> None:
    assert all(to_ms(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=n)) == n for n in range(1, 10_000, 7))


@pytest.mark.django_db
def test_the_clock_of_the_database_moves_on_within_a_transaction() -> None:
    with connection.cursor() as cursor:
        first = database_now_ms(cursor)
        cursor.execute("SELECT pg_sleep(0.005)")
        assert 5 <= database_now_ms(cursor) - first < 2_000
