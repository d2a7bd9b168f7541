"""What a checkpoint proves by itself: signature, chain, rotation, list."""

import base64
import hashlib
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
import rfc8785

from eventlog.checkpoints import (
    Checkpoint,
    Keys,
    Mention,
    chain_faults,
    list_fault,
    list_of,
    make,
    mention_fault,
    name_of,
    parse,
    read_list,
)
from eventlog.kept import KeptFault, read_kept
from eventlog.records import GENESIS, Head
from eventlog.signing import SigningKey, is_signed, pem_of
from tests.eventlog.keys import FIRST, PUBLIC, SECOND, SECOND_PUBLIC, THIRD, THIRD_PUBLIC
from tests.eventlog.samples import AT, STREAM, fixed_lamps
from tests.golden.goldens import FOLDER

HEADS = [Head(STREAM, 4, fixed_lamps()[-1].digest), Head(UUID(int=7 << 76), 2, bytes(32))]
ONE, TWO, THREE = SigningKey(FIRST), SigningKey(SECOND), SigningKey(THIRD)


def chained(*keys: Keys) -> list[Checkpoint]:
    """A checkpoint by each of these keys, one after the other."""
    made: list[Checkpoint] = []
    for at, each in enumerate(keys):
        made.append(make(made[-1] if made else None, AT + at, HEADS, each))
    return made


def details(checkpoints: Sequence[Checkpoint], *trusted: str) -> list[str]:
    """What is wrong, for people."""
    return [str(fault) for fault in chain_faults(checkpoints, trusted)]


def line(checkpoint: Checkpoint, heads: bytes | None = None) -> bytes:
    """A checkpoint as an outsider keeps it."""
    return msgspec.json.encode(
        {
            "number": checkpoint.header.number,
            "signed": checkpoint.signed.decode(),
            "signature": base64.b64encode(checkpoint.signature).decode(),
            "heads": (list_of(HEADS) if heads is None else heads).decode(),
        }
    )


def test_what_is_signed_is_canonical_json_with_every_field() -> None:
    (made,) = chained(Keys(ONE))

    assert made.signed == rfc8785.dumps(json.loads(made.signed))
    assert json.loads(made.signed) == {
        "at": "2026-11-30T09:09:09.270Z", "format": "log-checkpoint-1", "key": PUBLIC, "next_key": None, "number": 1,
        "list": hashlib.sha256(list_of(HEADS)).hexdigest(), "previous": GENESIS.hex(), "streams": 2,
    }  # fmt: skip
    assert parse(made.signed, made.signature) == made


def test_the_format_of_today_is_the_one_of_ever() -> None:
    """Whoever keeps checkpoints must be able to read them in ten years; Ed25519 gives the same signature each time."""
    golden = (FOLDER / "eventlog" / "checkpoint.1.ndjson").read_bytes()

    assert line(chained(Keys(ONE))[0]) + b"\n" == golden


def test_a_list_names_streams_by_the_hash_of_their_id() -> None:
    listed = list_of(HEADS)

    assert str(STREAM).encode() not in listed
    assert name_of(STREAM) == hashlib.sha256(str(STREAM).encode()).hexdigest()
    assert read_list(listed, 5)[name_of(STREAM)] == Mention(5, 4, HEADS[0].digest)
    assert listed.splitlines() == sorted(listed.splitlines())


def test_an_untouched_chain_has_no_fault() -> None:
    made = chained(Keys(ONE), Keys(ONE), Keys(ONE))

    assert details(made) == details(made, PUBLIC) == []


@pytest.mark.parametrize("field, value", [("at", "2026-11-30T09:09:09.271Z"), ("streams", 3), ("number", 9)])
def test_a_changed_field_is_not_what_was_signed(field: str, value: object) -> None:
    (made,) = chained(Keys(ONE))
    forged = msgspec.json.encode(json.loads(made.signed) | {field: value}, order="sorted")

    assert f"its signature is not by {PUBLIC}" in details([parse(forged, made.signature)])[0]


def test_a_forger_with_a_key_of_his_own_is_found_by_who_knows_the_key() -> None:
    made = chained(Keys(TWO), Keys(TWO))

    assert details(made) == []
    assert details(made, PUBLIC) == [f"checkpoint 1: signed by {SECOND_PUBLIC}, which no trusted key vouches for"]


def test_a_checkpoint_made_anew_breaks_the_chain_behind_it() -> None:
    made = chained(Keys(ONE), Keys(ONE), Keys(ONE))
    anew = make(made[0], AT + 9, HEADS[:1], Keys(ONE))

    assert details([made[0], anew, made[2]]) == ["checkpoint 3: it does not follow checkpoint 2 as that one is here"]


def test_the_first_one_follows_nothing() -> None:
    (made,) = chained(Keys(ONE))
    forged = msgspec.json.encode(json.loads(made.signed) | {"previous": "ab" * 32}, order="sorted")

    assert details([parse(forged, ONE.sign(forged))]) == ["checkpoint 1: the first one follows another"]


def test_a_key_hands_over_to_the_next_by_its_own_signature() -> None:
    made = chained(Keys(ONE), Keys(ONE, SECOND_PUBLIC), Keys(TWO), Keys(TWO))

    assert details(made, PUBLIC) == []
    assert details(made, SECOND_PUBLIC) == [], "who knows the new key alone believes the old ones by their hashes"
    assert details(made, THIRD_PUBLIC) != []


def test_a_key_that_nobody_named_is_refused() -> None:
    made = chained(Keys(ONE), Keys(TWO))

    assert details(made, PUBLIC) == [f"checkpoint 2: signed by {SECOND_PUBLIC}, but checkpoint 1 names {PUBLIC}"]


