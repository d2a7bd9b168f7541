"""Rows that the application's role may insert among the checkpoints: none is followed or shown, each is told of."""

from __future__ import annotations

import hashlib
from io import StringIO
from typing import Any

import msgspec
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection

from eventlog import checkpoint_audit, checkpoint_rows
from eventlog.checkpoint_store import TakenNumberError, make_checkpoint, make_checkpoints, regular, renewal, rotation
from eventlog.checkpoints import Checkpoint
from eventlog.signing import SigningKey, is_key
from eventlog.tasks import make_checkpoint as task
from tests.eventlog.keys import BOTH, FIRST, PUBLIC, RING, SECOND, SECOND_PUBLIC, THIRD, THIRD_PUBLIC
from tests.games.people import Answer, Person

pytestmark = pytest.mark.django_db
FAR = 2**31 - 1
UNSIGNED = bytes(64)


def insert(number: int, signed: str, signature: bytes = UNSIGNED) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO eventlog_checkpoint VALUES (%s, %s, %s)", [number, signed, signature])


def nonsense(number: int = FAR) -> None:
    insert(number, '{"key":"' + "ab" * 32 + '"}')


def successor(of: Checkpoint, key: str = PUBLIC, **fields: Any) -> str:
    """A header that follows a checkpoint as it should."""
    header = msgspec.to_builtins(of.header) | {
        "number": of.header.number + 1, "previous": of.digest, "key": key, "streams": 0,
        "list": hashlib.sha256(b"").hexdigest(),
    }  # fmt: skip
    return msgspec.json.encode(header | fields, order="sorted").decode()


def made() -> Checkpoint:
    (checkpoint,) = make_checkpoints(RING)
    return checkpoint


def faults() -> list[str]:
    return [str(fault) for fault in checkpoint_audit.stored_faults([PUBLIC])]


def said(*command: str) -> str:
    output = StringIO()
    try:
        call_command(*command, stdout=output)
    except CommandError as complaint:
        return f"{output.getvalue()}{complaint}"
    return output.getvalue()


def get(path: str) -> Answer:
    return Person().get(path)


def shown_keys() -> list[tuple[str, int | None]]:
    return [(each["key"], each["named_by"]) for each in get("checkpoints/keys").ok()["results"]]


def test_a_row_that_is_no_checkpoint_is_told_of_and_the_next_ones_follow_the_last_good_one() -> None:
    first = made()
    nonsense()

    second = made()

    assert (second.header.number, second.header.previous) == (2, first.digest)
    assert make_checkpoint(rotation(BOTH)).header.number == 3
    assert faults() == [f"checkpoint {FAR}: it cannot be read as a checkpoint of this number"]


def test_the_commands_say_so_without_a_traceback(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]
    assert said("make_checkpoint").startswith("checkpoint 1: ")
    nonsense()
    settings.CHECKPOINT_KEYS = [FIRST, SECOND]
    assert said("make_checkpoint").startswith("checkpoint 2: ")
    assert said("rotate_checkpoint_key", "--lost") == f"from checkpoint 3 on {SECOND_PUBLIC} signs\n"
    told = said("verify_log", "--checkpoint-key", PUBLIC, "--checkpoint-key", SECOND_PUBLIC)
    assert f"BROKEN checkpoint {FAR}: it cannot be read" in told
    assert f"3 checkpoints, the last at {checkpoint_rows.newest_first(None, 1)[0].header.at}" in told


def test_nonsense_is_not_shown_and_breaks_no_page() -> None:
    made()
    nonsense()
    nonsense(2)
    assert [each["number"] for each in get("checkpoints").ok()["results"]] == [1]
    assert shown_keys() == [(PUBLIC, None)]
    for number in (2, FAR):
        get(f"checkpoints/{number}").refused(404, "not_found")


@pytest.mark.parametrize("field", [{"next_key": "zz"}, {"next_key": "AB" * 32}, {"format": "other"}, {"number": 7}])
def test_what_a_stranger_signs_but_nobody_can_read_is_not_shown(field: dict[str, Any]) -> None:
    signed = successor(made(), THIRD_PUBLIC, **field)
    insert(2, signed, SigningKey(THIRD).sign(signed.encode()))
    assert shown_keys() == [(PUBLIC, None)]
    assert faults() == ["checkpoint 2: it cannot be read as a checkpoint of this number"]


