"""The superuser changes a game with all its digests, its row and its state: the service by itself sees nothing.

Checkpoints do, those in the database and, once they are gone too, those that a league has kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from eventlog import store
from eventlog.chain import covered
from eventlog.checkpoint_store import make_checkpoints
from eventlog.checkpoints import name_of
from eventlog.digest import digest
from eventlog.records import GENESIS, StoredEvent
from games.engine.replay import main
from games.services.rebuilding import rebuild
from tests.databases import Connection
from tests.eventlog.keys import PUBLIC, RING
from tests.games.people import Json, Person, people, play_out, started
from tests.games.test_checkpoints import kept

pytestmark = pytest.mark.django_db(transaction=True)
GUARDED = ("eventlog_event", "eventlog_text", "eventlog_checkpoint", "eventlog_mention")
OWN_ROWS = ("games_deadline", "games_seat", "games_seed", "idempotency_keys")


class Case:
    """A finished game in checkpoint 1, which a league has kept, and the insider's connection."""

    def __init__(self, superuser: Connection, path: Path) -> None:
        players = people(2)
        self.person: Person = players[0]
        self.game = UUID(started(players, ruleset={"options": {"hand_size": 3}}))
        self.version = play_out(players, str(self.game))["version"]
        make_checkpoints(RING)
        self.path, self.kept = path, kept(path, 1)
        self.sql = superuser

    def put(self, rows: list[StoredEvent]) -> None:
        """Let these be the game's events, numbered and chained as the service does it, and its row follow from them."""
        before, sealed = GENESIS, []
        for row in rows:
            fresh = replace(row, digest=digest(covered(row, before)))
            before = fresh.digest
            sealed.append(fresh)
        self.sql.execute("DELETE FROM eventlog_event WHERE stream = %s", [self.game])
        store.append(self.sql.cursor(), sealed)
        rebuild(self.game)

    def forget_checkpoints(self) -> None:
        self.sql.execute("DELETE FROM eventlog_mention")
        self.sql.execute("DELETE FROM eventlog_checkpoint")
        self.sql.execute("INSERT INTO eventlog_changed SELECT DISTINCT stream FROM eventlog_event")

    def verification(self) -> Json:
        return self.person.get(f"games/{self.game}/verification").ok()

    def replayed(self) -> int:
        file = self.path / "game.ndjson"
        file.write_bytes(self.person.get(f"games/{self.game}/record").raw)
        return main([str(file), "--checkpoint", str(self.kept), "--checkpoint-key", PUBLIC])


@pytest.fixture
def case(superuser: Connection, tmp_path: Path) -> Iterator[Case]:
    made = Case(superuser, tmp_path)
    for table in GUARDED:
        superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    yield made
    for table in GUARDED:
        superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def verify_log(*options: str) -> str:
    output = StringIO()
    try:
        call_command("verify_log", *options, stdout=output)
    except CommandError as complaint:
        return f"{output.getvalue()}{complaint}"
    return output.getvalue()


def rewrite(case: Case) -> None:
    """Move the whole game in time by a second: no rule, no card and no seed speaks against it."""
    case.put([replace(row, at=row.at + 1000) for row in store.read(case.game)])
    later = "UPDATE games_game SET started_at = started_at + interval '1 second' WHERE id = %s"
    case.sql.execute(later, [case.game])


def cut(case: Case) -> None:
    """Take the end back, as if the game still went on."""
    last = max(row.version for row in store.read(case.game) if row.span is not None)
    case.put([row for row in store.read(case.game) if row.version < last])


def delete(case: Case) -> None:
    """Leave nothing of it in any table."""
    for table in OWN_ROWS:
        column = "stream" if table == "idempotency_keys" else "game_id"
        case.sql.execute(f"DELETE FROM {table} WHERE {column} = %s", [case.game])
    case.sql.execute("DELETE FROM games_game WHERE id = %s", [case.game])
    for table in ("eventlog_event", "eventlog_text", "eventlog_changed"):
        case.sql.execute(f"DELETE FROM {table} WHERE stream = %s", [case.game])


DEEDS = pytest.mark.parametrize("deed", [rewrite, cut, delete])


@DEEDS
def test_a_checkpoint_in_the_database_gives_the_deed_away(case: Case, deed: Callable[[Case], None]) -> None:
    deed(case)

    told = verify_log()

    assert f"BROKEN {case.game} event " in told
    assert ("missing, like all events" if deed is delete else "checkpoint 1 holds") in told


@DEEDS
def test_once_the_checkpoints_are_gone_too_only_a_kept_one_gives_it_away(
    case: Case, deed: Callable[[Case], None]
) -> None:
    deed(case)
    case.forget_checkpoints()
    assert "no break found" in verify_log(), "the insider's work is perfect"

    told = verify_log("--checkpoint", str(case.kept), "--checkpoint-key", PUBLIC)

    assert "BROKEN checkpoint 1: it was kept outside and is gone here" in told
    listed = f"the log holds nothing of the stream that is listed as {name_of(case.game)}"
    assert (listed if deed is delete else f"BROKEN {case.game} event ") in told


@pytest.mark.parametrize("deed", [rewrite, cut])
def test_the_players_see_it_in_the_verification(case: Case, deed: Callable[[Case], None]) -> None:
    assert case.verification()["ok"] is True
    deed(case)

    proof = case.verification()

    assert {check["name"] for check in proof["checks"] if check["ok"] is False} == {"checkpoints"}
    assert proof["ok"] is False


def test_the_record_of_a_rewritten_game_fails_against_a_kept_checkpoint(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    assert case.replayed() == 0
    rewrite(case)
    case.forget_checkpoints()

    assert case.replayed() == 1
    told = capsys.readouterr().out.splitlines()
    assert sum("WRONG" in line for line in told) == 1
    assert told[-1].startswith("checkpoints WRONG  checkpoint 1 holds another digest of event")


def test_the_record_of_a_cut_game_that_was_ended_anew_fails_against_a_kept_checkpoint(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    cut(case)
    case.forget_checkpoints()
    case.person.post(f"games/{case.game}/leave").ok()

    assert case.replayed() == 1
    assert "checkpoints WRONG  checkpoint 1 holds" in capsys.readouterr().out


def test_a_game_that_is_deleted_between_two_checkpoints_stays_in_the_first(case: Case) -> None:
    delete(case)
    make_checkpoints(RING)

    assert f"BROKEN {case.game} event 1: missing" in verify_log()
    assert name_of(case.game) in case.kept.read_text()
