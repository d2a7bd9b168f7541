"""A seat of the sandbox sees its own cards and nobody else's, in every answer."""

from __future__ import annotations

import pytest

from tests.games.people import Json, Person, started
from tests.games.sandboxes import DRAW, Sandbox
from tests.games.ways_out import Seen, differing, everything, seen

pytestmark = pytest.mark.django_db

SEEN: Json = {"players": ["Ada", "Bo", "Cy"], "discard": ["blue-9", "red-5"], "plus2": 0, "turn": "Ada"}
OWN = ["red-3", "green-stop", "yellow-1"]
# Only cards that seat 0 does not see differ between the two; no command of hers depends on them.
ONE = SEEN | {
    "hands": {"Ada": OWN, "Bo": ["king", "blue-1"], "Cy": ["red-7", "red-8"]},
    "draw_pile": ["plus3", "red-9", "blue-3"],
}
OTHER = SEEN | {
    "hands": {"Ada": OWN, "Bo": ["red-8", "blue-3"], "Cy": ["plus3", "king"]},
    "draw_pile": ["red-7", "blue-1", "red-9"],
}
OPTIONS: Json = {"turn_timeout_seconds": 600, "plus3_window": "all_players"}


def seen_by(game: Sandbox, viewer: Person) -> list[Seen]:
    """All that a viewer is answered, before and after a play, a timeout and a draw."""
    answers = everything(viewer, game.id, game.game["version"])
    moved = game.move(0, {"type": "play", "cards": ["red-3"]})
    version = moved.ok(201)["version"]
    answers += [seen("own move", moved)] if viewer is game.seats[0] else []
    answers.append(seen("clock", game.clock(600, viewer)))
    for past in range(1, version + 1):
        answers.append(seen(f"history {past}", viewer.get(f"games/{game.id}/history/{past}")))
    return answers + everything(viewer, game.id, version)


@pytest.mark.parametrize("place", [0, None])
def test_positions_that_differ_in_hidden_cards_alone_look_alike(place: int | None) -> None:
    host = Person("Host")
    games = [Sandbox(host, position, **OPTIONS) for position in (ONE, OTHER)]
    first, second = (seen_by(game, host if place is None else game.seats[place]) for game in games)
    assert differing(first, second) == []


def test_each_seat_is_shown_its_own_hand_of_the_position_and_counts_of_the_others() -> None:
    game = Sandbox(Person(), ONE)
    (shown,) = game.seats[1].get(f"games/{game.id}/events?after=5&limit=1").ok()["events"]
    assert (shown["kind"], shown["seat"]) == ("position_set", None)
    assert shown["data"]["hands"] == [None, ["king", "blue-1"], None]
    assert (shown["data"]["hand_counts"], shown["data"]["draw_count"]) == ([3, 2, 2], 3)
    assert shown["data"]["discard"] == ["blue-9", "red-5"]
    assert "draw_pile" not in shown["data"]


def test_whoever_opened_it_sees_what_a_spectator_sees() -> None:
    game = Sandbox(Person(), ONE)
    (shown,) = game.host.get(f"games/{game.id}/events?after=5&limit=1").ok()["events"]
    assert shown["data"]["hands"] == [None, None, None]
    assert game.view(0)["you"]["hand"] == OWN
    host = game.host.view(game.id)
    assert (host["you"], "whole" in host, "legal_moves" in host) == (None, False, False)


def test_everything_is_shown_when_it_is_over() -> None:
    game = Sandbox(Person(), ONE)
    for seat in (1, 2):
        game.seats[seat].post(f"games/{game.id}/leave").ok()
    (shown,) = game.host.get(f"games/{game.id}/events?after=5&limit=1").ok()["events"]
    assert shown["data"]["hands"] == [OWN, ["king", "blue-1"], ["red-7", "red-8"]]
    assert shown["data"]["draw_pile"] == ["plus3", "red-9", "blue-3"]


def test_every_version_of_a_game_can_be_looked_back_at() -> None:
    game = Sandbox(Person(), ONE)
    game.move(0, DRAW).ok(201)
    for version in range(1, game.view(0)["version"] + 1):
        game.seats[0].get(f"games/{game.id}/history/{version}").ok()
    players = [Person(), Person()]
    usual = started(players)
    for version in range(1, players[0].view(usual)["version"] + 1):
        players[0].get(f"games/{usual}/history/{version}").ok()