def test_an_unsigned_successor_that_names_a_strangers_key_is_neither_followed_nor_shown() -> None:
    insert(2, successor(made(), next_key=THIRD_PUBLIC))

    assert shown_keys() == [(PUBLIC, None)]
    assert [each["number"] for each in get("checkpoints").ok()["results"]] == [1]
    get("checkpoints/2").refused(404, "not_found")
    for way in (regular(RING), rotation(BOTH), renewal(BOTH)):
        with pytest.raises(TakenNumberError, match="checkpoint 2 is there already"):
            make_checkpoint(way)
    assert faults()[0] == f"checkpoint 2: its signature is not by {PUBLIC}"


def test_a_successor_that_a_stranger_signed_is_not_followed_by_our_key(settings: LazySettings) -> None:
    settings.CHECKPOINT_KEYS = [FIRST, SECOND]
    first = made()
    signed = successor(first, THIRD_PUBLIC, next_key=PUBLIC)
    insert(2, signed, SigningKey(THIRD).sign(signed.encode()))

    assert said("make_checkpoint").startswith("checkpoint 2 is there already")
    assert said("rotate_checkpoint_key").startswith("checkpoint 2 is there already")
    assert f"BROKEN checkpoint 2: signed by {THIRD_PUBLIC}, but checkpoint 1 names {PUBLIC}" in said("verify_log")
    assert (THIRD_PUBLIC, None) in shown_keys(), "nothing vouches for it, and the page says so"


def test_the_task_of_every_hour_says_what_is_wrong_and_goes_on(
    settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHECKPOINT_KEYS = [FIRST]
    insert(2, successor(made(), next_key=THIRD_PUBLIC))
    task()
    assert "no checkpoint was made: checkpoint 2 is there already" in caplog.text


def mention(number: int, game: str, version: int, digest: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO eventlog_mention VALUES (%s, %s, %s, %s)", [number, version, game, digest])


def test_a_list_without_a_checkpoint_is_told_of_and_proves_nothing() -> None:
    host = Person()
    game = host.post("games", {}).ok(201)["id"]
    digest = bytes.fromhex(host.get(f"games/{game}/verification").ok()["head"])
    mention(FAR, game, 2, digest)
    assert host.get(f"games/{game}/verification").ok()["checkpoint"] is None
    assert faults() == [f"checkpoint {FAR}: missing, but its list is there"]
    assert made().header.number == 1
    assert host.get(f"games/{game}/verification").ok()["checkpoint"] == {"number": 1, "events": 2}


def test_a_list_in_the_place_of_the_next_one_stops_checkpoints_and_is_told_of() -> None:
    game = Person().post("games", {}).ok(201)["id"]
    mention(1, game, 1, bytes(32))
    with pytest.raises(TakenNumberError, match="checkpoint 1 is there already"):
        made()
    assert faults() == ["checkpoint 1: missing, but its list is there"]


def test_a_whole_page_of_nonsense_hides_no_checkpoint() -> None:
    made()
    for number in range(1_000, 1_210):
        nonsense(number)
    assert [each.header.number for each in checkpoint_rows.newest_first(None, 5)] == [1]
    assert [each.header.number for each in checkpoint_rows.oldest_first(0, 5)] == [1]


def test_the_key_at_hand_goes_on_although_it_has_not_signed_yet() -> None:
    made()
    make_checkpoint(rotation(BOTH))
    nonsense()
    last = checkpoint_rows.last_of([SECOND_PUBLIC])
    assert last is not None
    assert (last.header.number, last.heir) == (2, SECOND_PUBLIC)


def test_a_key_is_64_small_hex_digits() -> None:
    assert is_key(PUBLIC)
    assert not any(map(is_key, ("", "zz", PUBLIC.upper(), PUBLIC[:-2], f" {PUBLIC}")))
