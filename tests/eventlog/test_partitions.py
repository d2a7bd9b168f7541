"""A stream of any month finds a partition, and partitions come without anyone noticing."""

import re
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import connection
from django.db.backends.utils import CursorWrapper
from hypothesis import given, settings
from hypothesis import strategies as st
from uuid_utils.compat import uuid7

from eventlog import store, upkeep
from eventlog.chain import chain
from eventlog.partitions import Month, make, months
from eventlog.records import Head
from tests.eventlog.samples import lit, stamp

DAYS = st.dates(date(1970, 1, 1), date(4000, 1, 1))


def made_in(moment: datetime) -> UUID:
    """A stream's id as it would have been made then: milliseconds, version 7, variant, chance."""
    return UUID(int=int(moment.timestamp() * 1000) << 80 | 7 << 76 | 2 << 62 | 0x1234)


def partition_of(cursor: CursorWrapper, stream: UUID) -> str:
    """Insert an event and say where it went."""
    (row,) = chain(Head.before(stream), [lit(1)], stamp())
    store.append(cursor.cursor, [row])
    cursor.execute("SELECT tableoid::regclass::text FROM eventlog_event WHERE stream = %s", [stream])
    return str(cursor.fetchone()[0])


@settings(deadline=None)
@given(DAYS)
def test_every_id_of_a_month_lies_between_its_first_and_that_of_the_next(day: date) -> None:
    month = Month.of(day)
    stream = made_in(datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC))

    assert month.first_id <= stream < month.following.first_id


def test_months_follow_each_other_over_the_turn_of_the_year() -> None:
    assert list(map(str, months(Month(2026, 11), 3))) == ["2026-11", "2026-12", "2027-01", "2027-02"]


def test_a_stream_of_any_month_finds_a_partition(undone: CursorWrapper) -> None:
    make(connection, Month(2031, 1), ahead=1)

    assert partition_of(undone, made_in(datetime(2031, 1, 1, tzinfo=UTC))) == "eventlog_event_2031_01"
    assert partition_of(undone, made_in(datetime(2031, 1, 31, 23, 59, 59, tzinfo=UTC))) == "eventlog_event_2031_01"
    assert partition_of(undone, made_in(datetime(2031, 2, 1, tzinfo=UTC))) == "eventlog_event_2031_02"
    assert partition_of(undone, made_in(datetime(2031, 3, 1, tzinfo=UTC))) == "eventlog_event_default"
    assert partition_of(undone, made_in(datetime(1999, 12, 31, tzinfo=UTC))) == "eventlog_event_default"


def test_a_stream_made_now_has_the_partition_of_its_month(undone: CursorWrapper) -> None:
    list(upkeep.keep_up(connection))

    assert partition_of(undone, uuid7()) == Month.of(datetime.now(UTC).date()).table


def test_a_year_is_made_ahead_of_need(undone: CursorWrapper) -> None:
    list(upkeep.keep_up(connection))

    undone.execute(
        "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'eventlog_event'::regclass"
    )
    present = {name for (name,) in undone.fetchall()}
    assert {month.table for month in months(Month.of(datetime.now(UTC).date()), 12)} <= present


def test_a_second_run_makes_nothing(undone: CursorWrapper) -> None:
    first = make(connection, Month(2031, 1), ahead=2)
    second = make(connection, Month(2031, 2), ahead=2)

    assert list(map(str, first.made)) == ["2031-01", "2031-02", "2031-03"]
    assert list(map(str, second.made)) == ["2031-04"]


def test_a_month_with_streams_in_the_default_partition_is_left_there(undone: CursorWrapper) -> None:
    early = made_in(datetime(2031, 2, 3, tzinfo=UTC))
    assert partition_of(undone, early) == "eventlog_event_default"

    result = make(connection, Month(2031, 1), ahead=2)

    assert list(map(str, result.left)) == ["2031-02"]
    assert list(map(str, result.made)) == ["2031-01", "2031-03"]
    assert partition_of(undone, made_in(datetime(2031, 2, 4, tzinfo=UTC))) == "eventlog_event_default"


