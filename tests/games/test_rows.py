"""The row of a game: small, changed in place, and made again from the log."""

import hashlib
import random

import pytest
from django.core.management import call_command
from django.db import connection

from eventlog import record
from games.engine import draft, state
from games.engine.record import checks, read_record
from games.models import STATE_BYTES_AT_MOST, Deadline, Game
from games.tables import STATE_FORMAT, moment_of
from tests.games.overdue import deadline, true_deadline
from tests.games.people import Person, one_move, opened, people, play_out, started

pytestmark = pytest.mark.django_db

DRAW = {"type": "draw"}


def row(game: str) -> dict[str, object]:
    values = Game.objects.values().get(pk=game)
    return {name: bytes(value) if isinstance(value, memoryview) else value for name, value in values.items()}


def test_a_packed_table_stays_small_to_the_last_move() -> None:
    players = people(10)
    game = started(players, mode="tournament", ruleset={"options": {"last_card_deadline": "seconds:60"}})
    chance = random.Random(8)
    largest = 0
    for _ in range(150):
        one_move(players, game, chance)
        largest = max(largest, len(bytes(Game.objects.get(pk=game).state or b"")))
    assert 0 < largest <= STATE_BYTES_AT_MOST


def test_a_move_changes_its_row_in_place() -> None:
    players = people(2)
    game = started(players)
    for _ in range(6):
        players[players[0].view(game)["turn"]].move(game, DRAW).ok(201)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_get_xact_tuples_updated(%s::regclass), pg_stat_get_xact_tuples_hot_updated(%s::regclass)",
            ["games_game", "games_game"],
        )
        updated, in_place = cursor.fetchone()
    assert updated >= 6
    assert in_place >= updated - 1  # the start changes the status, which is in an index


def test_no_index_holds_what_a_move_changes() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'games_game'")
        indexes = " ".join(definition for (definition,) in cursor.fetchall())
    for column in ("version", "head", "state", "turn", "awaited", "acted_at"):
        assert f"{column}" not in indexes.replace("games_game", "")


@pytest.mark.parametrize("moves", [0, 9])
def test_a_damaged_row_is_made_again_from_its_log(moves: int, capsys: pytest.CaptureFixture[str]) -> None:
    players = people(3)
    game = started(players)
    chance = random.Random(1)
    for _ in range(moves):
        one_move(players, game, chance)
    before, true = row(game), true_deadline(game)
    Game.objects.filter(pk=game).update(
        state=b"\x01\x90", version=3, head=bytes(32), turn=None, awaited=0, status="open"
    )
    Deadline.objects.filter(game_id=game).delete()
    call_command("rebuild_games", "--game", game)
    assert row(game) == before
    assert Deadline.objects.get(game_id=game).at == moment_of(true or 0)
    assert "1 games, 1 mended, 0 with a broken log" in capsys.readouterr().out
    assert players[0].get(f"games/{game}/verification").ok()["ok"] is True


def test_a_deadline_that_stands_too_late_is_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    game = started(people(2))
    Deadline.objects.filter(game_id=game).update(at="2030-01-01T00:00:00Z")
    call_command("rebuild_games", "--game", game)
    assert deadline(game) == true_deadline(game)
    assert "1 games, 1 mended" in capsys.readouterr().out


def test_rows_that_are_right_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    host, guest = people(2)
    opened(host)
    cancelled = opened(host)["id"]
    host.post(f"games/{cancelled}/cancel").ok()
    finished = started([host, guest])
    guest.post(f"games/{finished}/leave").ok()
    started([host, guest])
    call_command("rebuild_games")
    assert "4 games, 0 mended, 0 with a broken log" in capsys.readouterr().out


def test_the_format_of_the_packed_table_has_a_number_that_changes_with_its_shape() -> None:
    """When this fails: raise STATE_FORMAT, so that running games are folded again, and note the new shape here."""
    parts = (state._Packed, state.Tally, state.Calls, state.Window, state.Outcome)
    shape = hashlib.sha256(repr([(part.__name__, part.__struct_fields__) for part in parts]).encode()).hexdigest()[:16]
    assert (STATE_FORMAT, shape) == (2, "069b14365116ecd9")


def test_a_state_of_an_older_format_is_read_from_the_log() -> None:
    players = people(2)
    game = started(players)
    before = players[0].view(game)
    packed = bytes(Game.objects.get(pk=game).state or b"")
    Game.objects.filter(pk=game).update(state=b"\x00" + packed[1:])
    assert players[0].view(game) | {"server_time": "", "clock": None} == before | {"server_time": "", "clock": None}
    players[before["turn"]].move(game, DRAW).ok(201)
    assert bytes(Game.objects.get(pk=game).state or b"")[0] == packed[0]


def test_a_game_without_end_ends_as_a_stalemate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "MOST_EVENTS", 20)
    players = people(2)
    game = started(players)
    view = players[0].view(game)
    while view["status"] == "running":
        players[view["turn"]].move(game, DRAW).ok(201)
        view = players[0].view(game)
    assert (view["result"]["ended"], view["result"]["winner"]) == ("stalemate", None)
    kinds = [event["kind"] for event in players[0].get(f"games/{game}/events").ok()["events"]]
    assert kinds[-2:] == ["game_finished", "seed_revealed"]
    assert players[0].get(f"games/{game}/verification").ok()["ok"] is True


def test_a_record_fetched_over_http_verifies_offline_down_to_every_decision() -> None:
    players = people(3)
    game = started(players)
    play_out(players, game)
    lines = Person().get(f"games/{game}/record").raw.splitlines()
    assert [check.name for check in checks(read_record(lines)) if check.ok is not True] == []
    assert record.parse(lines[-1]).kind == "seed_revealed"
