"""Somebody with all power over the database, who changes log and heads together: found by checkpoints alone."""

import base64
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db.backends.utils import CursorWrapper
from uuid_utils.compat import uuid7

from eventlog import checkpoint_rows, checkpoint_store, store
from eventlog.chain import chain
from eventlog.checkpoint_store import make_checkpoints
from eventlog.checkpoints import name_of
from eventlog.keyring import KeyRing
from eventlog.records import StoredEvent
from tests.eventlog.keys import FIRST, PUBLIC, RING, SECOND
from tests.eventlog.samples import lamps, lit, stamp

TABLES = ("eventlog_checkpoint", "eventlog_mention")


@pytest.fixture(autouse=True)
def _key(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]


@pytest.fixture
def insider(forger: CursorWrapper) -> CursorWrapper:
    """The superuser, who has taken all triggers away."""
    for table in TABLES:
        forger.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    return forger


@pytest.fixture
def signed(written: list[StoredEvent]) -> list[StoredEvent]:
    """The eight events, held by checkpoint 1; checkpoint 2 is empty."""
    make_checkpoints(RING)
    make_checkpoints(RING)
    return written


@pytest.fixture
def outside(signed: list[StoredEvent], tmp_path: Path) -> Path:
    """The checkpoints as somebody outside keeps them."""
    path = tmp_path / "checkpoints.ndjson"
    path.write_bytes(b"\n".join(kept_lines()) + b"\n")
    return path


def kept_lines() -> list[bytes]:
    return [
        msgspec.json.encode(
            {
                "signed": each.signed.decode(),
                "signature": base64.b64encode(each.signature).decode(),
                "heads": checkpoint_store.heads_in(each.header.number).decode(),
            }
        )
        for each in checkpoint_rows.everything()
    ]


def verified(*options: str) -> str:
    output = StringIO()
    call_command("verify_log", *options, stdout=output)
    return output.getvalue()


def found(*options: str) -> str:
    """The complaint, after which the process ends with status 1, and all that was told before."""
    output = StringIO()
    with pytest.raises(CommandError) as complaint:
        call_command("verify_log", *options, stdout=output)
    return f"{output.getvalue()}{complaint.value}"


def rewrite(cursor: CursorWrapper, rows: list[StoredEvent]) -> None:
    """Put another history of as many events in the place of this one, with all digests."""
    delete(cursor)
    append(lamps(rows[0].stream, 4))


def cut(cursor: CursorWrapper, rows: list[StoredEvent]) -> None:
    cursor.execute("DELETE FROM eventlog_text WHERE version > 6")
    cursor.execute("DELETE FROM eventlog_event WHERE version > 6")


def cut_and_go_on(cursor: CursorWrapper, rows: list[StoredEvent]) -> None:
    """Take the last command back and play another."""
    cut(cursor, rows)
    append(chain(rows[5].head, [lit(1), lit(2)], stamp()))


def delete(cursor: CursorWrapper, rows: list[StoredEvent] | None = None) -> None:
    cursor.execute("DELETE FROM eventlog_text")
    cursor.execute("DELETE FROM eventlog_event")


def append(rows: list[StoredEvent] | tuple[StoredEvent, ...]) -> None:
    with store.cursor() as cursor:
        store.append(cursor, rows)


Deed = Callable[[CursorWrapper, list[StoredEvent]], None]
DEEDS = [
    (rewrite, "event 8: checkpoint 1 holds another digest of event 8"),
    (cut, "event 7: checkpoint 1 holds 8 events, the log ends at 6"),
    (cut_and_go_on, "event 8: checkpoint 1 holds another digest of event 8"),
    (delete, "event 1: missing, like all events"),
]
each_deed = pytest.mark.parametrize("deed, told", DEEDS, ids=lambda value: getattr(value, "__name__", ""))


def test_an_untouched_log_with_checkpoints_is_whole(outside: Path) -> None:
    output = verified("--checkpoint", str(outside), "--checkpoint-key", PUBLIC)

    assert f"2 checkpoints, the last at {checkpoint_rows.newest_first(None, 1)[0].header.at} by {PUBLIC}\n" in output
    assert "no break found" in output


@each_deed
def test_a_changed_game_is_found_by_the_checkpoint_that_holds_it(
    insider: CursorWrapper, signed: list[StoredEvent], deed: Deed, told: str
) -> None:
    deed(insider, signed)

    assert f"{signed[0].stream} {told}" in found()


@each_deed
def test_an_insider_who_takes_the_checkpoints_away_too_is_found_by_a_copy_outside(
    insider: CursorWrapper, signed: list[StoredEvent], outside: Path, deed: Deed, told: str
) -> None:
    deed(insider, signed)
    for table in TABLES:
        insider.execute(f"DELETE FROM {table}")
    insider.execute("INSERT INTO eventlog_changed SELECT DISTINCT stream FROM eventlog_event")
    assert "no break found" in verified(), "by itself the database is whole"

    complaint = found("--checkpoint", str(outside), "--checkpoint-key", PUBLIC)

    assert "BROKEN checkpoint 1: it was kept outside and is gone here" in complaint
    gone = f"the log holds nothing of the stream that is listed as {name_of(signed[0].stream)}"
    assert (gone if deed is delete else told) in complaint