def test_streams_are_moved_out_of_the_default_partition_as_documented(undone: CursorWrapper) -> None:
    early = made_in(datetime(2031, 2, 3, tzinfo=UTC))
    partition_of(undone, early)
    before = store.read(early)
    documentation = (Path(__file__).parents[2] / "docs" / "events.md").read_text()
    apart, back = (
        block.replace("BEGIN;", "").replace("COMMIT;", "")
        for block in re.findall(r"```sql\n(.*?)```", documentation, re.DOTALL)
    )

    undone.execute(apart)
    result = make(connection, Month(2031, 2), ahead=0)
    undone.execute(back)

    assert list(map(str, result.made)) == ["2031-02"]
    undone.execute("SELECT tableoid::regclass::text FROM eventlog_event WHERE stream = %s", [early])
    assert undone.fetchall() == [("eventlog_event_2031_02",)]
    assert store.read(early) == before


def test_a_repeat_is_told_as_such_in_a_renamed_partition_too(undone: CursorWrapper) -> None:
    undone.execute("ALTER INDEX eventlog_event_default_pkey RENAME TO eventlog_event_default_pkey1")
    rows = chain(Head.before(made_in(datetime(1999, 1, 1, tzinfo=UTC))), [lit(1)], stamp())
    with store.cursor() as cursor:
        store.append(cursor, rows)

    with pytest.raises(store.VersionTakenError), store.cursor() as cursor:
        store.append(cursor, rows)


def test_a_new_partition_refuses_changes_and_repeats_like_the_others(undone: CursorWrapper) -> None:
    make(connection, Month(2031, 1), ahead=0)
    undone.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = 'eventlog_event_2031_01'::regclass")
    triggers = undone.fetchall()
    undone.execute(
        "SELECT indisunique, indpred IS NOT NULL FROM pg_index WHERE indrelid = 'eventlog_event_2031_01'::regclass"
    )

    assert triggers == [("eventlog_event_append_only",)]
    assert sorted(undone.fetchall()) == [(True, False), (True, True)]


@pytest.mark.django_db
def test_only_the_logs_owner_makes_partitions() -> None:
    with pytest.raises(CommandError, match="DATABASE_OWNER_URL"):
        call_command("make_partitions", stdout=StringIO())


def test_the_owner_is_told_what_was_made(undone: CursorWrapper) -> None:
    list(upkeep.keep_up(connection))  # in a run over the end of a month one more is missing
    output = StringIO()

    call_command("make_partitions", "--ahead", "13", stdout=output)

    made, standing = output.getvalue().splitlines()
    assert made == f"partitions made: {list(months(Month.of(datetime.now(UTC).date()), 13))[-1]}"
    assert standing == "role taki_app may add to the log and read it, nothing else"


def test_every_migrate_looks_after_the_log(undone: CursorWrapper) -> None:
    output = StringIO()
    undone.execute(f"DROP TABLE {Month.of(datetime.now(UTC).date()).following.table}")

    upkeep.after_migrate("default", verbosity=1, stdout=OutputWrapper(output))

    assert "Log: partitions made: 20" in output.getvalue()


def test_a_migrate_that_takes_the_log_away_asks_nothing_of_it(undone: CursorWrapper) -> None:
    undone.execute("DROP TABLE eventlog_event CASCADE")
    output = StringIO()

    upkeep.after_migrate("default", verbosity=1, stdout=OutputWrapper(output))

    assert output.getvalue() == ""


def test_the_upkeep_tells_what_it_did(undone: CursorWrapper) -> None:
    list(upkeep.keep_up(connection))

    assert list(upkeep.keep_up(connection)) == ["role taki_app may add to the log and read it, nothing else"]
