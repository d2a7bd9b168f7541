"""Chaining and verifying, without a database."""

import pytest
from msgspec.structs import replace

from eventlog.chain import chain, covered, verify, verify_texts
from eventlog.digest import digest
from eventlog.records import Cause, Flaw, Head, SaltedText, StoredEvent
from tests.eventlog.samples import AT, COMMAND, PLAYER, STREAM, each_field_changed, fixed_lamps, lit, stamp


def resealed(events: list[StoredEvent], start: int) -> list[StoredEvent]:
    """The events with all digests from an index on made anew, as an insider would."""
    kept = events[:start]
    for event in events[start:]:
        previous = kept[-1].head if kept else Head.before(event.stream)
        kept.append(replace(event, digest=digest(covered(event, previous.digest))))
    return kept


def test_events_are_numbered_behind_the_head_without_gaps() -> None:
    head = Head(STREAM, 16, bytes(32))

    rows = chain(head, [lit(1), lit(2), lit(3)], stamp())

    assert [row.version for row in rows] == [17, 18, 19]


def test_the_first_event_of_a_command_carries_what_all_share() -> None:
    first, second = chain(Head.before(STREAM), [lit(1), lit(2)], stamp(COMMAND))

    assert (first.command_id, first.span, first.request_id) == (COMMAND, 2, "a-request")
    assert (second.command_id, second.span, second.request_id, second.fingerprint) == (None, None, None, None)


def test_what_the_clock_caused_inside_a_players_command_has_no_actor() -> None:
    settled, played = chain(Head.before(STREAM), [lit(1, cause=Cause.CLOCK), lit(2)], stamp())

    assert (settled.cause, settled.actor) == (Cause.CLOCK, None)
    assert (played.cause, played.actor, played.at) == (Cause.PLAYER, PLAYER, AT)


def test_salts_are_128_bits_and_never_the_same() -> None:
    rows = chain(Head.before(STREAM), [lit(1)] * 100, stamp())

    assert {len(row.salt) for row in rows} == {16}
    assert len({row.salt for row in rows}) == 100


def test_equal_events_have_unequal_digests() -> None:
    (one,) = chain(Head.before(STREAM), [lit(1)], stamp(COMMAND))
    (other,) = chain(Head.before(STREAM), [lit(1)], stamp(COMMAND))

    assert replace(one, salt=b"", digest=b"") == replace(other, salt=b"", digest=b"")
    assert one.digest != other.digest


def test_a_given_salt_source_makes_a_chain_repeatable() -> None:
    assert fixed_lamps() == fixed_lamps()


def test_a_command_without_events_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to store"):
        chain(Head.before(STREAM), [], stamp())


def test_an_untouched_stream_is_whole() -> None:
    rows = fixed_lamps()

    assert verify(rows, rows[-1].head) is None


def test_nothing_is_whole_beside_a_head_that_knows_of_nothing() -> None:
    assert verify([], Head.before(STREAM)) is None


@pytest.mark.parametrize("index", range(4))
def test_a_changed_field_of_any_event_breaks_there(index: int) -> None:
    for name, changed in each_field_changed(fixed_lamps()[index]):
        rows = fixed_lamps()
        rows[index] = changed
        broken = verify(rows, fixed_lamps()[-1].head)
        assert broken is not None, name
        assert (broken.stream, broken.version) == (STREAM, index + 1), name


def test_a_removed_event_is_named() -> None:
    rows = fixed_lamps()
    del rows[1]

    broken = verify(rows)

    assert broken is not None
    assert (broken.version, broken.flaw) == (2, Flaw.MISSING)
    assert str(broken) == f"{STREAM} event 2: missing: event 3 follows 1 (missing)"


def test_an_event_told_twice_is_named() -> None:
    rows = fixed_lamps()

    broken = verify([*rows[:2], rows[1], *rows[2:]])

    assert broken is not None
    assert (broken.version, broken.flaw) == (2, Flaw.OUT_OF_ORDER)


def test_two_events_with_each_others_numbers_break_at_the_earlier() -> None:
    rows = fixed_lamps()
    rows[1], rows[2] = replace(rows[2], version=2), replace(rows[1], version=3)

    broken = verify(rows)

    assert broken is not None
    assert (broken.version, broken.flaw) == (2, Flaw.DIGEST)


def test_a_time_beyond_all_calendars_is_a_break_and_no_failure() -> None:
    rows = fixed_lamps()
    rows[1] = replace(rows[1], at=2**62)

    broken = verify(rows)

    assert broken is not None
    assert (broken.version, broken.flaw) == (2, Flaw.DIGEST)


def test_an_event_resealed_by_itself_breaks_at_the_next() -> None:
    rows = fixed_lamps()
    rows[1] = replace(rows[1], payload=b'{"lamp":7}')
    rows[1] = replace(rows[1], digest=digest(covered(rows[1], rows[0].digest)))

    broken = verify(rows)

    assert broken is not None
    assert (broken.version, broken.flaw) == (3, Flaw.DIGEST)


def test_an_event_of_another_stream_is_named() -> None:
    rows = fixed_lamps()

    broken = verify(rows, Head.before(PLAYER))

    assert broken is not None
    assert (broken.stream, broken.version, broken.flaw) == (PLAYER, 1, Flaw.OTHER_STREAM)


def test_a_cut_tail_shows_beside_the_head_and_only_there() -> None:
    rows = fixed_lamps()
    head = rows.pop().head

    broken = verify(rows, head)

    assert verify(rows) is None
    assert broken is not None
    assert (broken.version, broken.flaw) == (4, Flaw.CUT)


def test_a_lost_stream_shows_beside_the_head() -> None:
    broken = verify([], fixed_lamps()[-1].head)

    assert broken is not None
    assert (broken.version, broken.flaw) == (1, Flaw.CUT)


def test_an_event_behind_the_head_is_named() -> None:
    rows = fixed_lamps()

    broken = verify(rows, rows[2].head)

    assert broken is not None
    assert (broken.version, broken.flaw) == (4, Flaw.HEAD)


def test_a_stream_rewritten_with_all_digests_shows_beside_the_head_and_only_there() -> None:
    rows = fixed_lamps()
    head = rows[-1].head
    rows[1] = replace(rows[1], payload=b'{"lamp":7}')
    rows = resealed(rows, 1)

    broken = verify(rows, head)

    assert verify(rows) is None
    assert broken is not None
    assert broken.flaw is Flaw.HEAD


def test_a_request_id_may_be_forgotten() -> None:
    rows = fixed_lamps()
    rows[0] = replace(rows[0], request_id=None)

    assert verify(rows) is None


def test_a_text_is_proven_until_it_is_erased() -> None:
    rows = fixed_lamps()
    text = rows[2].text
    assert text is not None

    assert verify_texts(STREAM, rows, {3: text}) is None
    assert verify_texts(STREAM, rows, {}) is None
    assert verify(rows) is None


@pytest.mark.parametrize("version", [3, 4, 9], ids=["changed", "given to an event without", "given to no event"])
def test_a_text_that_was_not_written_with_its_event_is_named(version: int) -> None:
    broken = verify_texts(STREAM, fixed_lamps(), {version: SaltedText("other words", bytes(16))})

    assert broken is not None
    assert (broken.version, broken.flaw) == (version, Flaw.TEXT)
