"""Lines of a record, verified with nothing but JSON, SHA-256 and RFC 8785."""

import hashlib
import json

import msgspec
import pytest
import rfc8785
from msgspec.structs import replace

from eventlog import record
from eventlog.chain import verify
from tests.eventlog.samples import fixed_lamps


def test_an_event_comes_back_from_its_line_without_what_records_do_not_show() -> None:
    for event in fixed_lamps():
        assert record.parse(record.line(event)) == replace(event, request_id=None, text=None)


def test_a_stranger_verifies_a_record_without_our_code() -> None:
    previous = "00" * 32
    for event in fixed_lamps():
        shown = json.loads(record.line(event))
        claimed = shown.pop("digest")
        assert hashlib.sha256(rfc8785.dumps(shown | {"previous": previous})).hexdigest() == claimed
        previous = claimed


def test_a_record_shows_a_hash_and_never_the_free_text() -> None:
    shown = b"\n".join(map(record.line, fixed_lamps()))

    assert b"words" not in shown
    assert b"a-request" not in shown


@pytest.mark.parametrize(
    "found, forged",
    [
        (b'"lamp":1', b'"lamp":2'),
        (b'"cause":"player"', b'"cause":"host"'),
        (b"09:09:09.270Z", b"09:09:09.271Z"),
        (b'"span":2', b'"span":1'),
    ],
)
def test_a_forged_line_is_found(found: bytes, forged: bytes) -> None:
    lines = [record.line(event) for event in fixed_lamps()]
    assert found in lines[0]

    broken = verify([record.parse(lines[0].replace(found, forged)), *map(record.parse, lines[1:])])

    assert broken is not None
    assert broken.version == 1


@pytest.mark.parametrize(
    "found, spoiled",
    [
        (b'"cause":"player"', b'"cause":"magic"'),
        (b'"digest":"', b'"digest":"zz'),
        (b'"at":"2026', b'"at":"20'),
        (b'"kind_version":2,', b""),
        (b'"kind_version":2', b'"kind_version":2,"more":1'),
    ],
)
def test_a_line_that_shows_no_event_is_refused(found: bytes, spoiled: bytes) -> None:
    line = record.line(fixed_lamps()[0])
    assert found in line

    with pytest.raises((ValueError, msgspec.ValidationError)):
        record.parse(line.replace(found, spoiled))
