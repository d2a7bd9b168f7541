"""An account that is deleted leaves every table: nobody waits for a player who never comes again."""

from __future__ import annotations

import time
from typing import Any, Final
from uuid import UUID

import pytest

from accounts.models import Player
from accounts.services import closing
from eventlog.models import Event
from games.models import Deadline, Game, Seat, Seed, Status
from games.services import lobby
from games.services.actors import Actor
from httpapi.problems import Unauthenticated
from tests.games.crowds import at_once, whole
from tests.games.people import Answer, Json, Person, opened, people, seated, started

pytestmark = pytest.mark.django_db

STILL: Final[dict[str, Any]] = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW: Final = {"type": "draw"}


def gone(person: Person) -> None:
    assert person.delete("me", x_request_id="farewell").status == 204


def ending(reader: Person, game: str, number: int) -> list[Json]:
    events: list[Json] = reader.get(f"games/{game}/events").ok()["events"][-number:]
    return events


def test_the_open_tables_of_a_deleted_host_are_cancelled_with_or_without_his_seat() -> None:
    host, guest = people(2)
    games = [seated([host, guest]), opened(host, seat_creator=False)["id"]]
    gone(host)
    for game in games:
        voided, revealed = ending(guest, game, 2)
        assert (voided["kind"], voided["cause"], voided["data"]) == ("game_voided", "host", {"reason": "cancelled"})
        assert revealed["kind"] == "seed_revealed"
        assert guest.view(game)["status"] == "void"
        assert guest.get(f"games/{game}/verification").ok()["ok"] is True
    assert not Deadline.objects.exists()


def test_a_seat_at_the_open_table_of_another_is_given_back() -> None:
    host, leaver, other = people(3)
    game = seated([host, leaver, other])
    gone(leaver)
    view = host.view(game)
    assert view["status"] == "open"
    assert [seat["player"]["id"] for seat in view["seats"]] == [host.id, other.id]
    (left,) = ending(host, game, 1)
    assert (left["kind"], left["cause"], left["seat"], left["data"]) == (
        "seat_left",
        "player",
        1,
        {"player": leaver.id},
    )
    row = Event.objects.get(stream=game, version=left["version"])
    assert (str(row.actor), row.request_id) == (leaver.id, "farewell")


def test_a_running_game_without_a_clock_goes_on_without_whoever_had_the_turn() -> None:
    players = people(3)
    game = started(players, **STILL)
    gone(players[0])
    view = players[1].view(game)
    assert (view["status"], view["turn"]) == ("running", 1)
    assert [seat["status"] for seat in view["seats"]] == ["left", "playing", "playing"]
    assert view["seats"][0]["hand_count"] == 0
    players[1].move(game, DRAW).ok(201)
    assert players[1].get(f"games/{game}/verification").ok()["ok"] is True


def test_the_last_opponent_of_a_deleted_account_wins_the_game() -> None:
    players = people(2)
    game = started(players, **STILL)
    gone(players[0])
    view = players[1].view(game)
    assert (view["status"], view["result"]["ended"], view["result"]["winner"]) == ("finished", "forfeit", 1)


def test_games_that_are_over_or_were_left_before_stay_as_they_are() -> None:
    leaver, *others = people(3)
    left, over = started([leaver, *others], **STILL), started([leaver, others[0]], **STILL)
    leaver.post(f"games/{left}/leave").ok()
    others[0].post(f"games/{over}/leave").ok()
    before = [others[0].view(game)["version"] for game in (left, over)]
    gone(leaver)
    assert [others[0].view(game)["version"] for game in (left, over)] == before


def test_a_table_whose_time_has_run_out_is_left_to_the_clock() -> None:
    host = Person()
    game = opened(host)["id"]
    Game.objects.filter(pk=game).update(opened_at="2026-01-01T00:00:00Z")
    Deadline.objects.filter(game=game).update(at="2026-01-02T00:00:00Z")
    gone(host)
    assert Deadline.objects.filter(game=game).exists()


def test_staff_who_close_an_account_end_its_games_too() -> None:
    players = people(2)
    game = started(players, **STILL)
    closing.close(players[0].player.pk)
    assert players[1].view(game)["status"] == "finished"


def test_a_deletion_that_fails_at_one_table_has_happened_nowhere() -> None:
    leaver, other = people(2)
    games = [started([leaver, other], **STILL), opened(leaver)["id"]]
    Seed.objects.filter(game=games[1]).delete()
    with pytest.raises(Seed.DoesNotExist):
        closing.close(leaver.player.pk)
    assert [other.view(game)["status"] for game in games] == ["running", "open"]
    assert leaver.get("me").ok()["username"] is not None


def test_whoever_is_deleted_takes_no_seat_with_a_request_that_was_under_way() -> None:
    host, leaver = people(2)
    game = opened(host)["id"]
    late = Actor(leaver.player.pk, leaver.name, "human", "late")
    gone(leaver)
    with pytest.raises(Unauthenticated):
        lobby.join(UUID(game), late, None, None)
    assert not Seat.objects.filter(player=leaver.player).exists()


@pytest.mark.parametrize("_round", range(4))
@pytest.mark.django_db(transaction=True)
def test_accounts_deleted_at_once_amid_joins_and_moves_hold_nothing_up(_round: int) -> None:
    players = people(3)
    running = [started(players, **STILL) for _ in range(2)]
    table = opened(players[2])["id"]
    answers = at_once(
        [
            lambda: players[0].delete("me"),
            lambda: players[1].delete("me"),
            lambda: players[0].post(f"games/{table}/join", {}),
            lambda: players[1].post("games", {}),
            lambda: players[0].move(running[0], DRAW),
            lambda: players[2].post(f"games/{table}/start"),
        ]
    )
    assert len(answers) == 6
    assert {answer.status for answer in answers} <= {200, 201, 204, 401, 409}
    assert Player.objects.filter(deleted_at=None, pk__in=[players[0].id, players[1].id]).count() == 0
    assert [players[2].view(game)["status"] for game in running] == ["finished", "finished"]
    assert all(whole(game) for game in (*running, table))
    assert not Game.objects.filter(status=Status.OPEN, host=players[1].player).exists()
    assert not Seat.objects.filter(game=table, game__status=Status.OPEN, player=players[0].player).exists()


@pytest.mark.parametrize("delay_ms", range(6))
@pytest.mark.django_db(transaction=True)
def test_a_host_who_is_deleted_while_his_table_starts_is_in_no_deadlock(delay_ms: int) -> None:
    host, other = people(2)
    game = opened(host, min_players=2, max_players=2, auto_start=True)["id"]

    def leave() -> Answer:
        time.sleep(delay_ms / 1000)
        return host.delete("me")

    joined, left = at_once([lambda: other.post(f"games/{game}/join", {}), leave])
    assert (joined.status in {200, 409}, left.status) == (True, 204)
    assert whole(game)
