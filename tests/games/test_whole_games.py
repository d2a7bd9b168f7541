"""Whole games over HTTP, by choosing among the legal moves that the service offers."""

import pytest

from tests.games.people import people, play_out, started

pytestmark = pytest.mark.django_db


def test_four_players_play_a_game_to_its_end_and_it_verifies() -> None:
    players = people(4)
    game = started(players)
    view = play_out(players, game)
    assert view["status"] == "finished"
    assert view["result"]["places"][0]["place"] == 1
    proof = players[0].get(f"games/{game}/verification").ok()
    assert proof["ok"] is True
    assert {check["name"]: check["ok"] for check in proof["checks"]} == {
        "numbers": True,
        "chain": True,
        "checkpoints": None,
        "commitment": True,
        "table": True,
        "deal": True,
        "replay": True,
        "decisions": True,
        "row": True,
    }
