"""The chart over HTTP: to whom it is visible, how it is cached, that it follows the game."""

import json
from xml.etree import ElementTree as ET

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.games.people import Person, opened, people, play_out, seated, started

pytestmark = pytest.mark.django_db


def page(game: str, **headers: str) -> HttpResponse:
    """The chart for somebody without a token."""
    answer: HttpResponse = Client().get(f"/tournaments/{game}/stages.svg", headers=headers)  # type: ignore[assignment]
    return answer


def description(svg: bytes) -> str:
    return ET.fromstring(svg).findtext("{http://www.w3.org/2000/svg}desc") or ""


def test_the_chart_is_a_picture_of_the_version_it_carries() -> None:
    players = people(2)
    game = started(players, mode="tournament")
    answer = players[0].get(f"tournaments/{game}/stages.svg")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml")
    assert answer.headers["ETag"] == players[0].get(f"tournaments/{game}").headers["ETag"]
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert players[1].get(f"tournaments/{game}/stages.svg").raw == answer.raw


def test_the_chart_held_already_is_not_sent_again_until_the_game_moves_on() -> None:
    players = people(2)
    game = started(players, mode="tournament", ruleset={"options": {"first_player": "seat_zero"}})
    held = players[0].get(f"tournaments/{game}/stages.svg").headers["ETag"]
    address = f"tournaments/{game}/stages.svg"
    assert players[0].get(address, if_none_match=held).status == 304
    players[0].move(game, {"type": "draw"}).ok(201)
    assert players[0].get(address, if_none_match=held).status == 200


def test_the_chart_follows_a_tournament_from_its_table_to_its_end() -> None:
    players = people(3)
    game = seated(players, mode="tournament", ruleset={"options": {"tournament_stages": 2, "turn_timeout_seconds": 0}})
    address = f"tournaments/{game}/stages.svg"
    assert "not started yet" in description(players[0].get(address).raw)
    players[0].post(f"games/{game}/start").ok()
    assert "running for" in description(players[0].get(address).raw)
    players[2].post(f"games/{game}/leave").ok()
    assert "left at stage 2" in description(players[0].get(address).raw)
    winner = play_out(players, game)["result"]["winner"]
    over = description(players[0].get(address).raw)
    assert f"1. \u2068{players[winner].name}\u2069 (seat {winner}): through." in over


def test_a_cancelled_table_has_a_chart_that_says_so() -> None:
    host = Person()
    game = opened(host, mode="tournament")["id"]
    host.post(f"games/{game}/cancel").ok()
    assert "void before the start" in description(host.get(f"tournaments/{game}/stages.svg").raw)


def test_names_are_escaped() -> None:
    host = Person(name="<script>alert(1)</script>")
    game = opened(host, mode="tournament", name="</title><a href='x'>")["id"]
    root = ET.fromstring(host.get(f"tournaments/{game}/stages.svg").raw)
    assert {element.tag.rpartition("}")[2] for element in root.iter()}.isdisjoint({"script", "a"})


def test_pages_show_the_chart_of_a_listed_tournament_without_a_token() -> None:
    players = people(2)
    game = started(players, mode="tournament")
    answer = page(game)
    assert answer.content == players[0].get(f"tournaments/{game}/stages.svg").raw
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == ("image/svg+xml", "public, no-cache")
    assert page(game, if_none_match=answer.headers["ETag"]).status_code == 304


def test_an_unlisted_tournament_is_seen_by_those_with_a_token_and_its_id() -> None:
    players = people(2)
    game = started(players, mode="tournament", visibility="unlisted")
    assert Person().get(f"tournaments/{game}/stages.svg").status == 200
    hidden, unknown = page(game), page("01a22bca-a47b-7455-aa76-04fb997f5f8c")
    assert (hidden.status_code, unknown.status_code) == (404, 404)
    assert [json.loads(answer.content)["code"] for answer in (hidden, unknown)] == ["not_found"] * 2


def test_the_interface_asks_for_a_token() -> None:
    game = started(people(2), mode="tournament")
    answer = Client().get(f"/api/v1/tournaments/{game}/stages.svg")
    assert (answer.status_code, answer.json()["code"]) == (401, "token_missing")


@pytest.mark.parametrize("game", ["nothing", "01a22bca-a47b-7455-aa76-04fb997f5f8c"])
def test_what_is_no_tournament_has_no_chart(game: str) -> None:
    Person().get(f"tournaments/{game}/stages.svg").refused(404, "not_found")
    assert page(game).status_code == 404


def test_a_single_game_has_no_chart() -> None:
    host = Person()
    game = opened(host)["id"]
    host.get(f"tournaments/{game}/stages.svg").refused(404, "not_found")
    assert page(game).status_code == 404


def test_the_name_of_a_deleted_account_leaves_the_chart() -> None:
    players = [Person(name="Noa the Great"), Person()]
    game = started(players, mode="tournament")
    assert b"Noa the Great" in page(game).content
    players[0].delete("me")
    assert b"Noa the Great" not in page(game).content
