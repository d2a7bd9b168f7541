"""A tournament over HTTP: its stages and their timeline, from the log."""

import pytest

from tests.games.people import Json, Person, opened, people, play_out, seated, started
from tournaments.models import StageReached

pytestmark = pytest.mark.django_db


def board(person: Person, game: str) -> Json:
    return person.get(f"tournaments/{game}").ok()


def test_ten_players_play_a_whole_tournament_and_its_timeline_is_complete() -> None:
    players = people(10)
    # Half of the stages; tests/platform/test_example.py plays all eight.
    game = started(players, mode="tournament", ruleset={"options": {"turn_timeout_seconds": 0, "tournament_stages": 4}})
    before = board(players[3], game)
    assert (before["stages"], before["timeline"]) == (4, [])
    assert [player["stage"] for player in before["players"]] == [4] * 10
    view = play_out(players, game, seed=11, limit=20_000)
    after = board(Person(), game)
    assert after["status"] == "finished"
    assert after["result"] == view["result"]
    winner = view["result"]["winner"]
    own = [change for change in after["timeline"] if change["seat"] == winner]
    assert [(change["cleared"], change["reached"]) for change in own] == [
        (stage, stage - 1) for stage in range(4, 0, -1)
    ]
    assert [player["stage"] for player in after["players"]] == [seat["stage"] for seat in view["seats"]]
    assert [change["version"] for change in after["timeline"]] == sorted(c["version"] for c in after["timeline"])
    assert after["players"][winner]["since"] == own[-1]["at"]
    assert StageReached.objects.filter(game_id=game).count() == len(after["timeline"])
    proof = players[0].get(f"games/{game}/verification").ok()
    assert proof["ok"]
    assert [check["name"] for check in proof["checks"] if check["ok"] is None] == ["checkpoints"]


def test_a_tournament_has_a_version_that_readers_may_hold() -> None:
    players = people(2)
    game = started(players, mode="tournament")
    answer = players[0].get(f"tournaments/{game}")
    assert players[0].get(f"tournaments/{game}", if_none_match=answer.headers["ETag"]).status == 304


def test_a_tournament_that_has_not_started_shows_who_sits_there() -> None:
    players = people(2)
    game = seated(players, mode="tournament")
    shown = board(players[0], game)
    assert (shown["status"], shown["started_at"], shown["timeline"]) == ("open", None, [])
    assert [player["player"]["id"] for player in shown["players"]] == [player.id for player in players]


def test_a_single_game_is_no_tournament() -> None:
    host = Person()
    host.get(f"tournaments/{opened(host)['id']}").refused(404, "not_found")
    host.get("tournaments/01a22bca-a47b-7455-aa76-04fb997f5f8c").refused(404, "not_found")