@each_deed
def test_an_insider_who_has_the_service_sign_his_history_is_found_by_a_copy_outside(
    insider: CursorWrapper, signed: list[StoredEvent], outside: Path, deed: Deed, told: str
) -> None:
    deed(insider, signed)
    for table in TABLES:
        insider.execute(f"DELETE FROM {table}")
    insider.execute("INSERT INTO eventlog_changed SELECT DISTINCT stream FROM eventlog_event")
    make_checkpoints(RING)
    make_checkpoints(RING)
    assert "no break found" in verified()

    complaint = found("--checkpoint", str(outside), "--checkpoint-key", PUBLIC)

    assert "BROKEN checkpoint 1: the one that was kept outside is another" in complaint


def test_a_game_that_is_cut_before_the_next_hour_contradicts_the_hour_before(
    insider: CursorWrapper, signed: list[StoredEvent]
) -> None:
    cut_and_go_on(insider, signed)
    make_checkpoints(RING)

    assert "checkpoint 1 holds another digest of event 8" in found()


@pytest.mark.parametrize(
    "statement, told",
    [
        ("DELETE FROM eventlog_mention", "checkpoint 1: its list of heads is not the one that was signed"),
        ("UPDATE eventlog_mention SET version = 7", "checkpoint 1: its list of heads is not the one that was signed"),
        ("DELETE FROM eventlog_checkpoint WHERE number = 1", "checkpoint 1: missing: 2 stands in its place"),
        ("DELETE FROM eventlog_checkpoint", "checkpoint 1: missing, but its list is there"),
        ("UPDATE eventlog_checkpoint SET signature = decode(repeat('00', 64), 'hex')", "its signature is not by"),
    ],
)
def test_altered_checkpoints_are_found(
    insider: CursorWrapper, signed: list[StoredEvent], statement: str, told: str
) -> None:
    make_checkpoints(RING)
    insider.execute(statement)

    assert told in found()


def test_a_history_signed_with_a_key_of_his_own_is_found_by_the_key_at_hand(
    insider: CursorWrapper, signed: list[StoredEvent]
) -> None:
    rewrite(insider, signed)
    for table in TABLES:
        insider.execute(f"DELETE FROM {table}")
    make_checkpoints(KeyRing([SECOND]))

    assert "which no trusted key vouches for" in found()


def test_last_events_that_no_checkpoint_will_ever_hold_are_found(
    insider: CursorWrapper, signed: list[StoredEvent]
) -> None:
    append(chain(signed[-1].head, [lit(1)], stamp()))
    insider.execute("DELETE FROM eventlog_changed")

    assert f"{signed[0].stream} event 9: no checkpoint holds its last events" in found()


def test_events_behind_the_last_checkpoint_are_no_break(signed: list[StoredEvent]) -> None:
    append(chain(signed[-1].head, [lit(1)], stamp()))

    assert "no break found" in verified()


def test_one_game_alone_is_compared_with_a_copy_outside(
    insider: CursorWrapper, signed: list[StoredEvent], outside: Path
) -> None:
    other = lamps(uuid7(), 1)
    append(other)
    cut(insider, signed)

    assert "no break found" in verified("--game", str(other[0].stream), "--checkpoint", str(outside))
    assert "checkpoint 1 holds 8 events" in found("--game", str(signed[0].stream), "--checkpoint", str(outside))


def test_games_of_an_archived_month_are_not_missed(insider: CursorWrapper, signed: list[StoredEvent]) -> None:
    insider.execute("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')")
    ((month,),) = insider.fetchall()
    delete(insider)

    assert "missing, like all events" in found()
    assert "missing, like all events" in found("--archived", "2001-01")
    assert "no break found" in verified("--archived", month, "--archived", "2001-01")


def test_without_any_key_the_checkpoints_are_believed_and_that_is_told(
    signed: list[StoredEvent], settings: LazySettings, tmp_path: Path
) -> None:
    settings.CHECKPOINT_KEYS = []
    settings.CHECKPOINT_KEYS_FILE = tmp_path / "none"

    assert f"by {PUBLIC}, a key that is believed for want of another" in verified()


def test_a_copy_that_cannot_be_read_is_told(signed: list[StoredEvent], tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"\n")

    assert "it is empty" in found("--checkpoint", str(tmp_path / "empty"))
    assert "cannot read" in found("--checkpoint", str(tmp_path / "none"))


def test_a_month_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError, match="not a month like 2026-11"):
        call_command("verify_log", "--archived", "November")
