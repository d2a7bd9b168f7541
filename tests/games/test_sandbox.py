"""A game from a position: what it starts from, who may play it, where it does not count, what proves it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import Player, Token
from eventlog import store
from games.engine.card_proofs import check_deal
from games.engine.events import GameStarted, PositionSet
from games.engine.story import Broken, Story
from games.log import events_of
from games.models import Deadline, Game
from games.services import sandbox
from games.services.rebuilding import rebuild
from games.tasks import void_expired_sandbox_games
from tests.games.people import Person, opened, people, play_out, started
from tests.games.sandboxes import DRAW, TWO, Sandbox, SeatHolder, asked

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def test_a_game_starts_from_the_position_and_each_seat_gets_a_token() -> None:
    host = Person()
    answer = asked(host, TWO)
    made = answer.ok(201)
    game = made["game"]
    assert answer.headers["Location"] == f"/api/v1/games/{game['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["ETag"] == f'"{game["version"]}"'
    assert (game["status"], game["sandbox"], game["you"], game["host"]) == ("running", True, None, host.id)
    assert (game["turn"], game["top"], game["draw_count"], game["discard_count"]) == (0, "red-5", 108, 2)
    assert [(seat["seat"], seat["name"]) for seat in made["seats"]] == [(0, "Ada"), (1, "Bo")]
    for seat, shown in enumerate(made["seats"]):
        view = SeatHolder(shown).view(game["id"])
        assert view["you"]["hand"] == TWO["hands"][shown["name"]]
        assert view["seats"][seat]["player"] == {"id": shown["player"], "name": shown["name"], "kind": "guest"}


def test_the_rest_of_a_position_is_on_the_table_too() -> None:
    position = TWO | {
        "hands": {"Ada": ["red-plus2", "red-3"], "Bo": ["green-plus2"]},
        "discard": ["red-plus2", "blue-plus2"],
        "draw_pile": ["king", "red-9", "red-8"],
        "turn": "Bo",
        "direction": -1,
        "plus2": 4,
        "must_say": ["Bo"],
        "stages": {"Ada": 3},
    }
    view = Sandbox(Person(), position, mode="tournament").view(1)
    assert (view["turn"], view["direction"], view["plus2"], view["draw_count"]) == (1, -1, 4, 3)
    assert [seat["stage"] for seat in view["seats"]] == [3, 8]
    assert [seat["owes_last_card"] for seat in view["seats"]] == [False, True]
    assert view["clock"]["on_expiry"] == {"type": "draw", "count": 4}


def test_the_seats_play_the_game_to_its_end() -> None:
    game = Sandbox(Person())
    view = play_out(game.seats, game.id)
    assert view["status"] == "finished"
    assert view["result"]["winner"] in {0, 1}


def test_mode_is_short_for_the_option() -> None:
    host = Person()
    body = {"mode": "tournament", "ruleset": {"preset": "tournament_116"}, "position": TWO}
    assert host.post("sandbox/games", body).ok(201)["game"]["mode"] == "tournament"
    body = {"mode": "single", "ruleset": {"options": {"mode": "tournament"}}, "position": TWO}
    host.post("sandbox/games", body).faulty("/ruleset/options/mode", "impossible_option")


def test_a_repeat_gives_the_same_tokens_again_and_opens_nothing() -> None:
    host = Person()
    first = host.post("sandbox/games", {"position": TWO}, idempotency_key="one")
    again = host.post("sandbox/games", {"position": TWO}, idempotency_key="one")
    assert again.raw == first.raw
    assert again.headers["Idempotent-Replayed"] == "true"
    assert Game.objects.filter(host=host.player).count() == 1
    token = first.ok(201)["seats"][0]["token"]
    kept = store.read(UUID(first.body["game"]["id"]))
    assert token not in repr(kept)


def test_the_sandbox_needs_the_scope_host() -> None:
    asked(Person(scopes=["play", "read"]), TWO).refused(403, "scope_missing")
    game = Sandbox(Person())
    asked(game.seats[0], TWO).refused(403, "scope_missing")


def test_tokens_of_seats_play_and_read_for_a_day() -> None:
    game = Sandbox(Person())
    for seat in game.seats:
        (token,) = Token.objects.filter(player_id=seat.id)
        assert token.scopes == ["play", "read"]
        assert timedelta(hours=23) < token.expires_at - timezone.now() <= timedelta(hours=24)
    assert {player.kind for player in Player.objects.filter(id__in=[seat.id for seat in game.seats])} == {"guest"}


def test_tokens_of_seats_are_confined_to_their_game() -> None:
    host, other = people(2)
    game, second = Sandbox(host), Sandbox(host)
    table = opened(other)
    seat = game.seats[0]
    for answer in (
        seat.post("games", {}),
        seat.post(f"games/{table['id']}/join", {}),
        seat.post("games/join", {"join_code": table["join_code"]}),
        seat.post("tournaments", {}),
        seat.move(second.id, DRAW),
        second.clock(60, by=seat),
        seat.post("me/upgrade", {"username": "somebody-else", "password": "correct horse battery"}),
        seat.call("PATCH", "me", {"display_name": "Somebody else"}),
        seat.delete("me"),
    ):
        assert answer.refused(403, "scope_missing")["params"] == {"needed": ["play"]}


def test_tokens_of_seats_read_and_play_their_game_however_its_id_is_written() -> None:
    game = Sandbox(Person())
    seat = game.seats[0]
    for path in ("me", "me/games", "me/limits", "tokens", "games", "rules/presets", f"games/{game.id}/events"):
        seat.get(path).ok()
    game.clock(1, by=seat).ok()
    seat.move(game.id.upper(), {"type": "play", "cards": ["red-3"]}).ok(201)
    game.seats[1].post(f"games/{game.id}/leave").ok()
    (token,) = Token.objects.filter(player_id=seat.id)
    assert seat.delete(f"tokens/{token.id}").status == 204


def test_an_account_opens_so_many_sandbox_games_an_hour(settings: LazySettings) -> None:
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"sandbox": "2/3600"}
    host, other = people(2)
    for _ in range(2):
        asked(host, TWO).ok(201)
    refused = asked(host, TWO)
    assert refused.refused(429, "too_many_requests")["params"]["limit"] == "sandbox"
    assert int(refused.headers["Retry-After"]) > 0
    asked(other, TWO).ok(201)
    limits = {limit["name"]: limit for limit in host.get("me/limits").ok()["limits"]}
    assert (limits["sandbox"]["counted_by"], limits["sandbox"]["remaining"]) == ("account", 0)


# --- where it does not count ---------------------------------------------------------------------


def test_a_sandbox_game_stands_in_no_list() -> None:
    host = Person()
    game = Sandbox(host, TWO, mode="tournament")
    seat = game.seats[0]
    for path in ("games", f"games?player={seat.id}", f"games?turn_of={seat.id}", "games?status=running", "me/games"):
        for caller in (host, seat):
            listed = [entry["id"] for entry in caller.get(path).ok()["results"]]
            assert game.id not in listed, path


def test_a_sandbox_tournament_has_its_board_from_the_stages_of_the_position() -> None:
    position = TWO | {"hands": {"Ada": ["red-3"], "Bo": ["king", "red-9"]}, "stages": {"Ada": 3, "Bo": 1}}
    game = Sandbox(Person(), position, mode="tournament")
    game.move(0, {"type": "play", "cards": ["red-3"]}).ok(201)
    board = game.host.get(f"tournaments/{game.id}").ok()
    assert [seat["stage"] for seat in board["players"]] == [2, 1]


def test_nobody_joins_or_starts_it() -> None:
    game = Sandbox(Person())
    Person().post(f"games/{game.id}/join", {}).refused(409, "game_not_open")
    game.host.post(f"games/{game.id}/start").refused(409, "game_not_open")


def test_a_day_later_it_is_void_and_its_seed_revealed() -> None:
    game, younger = Sandbox(Person()), Sandbox(Person())
    usual = started(people(2))
    old = timezone.now() - sandbox.LIVES - timedelta(seconds=1)
    Game.objects.filter(pk__in=[game.id, usual]).update(opened_at=old)
    assert void_expired_sandbox_games() == 1
    assert void_expired_sandbox_games() == 0
    view = game.view(0)
    assert (view["status"], view["result"]["ended"]) == ("void", "void")
    told = game.host.get(f"games/{game.id}/events?after=4").ok()["events"]
    ended = [(event["kind"], event["cause"]) for event in told[-2:]]
    assert ended == [("game_voided", "clock"), ("seed_revealed", "system")]
    assert not Deadline.objects.filter(game_id=game.id).exists()
    assert {Game.objects.get(pk=other).status for other in (younger.id, usual)} == {"running"}
    game.clock(1).refused(409, "game_not_running")
    call_command("verify_log", "--game", game.id)


# --- its log -------------------------------------------------------------------------------------


def test_the_log_tells_how_the_table_came_about() -> None:
    game = Sandbox(Person())
    told = game.seats[0].get(f"games/{game.id}/events").ok()["events"]
    kinds = [(event["kind"], event["cause"]) for event in told]
    assert kinds == [
        ("game_opened", "host"),
        ("seat_taken", "player"),
        ("seat_taken", "player"),
        ("game_started", "host"),
        ("position_set", "host"),
    ]
    assert told[0]["data"]["sandbox"] is True


def checks(person: Person, game: str) -> dict[str, bool | None]:
    answer = person.get(f"games/{game}/verification").ok()
    assert answer["ok"] is True
    return {check["name"]: check["ok"] for check in answer["checks"]}


def test_a_verification_says_that_the_cards_were_placed() -> None:
    game = Sandbox(Person())
    proven = ("numbers", "chain", "commitment", "table", "replay", "decisions", "row")
    expected = dict.fromkeys(proven, True) | {"checkpoints": None, "deal": None}
    assert checks(game.host, game.id) == expected
    play_out(game.seats, game.id)
    assert checks(game.host, game.id) == expected
    made = game.host.get(f"games/{game.id}/verification").ok()["checks"]
    assert "placed, not dealt" in next(check["detail"] for check in made if check["name"] == "deal")
    call_command("verify_log", "--game", game.id)


def test_the_record_of_a_sandbox_game_is_verified_offline(tmp_path: Path) -> None:
    few = TWO | {"draw_pile": ["red-8", "red-7", "blue-3", "blue-5"]}
    game = Sandbox(Person(), few)
    game.clock(60).ok()
    play_out(game.seats, game.id)
    file = tmp_path / "record.ndjson"
    file.write_bytes(game.host.get(f"games/{game.id}/record").raw)
    command = [sys.executable, "-m", "games.engine.replay", str(file)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    lines = {line.split()[0]: line.split(maxsplit=2)[1:] for line in told.stdout.splitlines()[1:]}
    assert lines["deal"] == ["-", "nothing to prove: the cards of a sandbox game are placed, not dealt"]
    assert [lines[name][0] for name in ("numbers", "chain", "commitment", "replay", "decisions")] == ["ok"] * 5


def test_the_row_is_made_again_from_the_log_with_its_deadlines_in_real_time() -> None:
    game = Sandbox(Person())
    game.clock(50).ok()
    game.move(0, DRAW).ok(201)
    assert rebuild(UUID(game.id)).mended == ()
    Deadline.objects.filter(game_id=game.id).delete()
    Game.objects.filter(pk=game.id).update(state=None)
    assert set(rebuild(UUID(game.id)).mended) == {"state", "deadlines"}
    remaining = Deadline.objects.get(game_id=game.id).at - timezone.now()
    assert timedelta(seconds=50) < remaining <= timedelta(seconds=60)


def story(game: Sandbox) -> Story:
    rows = store.read(UUID(game.id))
    return Story(rows, events_of(rows))


def test_cards_placed_in_a_game_that_is_no_sandbox_game_are_found() -> None:
    told = story(Sandbox(Person()))
    check_deal(told, bytes(32))
    opened = told.opened()
    forged = Story(told.rows, (replace(opened, sandbox=False), *told.events[1:]))
    with pytest.raises(Broken, match="event 5: cards were placed in a game that is no sandbox game"):
        check_deal(forged, bytes(32))


def test_a_position_in_the_middle_of_a_game_is_found() -> None:
    game = Sandbox(Person())
    game.move(0, DRAW).ok(201)
    told = story(game)
    placed = next(event for event in told.events if isinstance(event, PositionSet))
    middle = Story([*told.rows, told.rows[-1]], (*told.events, placed))
    with pytest.raises(Broken, match="a position stands elsewhere than after the start"):
        check_deal(middle, bytes(32))
    assert isinstance(told.events[3], GameStarted)


# --- positions that cannot be --------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields,pointer,code",
    [
        ({"players": None}, "/position/players", "missing_field"),
        ({"players": ["Ada"]}, "/position/players", "out_of_range"),
        ({"players": ["Ada", "Ada"]}, "/position/players/1", "duplicate_player"),
        ({"players": ["Ada", "Bo\u202e"], "hands": {"Ada": ["king"], "Bo\u202e": ["king"]}}, "/position/players/1", "forbidden_character"),
        ({"players": ["Ada", " "], "hands": {"Ada": ["king"], " ": ["king"]}}, "/position/players/1", "blank_text"),
        ({"hands": {"Ada": ["red-3"] * 3, "Bo": []}}, "/position/hands/Ada/2", "too_many_cards"),
        ({"hands": {"Ada": ["red-3"], "Bo": []}}, "/position/hands/Bo", "no_cards"),
        ({"hands": {"Ada": ["red-3"], "Bo": 3}}, "/position/hands/Bo", "wrong_type"),
        ({"turn": "Cleo"}, "/position/turn", "unknown_player"),
        ({"plus2": 2**70}, "/position/plus2", "out_of_range"),
        ({"lead_index": 0}, "/position/lead_index", "lead_covered"),
        ({"window": "Ada"}, "/position/window", "unknown_field"),
    ],
)  # fmt: skip
def test_an_impossible_position_is_refused_with_the_field_named(
    fields: dict[str, object], pointer: str, code: str
) -> None:
    host = Person()
    fault = asked(host, TWO | fields).faulty(pointer, code)
    assert "{" not in fault["detail"]
    assert not Game.objects.filter(host=host.player).exists()
    assert not Player.objects.filter(display_name="Ada").exists()


def test_no_position_at_all_is_refused_too() -> None:
    host = Person()
    host.post("sandbox/games", {}).faulty("/position", "missing_field")
    host.post("sandbox/games", {"position": []}).faulty("/position", "wrong_type")
    host.post("sandbox/games", {"position": TWO, "ruleset": {"options": {"colour": 1}}}).faulty(
        "/ruleset/options/colour", "unknown_option"
    )


def test_the_detail_of_a_fault_follows_the_language() -> None:
    host = Person()
    body = {"position": TWO | {"discard": ["red-2"]}}
    details = {
        host.post("sandbox/games", body, accept_language=language).faulty("/position/discard/0", "unknown_card")[
            "detail"
        ]
        for language in ("en", "he", "gd", "cy", "lv", "ms", "mn")
    }
    assert len(details) == 7
    assert all("red-2" in detail for detail in details)


def test_names_in_their_composed_form_are_what_the_table_shows() -> None:
    loose = "Noe\u0301"
    position = TWO | {"players": [loose, "Bo"], "hands": {loose: ["king"], "Bo": ["king"]}}
    game = Sandbox(Person(), position)
    assert json.dumps(game.view(0)["seats"][0]["player"]["name"]) == json.dumps("No\u00e9")
