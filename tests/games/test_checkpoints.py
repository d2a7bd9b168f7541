"""Checkpoints over HTTP: the list, one whole, the keys; what verification and record say of them; the offline tool."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import cast

import pytest
from django.http import HttpResponse
from django.test import Client

from eventlog.checkpoint_store import make_checkpoint, make_checkpoints, rotation
from eventlog.checkpoints import chain_faults
from eventlog.kept import read_kept
from games.engine.replay import main
from tests.eventlog.keys import BOTH, PUBLIC, RING, SECOND_PUBLIC
from tests.games.people import Answer, Json, Person, opened, people, play_out, started

pytestmark = pytest.mark.django_db


def get(path: str) -> Answer:
    """Without a token, as anybody may."""
    return Answer(cast("HttpResponse", Client().get(path if path.startswith("/") else f"/api/v1/{path}")))


def name_of(game: str) -> str:
    return hashlib.sha256(game.encode()).hexdigest()


def finished() -> tuple[Person, str]:
    players = people(2)
    game = started(players, ruleset={"options": {"hand_size": 3}})
    play_out(players, game)
    return players[0], game


def kept(path: Path, *numbers: int) -> Path:
    """A file as a league keeps it."""
    file = path / "checkpoints.ndjson"
    file.write_bytes(b"".join(get(f"checkpoints/{number}").raw + b"\n" for number in numbers))
    return file


def test_anybody_reads_checkpoints_page_by_page_and_can_verify_them() -> None:
    for _ in range(5):
        make_checkpoints(RING)
    first = get("checkpoints?limit=2").ok()
    second = get(first["next"]).ok()

    assert [each["number"] for each in first["results"] + second["results"]] == [5, 4, 3, 2]
    assert get(second["previous"]).ok()["results"] == first["results"]
    make_checkpoints(RING)
    assert [each["number"] for each in get(first["previous"] or second["previous"]).ok()["results"]] == [5, 4]

    lines = [json.dumps(each).encode() for each in get("checkpoints").ok()["results"]]
    read = read_kept(lines)
    assert len(read.checkpoints) == 6
    assert list(read.all_faults([PUBLIC])) == []


def test_a_keeper_finds_newer_checkpoints_by_the_link_of_an_older_page() -> None:
    make_checkpoints(RING)
    make_checkpoints(RING)
    second = get(get("checkpoints?limit=1").ok()["next"]).ok()
    make_checkpoints(RING)

    newer = get(second["previous"]).ok()

    assert [each["number"] for each in newer["results"]] == [2]
    assert [each["number"] for each in get(newer["previous"]).ok()["results"]] == [3]


def test_one_checkpoint_holds_the_hash_the_count_and_the_head_of_each_game() -> None:
    host = Person()
    game = opened(host)["id"]
    make_checkpoints(RING)

    answer = get("checkpoints/1")

    head = host.get(f"games/{game}/verification").ok()["head"]
    assert answer.ok()["heads"] == f"{name_of(game)} 2 {head}\n"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    signed = json.loads(answer.ok()["signed"])
    assert signed["list"] == hashlib.sha256(answer.ok()["heads"].encode()).hexdigest()
    assert (signed["number"], signed["streams"], signed["key"]) == (1, 1, PUBLIC)


def test_no_checkpoint_gives_away_the_id_of_an_unlisted_game() -> None:
    """Whoever knows the id of an unlisted table may look at it and join it."""
    game = opened(Person(), visibility="unlisted")["id"]
    make_checkpoints(RING)

    for path in ("checkpoints", "checkpoints/1", "checkpoints/keys"):
        text = get(path).raw.decode()
        assert game not in text
        assert game.replace("-", "") not in text


@pytest.mark.parametrize("number", ["0", "2", "-1", "one", "1.0", "١", "99999999999999999999", "2147483648"])
def test_a_checkpoint_that_is_not_there_is_not_found(number: str) -> None:
    make_checkpoints(RING)

    get(f"checkpoints/{number}").refused(404, "not_found")


def test_keys_stay_published_with_what_they_signed() -> None:
    make_checkpoints(RING)
    assert [(key["key"], key["last"], key["named_by"]) for key in get("checkpoints/keys").ok()["results"]] == [
        (PUBLIC, None, None)
    ]
    make_checkpoint(rotation(BOTH))

    heir, old = get("checkpoints/keys").ok()["results"]
    assert (heir["key"], heir["first"], heir["since"], heir["named_by"]) == (SECOND_PUBLIC, 3, None, 2)
    assert (old["key"], old["first"], old["last"]) == (PUBLIC, 1, 2)
    assert old["pem"].startswith("-----BEGIN PUBLIC KEY-----\n")

    make_checkpoints(BOTH)
    heir, old = get("checkpoints/keys").ok()["results"]
    assert heir["since"] == get("checkpoints/3").ok()["at"]
    assert (heir["last"], heir["until"]) == (None, None)
    assert old["until"] == get("checkpoints/2").ok()["at"]
    stored = read_kept(get(f"checkpoints/{number}").raw for number in (1, 2, 3)).checkpoints
    assert list(chain_faults(stored, [PUBLIC])) == []


def test_before_the_first_checkpoint_there_is_no_key_and_no_row() -> None:
    assert get("checkpoints/keys").ok() == {"results": []}
    assert get("checkpoints").ok() == {"results": [], "next": None, "previous": None}


def checks(person: Person, game: str) -> tuple[Json, Json]:
    proof = person.get(f"games/{game}/verification").ok()
    return proof, next(check for check in proof["checks"] if check["name"] == "checkpoints")


def test_a_verification_names_the_last_checkpoint_also_where_the_version_stays() -> None:
    host = Person()
    game = opened(host)["id"]
    proof, check = checks(host, game)
    assert (proof["checkpoint"], check["ok"]) == (None, None)

    make_checkpoints(RING)
    proof, check = checks(host, game)
    assert (proof["checkpoint"], check["ok"]) == ({"number": 1, "events": 2}, True)

    make_checkpoints(RING)
    Person().post(f"games/{game}/join").ok()
    proof, check = checks(host, game)
    assert (proof["version"], proof["checkpoint"], check["ok"]) == (3, {"number": 1, "events": 2}, True)


def test_a_record_names_the_algorithm_and_the_checkpoints_that_hold_it() -> None:
    players = people(2)
    game = started(players)
    make_checkpoints(RING)
    play_out(players, game)
    make_checkpoints(RING)

    header = json.loads(players[0].get(f"games/{game}/record").raw.splitlines()[0])

    assert header["fairness"] == "taki-fairness-1"
    assert [each["number"] for each in header["checkpoints"]] == [1, 2]
    assert header["checkpoints"][1]["events"] == header["events"] > header["checkpoints"][0]["events"]


# --- the offline tool ----------------------------------------------------------------------------


def test_the_offline_tool_compares_a_record_with_kept_checkpoints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person, game = finished()
    make_checkpoints(RING)
    (tmp_path / "game.ndjson").write_bytes(person.get(f"games/{game}/record").raw)
    events = person.view(game)["version"]

    status = main([str(tmp_path / "game.ndjson"), "--checkpoint", str(kept(tmp_path, 1)), "--checkpoint-key", PUBLIC])

    told = capsys.readouterr().out.splitlines()[-1]
    assert status == 0
    assert told.startswith(f"checkpoints ok     events 1 to {events} of {events} stand since ")
    assert told.endswith(f"(checkpoint 1, signed by {PUBLIC})")


def test_the_offline_tool_says_how_far_a_checkpoint_proves_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = people(2)
    game = started(players)
    before = players[0].view(game)["version"]
    make_checkpoints(RING)
    events = play_out(players, game)["version"]
    (tmp_path / "game.ndjson").write_bytes(players[0].get(f"games/{game}/record").raw)

    assert main([str(tmp_path / "game.ndjson"), "--checkpoint", str(kept(tmp_path, 1))]) == 0
    assert f"events 1 to {before} of {events} stand" in capsys.readouterr().out


def test_the_offline_tool_does_not_believe_another_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person, game = finished()
    make_checkpoints(RING)
    (tmp_path / "game.ndjson").write_bytes(person.get(f"games/{game}/record").raw)

    status = main(
        [str(tmp_path / "game.ndjson"), "--checkpoint", str(kept(tmp_path, 1)), "--checkpoint-key", SECOND_PUBLIC]
    )

    assert status == 1
    assert "checkpoints WRONG  checkpoint 1: signed by" in capsys.readouterr().out


def test_a_record_that_no_kept_checkpoint_holds_is_not_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_checkpoints(RING)
    person, game = finished()
    (tmp_path / "game.ndjson").write_bytes(person.get(f"games/{game}/record").raw)

    assert main([str(tmp_path / "game.ndjson"), "--checkpoint", str(kept(tmp_path, 1))]) == 1
    assert "checkpoints WRONG  none of those kept holds this game" in capsys.readouterr().out


def test_a_file_of_checkpoints_that_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person, game = finished()
    (tmp_path / "game.ndjson").write_bytes(person.get(f"games/{game}/record").raw)

    assert main([str(tmp_path / "game.ndjson"), "--checkpoint", str(tmp_path / "none")]) == 1
    assert main([str(tmp_path / "game.ndjson"), "--checkpoint", str(tmp_path / "game.ndjson")]) == 1
    assert capsys.readouterr().err.count("cannot read") == 2