def test_a_key_in_the_place_of_a_lost_one_counts_for_who_was_told_it() -> None:
    made = chained(Keys(ONE), Keys(TWO), Keys(TWO))

    assert details(made, PUBLIC, SECOND_PUBLIC) == []


def test_a_key_that_gave_way_counts_no_more_though_it_was_trusted() -> None:
    made = chained(Keys(ONE), Keys(ONE, SECOND_PUBLIC), Keys(ONE))

    assert details(made, PUBLIC) == [f"checkpoint 3: signed by {PUBLIC}, but checkpoint 2 names {SECOND_PUBLIC}"]


def test_behind_a_gap_a_key_that_gave_way_counts_no_more_either() -> None:
    honest = chained(Keys(ONE), Keys(ONE, SECOND_PUBLIC), Keys(TWO))
    forged = chained(*[Keys(ONE)] * 6)

    assert details([*honest, forged[5]], PUBLIC) == [
        f"checkpoint 6: signed by {PUBLIC}, which no trusted key vouches for"
    ]


def test_some_checkpoints_may_be_missing_between_those_that_are_kept() -> None:
    made = chained(*[Keys(ONE)] * 6)

    assert details([made[0], made[1], made[4]], PUBLIC) == []


def test_behind_a_gap_with_a_handover_the_new_key_must_be_known() -> None:
    made = chained(Keys(ONE), Keys(ONE), Keys(ONE, SECOND_PUBLIC), Keys(TWO))

    assert details([made[0], made[3]], PUBLIC) != []
    assert details([made[0], made[3]], PUBLIC, SECOND_PUBLIC) == []


def test_another_list_than_the_signed_one_is_found() -> None:
    (made,) = chained(Keys(ONE))

    assert list_fault(made.header, list_of(HEADS)) is None
    assert str(list_fault(made.header, list_of(HEADS[:1]))).endswith("is not the one that was signed")


def test_a_log_is_compared_with_what_a_checkpoint_mentions() -> None:
    digests = {row.version: row.digest for row in fixed_lamps()}

    assert mention_fault(digests, Mention(3, 2, digests[2])) is None
    assert mention_fault(digests, Mention(3, 6, bytes(32))) == "checkpoint 3 holds 6 events, the log ends at 4"
    assert "checkpoint 3 holds another digest of event 2" in str(mention_fault(digests, Mention(3, 2, bytes(32))))


def test_kept_checkpoints_are_read_in_any_order_and_without_lists() -> None:
    made = chained(Keys(ONE), Keys(ONE), Keys(ONE))
    bare = msgspec.json.encode(msgspec.json.decode(line(made[2])) | {"heads": None})

    kept = read_kept([bare, b"", line(made[1]), line(made[0]), line(made[1])])

    assert [each.header.number for each in kept.checkpoints] == [1, 2, 3]
    assert [mention.number for mention in kept.mentions[name_of(STREAM)]] == [1, 2]
    assert list(kept.all_faults([PUBLIC])) == []


def test_a_kept_list_that_was_changed_is_found_and_not_believed() -> None:
    (made,) = chained(Keys(ONE))

    kept = read_kept([line(made, list_of(HEADS[1:]))])

    assert [str(fault) for fault in kept.all_faults([PUBLIC])] == [
        "checkpoint 1: its list of heads is not the one that was signed"
    ]
    assert kept.mentions == {}


def test_two_checkpoints_of_one_number_are_told() -> None:
    """So a service that shows different histories to different people is found when they compare."""
    one, other = chained(Keys(ONE))[0], make(None, AT + 5, HEADS, Keys(ONE))

    kept = read_kept([line(one), line(other)])

    assert "two different ones of this number" in str(kept.faults[0])


@pytest.mark.parametrize(
    "text, told",
    [
        (b"", "empty"),
        (b"{}", "line 1"),
        (b"not json", "line 1"),
        (b'{"signed":"{}","signature":"AA=="}', "line 1"),
        (b'{"signed":"{}","signature":"?"}', "line 1"),
    ],
)
def test_a_file_without_checkpoints_is_told(text: bytes, told: str) -> None:
    with pytest.raises(KeptFault, match=told):
        read_kept([text])


def test_a_format_of_the_future_is_refused() -> None:
    (made,) = chained(Keys(ONE))
    with pytest.raises(ValueError, match="log-checkpoint-2 is not known here"):
        parse(made.signed.replace(b"log-checkpoint-1", b"log-checkpoint-2"), made.signature)


@pytest.mark.parametrize("text", ["", "zz" * 32, "11" * 31, "a secret that must not be quoted"])
def test_a_key_that_is_none_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(ValueError, match="64 hex digits") as complaint:
        SigningKey(text)
    assert not text or text not in str(complaint.value)


def test_a_key_shows_its_public_half_alone() -> None:
    assert FIRST not in repr(ONE)
    assert PUBLIC in repr(ONE)


def test_no_signature_holds_under_a_key_that_is_none() -> None:
    assert not is_signed(b"", bytes(64), "00")
    assert not is_signed(b"", b"", PUBLIC)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_verifies_a_signature(tmp_path: Path) -> None:
    (made,) = chained(Keys(ONE))
    (tmp_path / "key.pem").write_text(pem_of(PUBLIC))
    (tmp_path / "signed").write_bytes(made.signed)
    (tmp_path / "signature").write_bytes(made.signature)

    done = subprocess.run(
        ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "key.pem", "-rawin", "-in", "signed", "-sigfile", "signature"],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert "Signature Verified Successfully" in done.stdout, done.stderr
