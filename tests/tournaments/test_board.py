"""The stage board: times, strikes, places, and that all of it follows from the log."""

import time
from datetime import datetime
from uuid import UUID

import pytest
from django.db import DatabaseError, transaction
from msgspec.structs import replace

from games.engine.state import Ended, Outcome
from games.models import Move
from tests.games.people import Json, Person, people, play_out, started
from tournaments.boards import board as read_board
from tournaments.boards import tournament_at
from tournaments.models import Departure, StageReached

pytestmark = pytest.mark.django_db

QUICK = {"tournament_stages": 2, "turn_timeout_seconds": 0}


def board(person: Person, game: str) -> Json:
    return person.get(f"tournaments/{game}").ok()


def tournament(players: list[Person], **options: object) -> str:
    return started(players, mode="tournament", ruleset={"options": {**QUICK, **options}})


def ms_between(first: str, last: str) -> int:
    return round((datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds() * 1000)


def test_the_times_at_the_stages_add_up_to_the_whole_tournament() -> None:
    players = people(3)
    game = tournament(players)
    play_out(players, game, seed=3)
    view = board(players[0], game)
    whole = ms_between(view["started_at"], view["finished_at"])
    assert whole > 0
    for player in view["players"]:
        stages = [spent["stage"] for spent in player["spent"]]
        assert stages == list(range(2, max(player["stage"], 1) - 1, -1))
        assert sum(spent["ms"] for spent in player["spent"]) == whole


def test_a_time_ends_with_the_change_in_the_timeline() -> None:
    players = people(2)
    game = tournament(players)
    play_out(players, game, seed=5)
    view = board(players[0], game)
    for change in view["timeline"]:
        if change["cleared"] == 2:
            spent = view["players"][change["seat"]]["spent"][0]
            assert spent == {"stage": 2, "ms": ms_between(view["started_at"], change["at"])}


def test_a_stage_that_goes_on_counts_up_to_the_time_of_the_answer() -> None:
    players = people(2)
    game = tournament(players)
    view = board(players[0], game)
    assert [player["spent"] for player in view["players"]] == [
        [{"stage": 2, "ms": ms_between(view["started_at"], view["server_time"])}]
    ] * 2


def test_places_are_final_and_those_of_the_result() -> None:
    players = people(4)
    game = tournament(players)
    result = play_out(players, game, seed=7)["result"]
    view = board(players[0], game)
    assert view["result"] == result
    assert {p["seat"]: p["place"] for p in view["players"]} == {p["seat"]: p["place"] for p in result["places"]}
    winner = view["players"][result["winner"]]
    assert (winner["stage"], winner["place"], winner["hand_count"]) == (0, 1, 0)


def test_who_leaves_stays_at_the_stage_and_its_time_stands_still() -> None:
    players = people(3)
    game = tournament(players)
    players[1].post(f"games/{game}/leave").ok()
    first = board(players[0], game)["players"][1]
    time.sleep(0.02)
    second = board(players[0], game)
    assert second["players"][1] == first
    assert (first["status"], first["stage"], first["place"]) == ("left", 2, 3)
    gone = Departure.objects.get(game_id=game)
    assert (gone.seat, gone.game.id == gone.game_id) == (1, True)
    assert first["spent"][0]["ms"] < second["players"][0]["spent"][0]["ms"]


def test_silence_shows_as_strikes() -> None:
    players = people(2)
    game = tournament(players, turn_timeout_seconds=1, first_player="seat_zero", timeouts_before_forfeit=0)
    time.sleep(1.05)
    players[1].move(game, {"type": "draw"}).ok(201)
    assert [player["strikes"] for player in board(players[0], game)["players"]] == [1, 0]


def test_the_timeline_is_what_the_events_say() -> None:
    players = people(3)
    game = tournament(players)
    play_out(players, game, seed=9)
    events: list[Json] = []
    while True:
        page = players[0].get(f"games/{game}/events?after={len(events)}").ok()
        events += page["events"]
        if not page["more"]:
            break
    told = [
        {"version": event["version"], "at": event["at"], "seat": event["seat"], **event["data"]}
        for event in events
        if event["kind"] == "stage_cleared"
    ]
    assert board(players[0], game)["timeline"] == told
    assert [event.version for event in Move.objects.filter(game_id=game).order_by("version")] == [
        event["version"]
        for event in events
        if event["kind"] == "cards_played"
        or (event["kind"] == "cards_drawn" and event["data"]["reason"] in {"turn", "plus2", "plus"})
    ]


@pytest.mark.parametrize("model", [StageReached, Departure, Move])
def test_the_projections_can_be_read_only(model: type[StageReached | Departure | Move]) -> None:
    players = people(2)
    game = tournament(players)
    players[1].post(f"games/{game}/leave").ok()
    with pytest.raises(DatabaseError), transaction.atomic():
        model.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        model.objects.update(seat=9)


def test_nobody_reads_a_hidden_card_from_the_board() -> None:
    players = people(2)
    game = tournament(players)
    spectator = board(Person(), game)
    assert "hand" not in str(spectator).replace("hand_count", "").replace("hand_size", "").replace("leaver_hand", "")
    assert spectator == {
        **board(players[0], game),
        "server_time": spectator["server_time"],
        "players": spectator["players"],
    }


def test_there_are_no_places_in_a_void_game() -> None:
    players = people(2)
    seen = read_board(tournament_at(UUID(tournament(players))))
    assert seen.state is not None
    assert seen.standing() == {0: 1, 1: 1}
    assert replace(seen, state=replace(seen.state, outcome=Outcome(Ended.VOID, None))).standing() == {}
