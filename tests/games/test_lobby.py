"""A table before the game: opened, joined, left, cancelled, started."""

import hashlib
import re
from typing import Any

import pytest

from games.models import Deadline, Game, Seat
from games.tasks import settle_expired_turns
from tests.games.people import Person, opened, people, seated, started

pytestmark = pytest.mark.django_db


def test_opening_a_table_answers_its_view_with_commitment_and_join_code() -> None:
    host = Person("Noa")
    answer = host.post("games", {"name": "Friday table"})
    view = answer.ok(201)
    assert answer.headers["Location"] == f"/api/v1/games/{view['id']}"
    assert answer.headers["ETag"] == f'"{view["version"]}"' == '"2"'
    assert (view["status"], view["mode"], view["name"]) == ("open", "single", "Friday table")
    assert view["seats"][0]["player"] == {"id": host.id, "name": "Noa", "kind": "human"}
    assert view["you"] == {"seat": 0, "hand": [], "awaited": False}
    assert len(view["fairness"]["commitment"]) == 64
    assert len(view["join_code"]) == 8
    assert view["ruleset"]["preset"] == "taki_116"
    assert view["ruleset"]["options"]["turn_timeout_seconds"] == 60


def test_a_join_code_that_is_taken_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = opened(Person())["join_code"]
    drawn = iter([taken, taken, "ABCDEFGH"])
    monkeypatch.setattr("games.services.lobby.new_join_code", lambda: next(drawn))
    assert opened(Person())["join_code"] == "ABCDEFGH"


def test_the_commitment_stands_in_the_first_event_before_any_seat_is_taken() -> None:
    host = Person()
    view = opened(host)
    first, second = host.get(f"games/{view['id']}/events").ok()["events"]
    assert (first["version"], first["kind"], first["cause"]) == (1, "game_opened", "host")
    assert first["data"]["commitment"] == view["fairness"]["commitment"]
    assert (second["kind"], second["cause"], second["data"]) == ("seat_taken", "player", {"player": host.id})


def test_only_the_host_of_an_open_table_sees_its_join_code() -> None:
    host, guest = people(2)
    game = seated([host, guest])
    assert "join_code" in host.view(game)
    assert "join_code" not in guest.view(game)
    host.post(f"games/{game}/start").ok()
    assert "join_code" not in host.view(game)


def test_a_host_may_open_a_table_without_sitting_down() -> None:
    host = Person()
    view = opened(host, seat_creator=False)
    assert view["seats"] == []
    assert view["you"] is None
    assert view["join_code"]


