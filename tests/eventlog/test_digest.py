"""The digest: its canonical bytes, what it covers, what it hides."""

import hashlib
import json

import msgspec
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from eventlog.chain import covered
from eventlog.digest import canonical, digest, instant, text_hash
from eventlog.records import GENESIS
from tests.eventlog.samples import each_field_changed, fixed_lamps

KEYS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=8)
# RFC 8785 knows no whole number beyond these, and a lone surrogate is no text.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LEAVES = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS
NODES = st.recursive(LEAVES, lambda node: st.lists(node) | st.dictionaries(KEYS, node, max_size=3), max_leaves=6)
PAYLOADS = st.dictionaries(KEYS, NODES, max_size=4)


@settings(deadline=None)  # the machine may be busy
@given(PAYLOADS)
def test_the_hashed_bytes_are_those_of_rfc_8785(payload: dict[str, object]) -> None:
    row = covered(fixed_lamps()[0], GENESIS)
    row = replace(row, data=Raw(msgspec.json.encode(payload, order="sorted")))

    assert canonical(row) == rfc8785.dumps(json.loads(canonical(row)))


def test_every_stored_field_but_the_request_id_is_covered() -> None:
    event = fixed_lamps()[0]
    original = digest(covered(event, GENESIS))

    changed = dict(each_field_changed(event))

    uncovered = {"request_id", "digest", "text"}
    assert changed.keys() == set(event.__struct_fields__) - uncovered
    assert all(digest(covered(other, GENESIS)) != original for other in changed.values())


def test_the_digest_before_is_covered() -> None:
    event = fixed_lamps()[1]

    assert digest(covered(event, GENESIS)) != digest(covered(event, bytes(31) + b"\1"))


def test_a_digest_is_the_sha_256_of_the_canonical_bytes() -> None:
    row = covered(fixed_lamps()[0], GENESIS)

    assert digest(row) == hashlib.sha256(rfc8785.dumps(json.loads(canonical(row)))).digest()


def test_a_moment_is_written_with_three_digits_of_milliseconds() -> None:
    assert instant(0) == "1970-01-01T00:00:00.000Z"
    assert instant(1_796_029_749_007) == "2026-11-30T09:09:09.007Z"


def test_equal_texts_have_unequal_hashes() -> None:
    assert text_hash(b"a" * 16, "words") != text_hash(b"b" * 16, "words")
