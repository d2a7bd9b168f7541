"""The golden files of the sample log, and a chain whose digests must never change."""

import pytest

from eventlog import record
from eventlog.chain import verify
from tests.eventlog.samples import CODEC, fixed_lamps
from tests.golden.goldens import FOLDER, Golden, canonical, goldens, lacking, reread

FOUND = goldens("eventlog")


@pytest.mark.parametrize("golden", FOUND, ids=lambda golden: f"{golden.kind}.{golden.kind_version}")
def test_what_was_stored_is_still_read(golden: Golden) -> None:
    assert reread(CODEC, golden) == golden.today


def test_the_newest_version_is_stored_in_the_very_bytes_of_its_golden_file() -> None:
    newest = next(golden for golden in FOUND if (golden.kind, golden.kind_version) == ("lamp_lit", 2))

    event = CODEC.decode(newest.kind, newest.kind_version, canonical(newest.payload))

    assert CODEC.encode(event).payload == canonical(newest.payload)


def test_every_version_ever_has_a_golden_file() -> None:
    assert lacking(CODEC, FOUND) == []


def test_a_version_without_a_golden_file_is_named() -> None:
    assert lacking(CODEC, [golden for golden in FOUND if golden.kind_version != 1]) == ["lamp_broken.1", "lamp_lit.1"]


def test_the_documentation_shows_the_known_chain() -> None:
    documentation = (FOLDER.parents[1] / "docs" / "events.md").read_text()

    assert record.line(fixed_lamps()[0]).decode() in documentation


def test_the_digests_of_a_known_chain_never_change() -> None:
    lines = (FOLDER / "eventlog" / "chain.ndjson").read_bytes().splitlines()

    assert [record.line(event) for event in fixed_lamps()] == lines
    assert verify([record.parse(line) for line in lines]) is None