@pytest.mark.parametrize(
    "body, pointer, code",
    [
        ({"ruleset": {"options": {"colour": 1}}}, "/ruleset/options/colour", "unknown_option"),
        ({"ruleset": {"options": {"crazy_card": "on"}}}, "/ruleset/options/crazy_card", "option_not_offered"),
        ({"ruleset": {"options": {"deck": "58"}}}, "/ruleset/options/deck", "option_not_offered"),
        ({"ruleset": {"options": {"hand_size": 11}}}, "/ruleset/options/hand_size", "impossible_option"),
        ({"ruleset": {"options": {"hand_size": "8"}}}, "/ruleset/options/hand_size", "impossible_option"),
        ({"ruleset": {"preset": "mine"}}, "/ruleset/preset", "unknown_preset"),
        ({"ruleset": {"preset": "crazy_112"}}, "/ruleset/preset", "option_not_offered"),
        (
            {"mode": "tournament", "ruleset": {"options": {"mode": "single"}}},
            "/ruleset/options/mode",
            "impossible_option",
        ),
        ({"mode": "single", "ruleset": {"options": {"mode": 7}}}, "/ruleset/options/mode", "impossible_option"),
        ({"mode": "league"}, "/mode", "not_a_choice"),
        ({"min_players": 1}, "/min_players", "out_of_range"),
        ({"max_players": 11}, "/max_players", "out_of_range"),
        ({"min_players": 4, "max_players": 3}, "/min_players", "out_of_range"),
        ({"visibility": "secret"}, "/visibility", "not_a_choice"),
        ({"name": "a\u202eb"}, "/name", "forbidden_character"),
        ({"name": "x" * 61}, "/name", "too_long"),
        ({"seats": 4}, "/seats", "unknown_field"),
    ],
)
def test_an_impossible_table_is_refused_with_the_field_named(body: dict[str, Any], pointer: str, code: str) -> None:
    Person().post("games", body).faulty(pointer, code)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "body, told",
    [
        ({"visibility": "secret"}, {"allowed": ["public", "unlisted"]}),
        ({"mode": "league"}, {"allowed": ["single", "tournament"]}),
        ({"ruleset": {"options": {"deck": "117"}}}, {"option": "deck", "allowed": ["116", "112_king", "110"]}),
        ({"ruleset": {"options": {"win_on_plus": "yes"}}}, {"option": "win_on_plus", "allowed": [False, True]}),
        ({"ruleset": {"options": {"hand_size": "8"}}}, {"option": "hand_size", "minimum": 3, "maximum": 10}),
        (
            {"ruleset": {"preset": "mine"}},
            {"preset": "mine", "allowed": ["taki_116", "tournament_116", "classic_112", "strict", "home"]},
        ),
    ],
)
def test_whoever_chooses_wrongly_is_told_the_choices(body: dict[str, Any], told: dict[str, Any]) -> None:
    (error,) = Person().post("games", body).refused(400, "invalid_request")["errors"]
    assert error["params"] == told


def test_whoever_sends_an_unknown_command_is_told_the_commands() -> None:
    players = people(2)
    game = started(players)
    error = players[0].move(game, {"type": "fly"}).faulty("/type", "not_a_choice")
    assert error["params"] == {"allowed": ["play", "draw", "pass", "say_last", "catch"]}


def test_the_mode_may_stand_beside_the_options_or_come_from_the_preset() -> None:
    host = Person()
    assert opened(host, mode="tournament")["mode"] == "tournament"
    assert opened(host, ruleset={"preset": "tournament_116"})["mode"] == "tournament"
    assert opened(host, ruleset={"preset": "tournament_116"}, mode="single")["mode"] == "single"


def test_equal_rulesets_are_stored_once() -> None:
    host = Person()
    games = [opened(host, ruleset={"preset": "home"})["id"] for _ in range(2)]
    assert len({game.ruleset_id for game in Game.objects.filter(pk__in=games)}) == 1


def test_players_join_by_id_or_by_code_however_it_is_written() -> None:
    host, by_id, by_code = people(3)
    table = opened(host)
    by_id.post(f"games/{table['id']}/join", {}).ok()
    code = table["join_code"]
    view = by_code.post("games/join", {"join_code": f" {code[:4].lower()}-{code[4:]} "}).ok()
    assert view["you"]["seat"] == 2
    assert view["fairness"]["commitment"] == table["fairness"]["commitment"]
    by_code.post("games/join", {"join_code": "NOPE2345"}).refused(404, "wrong_join_code")


def test_a_player_takes_one_seat_only() -> None:
    host, guest = people(2)
    game = seated([host, guest])
    guest.post(f"games/{game}/join", {}).refused(409, "already_seated")


def test_a_full_table_takes_nobody() -> None:
    players = people(3)
    game = seated(players[:2], max_players=2)
    players[2].post(f"games/{game}/join", {}).refused(409, "game_full")


def test_a_running_game_takes_nobody() -> None:
    players = people(3)
    game = started(players[:2])
    players[2].post(f"games/{game}/join", {}).refused(409, "game_not_open")


@pytest.mark.parametrize("seed", ["", "x" * 65, "two words", "naïve", "a\nb"])
def test_a_client_seed_is_letters_and_digits(seed: str) -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    guest.post(f"games/{game}/join", {"client_seed": seed}).faulty("/client_seed", "wrong_pattern")


def test_client_seeds_are_shown_to_nobody_before_the_start_and_to_all_after_it() -> None:
    host, guest = people(2)
    game = opened(host, seat_creator=False)["id"]
    host.post(f"games/{game}/join", {"client_seed": "hostseed"}).ok()
    answer = guest.post(f"games/{game}/join", {"client_seed": "guestseed"})
    answers = [answer, host.get(f"games/{game}"), *(p.get(f"games/{game}/events") for p in (host, guest))]
    assert not [a for a in answers if b"guestseed" in a.raw or b"hostseed" in a.raw]
    host.post(f"games/{game}/start").ok()
    events = Person().get(f"games/{game}/events").ok()["events"]
    (begun,) = [event for event in events if event["kind"] == "game_started"]
    assert begun["data"]["client_seeds"] == ["hostseed", "guestseed"]
    assert [event["data"] for event in events if event["kind"] == "seat_taken"] == [
        {"player": host.id},
        {"player": guest.id},
    ]


def test_when_somebody_leaves_an_open_table_the_higher_seats_move_down() -> None:
    players = people(4)
    game = seated(players)
    view = players[1].post(f"games/{game}/leave").ok()
    assert view["you"] is None
    assert [seat["player"]["id"] for seat in view["seats"]] == [players[0].id, players[2].id, players[3].id]
    assert [seat["seat"] for seat in view["seats"]] == [0, 1, 2]
    assert players[3].view(game)["you"]["seat"] == 2
    players[1].post(f"games/{game}/leave").refused(409, "not_seated")


def test_the_host_may_remove_a_player_and_nobody_else_may() -> None:
    host, guest, other = people(3)
    game = seated([host, guest, other])
    guest.delete(f"games/{game}/seats/2").refused(403, "not_the_host")
    view = host.delete(f"games/{game}/seats/1").ok()
    assert [seat["player"]["id"] for seat in view["seats"]] == [host.id, other.id]
    last = host.get(f"games/{game}/events").ok()["events"][-1]
    assert (last["kind"], last["cause"], last["seat"], last["data"]) == ("seat_left", "host", 1, {"player": guest.id})
    host.delete(f"games/{game}/seats/7").refused(404, "not_found")
    host.delete(f"games/{game}/seats/x").refused(404, "not_found")


def test_a_removal_that_names_an_old_version_removes_nobody() -> None:
    host, guest, other = people(3)
    game = seated([host, guest, other])
    seen = host.view(game)["version"]
    guest.post(f"games/{game}/leave").ok()
    problem = host.delete(f"games/{game}/seats/1", if_match=str(seen)).refused(412, "version_conflict")
    assert [event["kind"] for event in problem["events"]] == ["seat_left"]
    assert len(host.view(game)["seats"]) == 2


def test_a_cancelled_table_is_void_and_its_seed_revealed() -> None:
    host, guest = people(2)
    game = seated([host, guest])
    guest.post(f"games/{game}/cancel").refused(403, "not_the_host")
    view = host.post(f"games/{game}/cancel").ok()
    assert view["status"] == "void"
    assert view["result"] == {"ended": "void", "winner": None, "places": []}
    events = guest.get(f"games/{game}/events").ok()["events"]
    assert [event["kind"] for event in events[-2:]] == ["game_voided", "seed_revealed"]
    seed = bytes.fromhex(events[-1]["data"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == view["fairness"]["commitment"]
    assert not Deadline.objects.exists()
    host.post(f"games/{game}/start").refused(409, "game_not_open")
    problem = host.move(game, {"type": "draw"}).refused(409, "game_over")
    assert (problem["version"], problem["legal_moves"]) == (host.view(game)["version"], [])
    assert host.get(f"games/{game}/verification").ok()["ok"] is True


def test_only_the_host_starts_and_only_with_enough_players() -> None:
    host, guest, third = people(3)
    game = seated([host, guest], min_players=3)
    guest.post(f"games/{game}/start").refused(403, "not_the_host")
    host.post(f"games/{game}/start").refused(409, "too_few_players")
    third.post(f"games/{game}/join", {}).ok()
    view = host.post(f"games/{game}/start").ok()
    assert (view["status"], view["draw_count"], len(view["you"]["hand"])) == ("running", 116 - 24 - 1, 8)
    assert [seat["hand_count"] for seat in view["seats"]] == [8, 8, 8]


def test_a_table_that_starts_by_itself_starts_with_its_last_seat() -> None:
    players = people(3)
    game = seated(players, auto_start=True, max_players=3)
    view = players[2].view(game)
    assert view["status"] == "running"
    kinds = [(event["kind"], event["cause"]) for event in players[0].get(f"games/{game}/events").ok()["events"]]
    assert ("seat_taken", "player") in kinds
    assert ("game_started", "system") in kinds
    assert Deadline.objects.get(game_id=game).kind == "turn"


def test_the_youngest_goes_first_where_all_ages_are_known() -> None:
    players = [Person(birth_year=year) for year in (1980, 2015, 2001)]
    game = started(players)
    assert players[0].view(game)["turn"] == 1
    # As a number: in an id these digits stand now and then by chance.
    assert not [p for p in players if re.search(rb"[:,\[]2015[,\]}]", p.get(f"games/{game}/events").raw)]


def test_a_table_nobody_starts_expires() -> None:
    host = Person()
    game = opened(host)["id"]
    assert settle_expired_turns() == 0
    Game.objects.filter(pk=game).update(opened_at="2026-01-01T00:00:00Z")
    Deadline.objects.filter(game=game).update(at="2026-01-02T00:00:00Z")
    host.post(f"games/{game}/start").refused(409, "game_not_open")
    assert settle_expired_turns() == 1
    assert host.view(game)["status"] == "void"
    last = host.get(f"games/{game}/events").ok()["events"][-2]
    assert (last["cause"], last["data"]) == ("clock", {"reason": "expired"})


def test_a_guest_may_open_a_table_and_take_a_seat() -> None:
    host, guest = Person(kind="guest"), Person(kind="guest")
    game = opened(host)["id"]
    view = guest.post(f"games/{game}/join", {}).ok()
    assert [seat["player"]["kind"] for seat in view["seats"]] == ["guest", "guest"]


def test_a_token_for_reading_looks_and_does_not_play() -> None:
    host, reader = Person(), Person(scopes=["read"])
    game = opened(host)["id"]
    assert reader.view(game)["status"] == "open"
    assert reader.get("me/games").ok()["results"] == []
    for answer in (
        reader.post("games", {}),
        reader.post(f"games/{game}/join", {}),
        reader.post("games/join", {"join_code": "X"}),
        reader.post(f"games/{game}/leave"),
        reader.post(f"games/{game}/start"),
        reader.post(f"games/{game}/cancel"),
        reader.delete(f"games/{game}/seats/0"),
        reader.move(game, {"type": "draw"}),
    ):
        answer.refused(403, "scope_missing")


def test_names_and_kinds_at_a_table_are_those_of_the_moment_of_joining() -> None:
    host, guest = Person("Old name"), Person()
    game = seated([host, guest])
    host.call("PATCH", "me", {"display_name": "New name"}).ok()
    assert host.view(game)["seats"][0]["player"]["name"] == "Old name"


def test_who_deletes_an_account_leaves_no_name_behind() -> None:
    host, guest, gone = Person(), Person("Remembered"), Person("Also remembered")
    game = seated([host, guest, gone])
    gone.post(f"games/{game}/leave").ok()
    host.post(f"games/{game}/start").ok()
    for leaver in (guest, gone):
        assert leaver.delete("me").status == 204
    assert b"emembered" not in host.get(f"games/{game}").raw
    assert b"emembered" not in host.get(f"games/{game}/history/4").raw
    assert not Seat.objects.filter(name__contains="emembered").exists()
    assert host.get(f"games/{game}/verification").ok()["ok"] is True
