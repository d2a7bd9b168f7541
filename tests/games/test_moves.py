"""One move over HTTP: its answer, its refusals, its version, and what a malformed one gets."""

from typing import Any

import pytest

from eventlog.models import Event
from games.models import Game
from tests.games.people import Json, Person, people, seated, started

pytestmark = pytest.mark.django_db

STILL = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}


def drawn(players: list[Person]) -> tuple[str, Json]:
    """A running game of which the first move was a draw."""
    game = started(players, **STILL)
    return game, players[0].move(game, {"type": "draw"}).ok(201)


def test_a_move_answers_its_events_and_the_new_view() -> None:
    _, answer = drawn(people(2))
    assert list(answer) == ["version", "events", "game"]
    assert [event["kind"] for event in answer["events"]] == ["cards_drawn", "turn_passed"]
    event = answer["events"][0]
    assert list(event) == ["version", "kind", "at", "seat", "cause", "data"]
    assert (event["seat"], event["cause"], event["data"]["count"]) == (0, "player", 1)
    assert event["data"]["cards"] == [answer["game"]["you"]["hand"][-1]]
    assert answer["version"] == answer["game"]["version"] == answer["events"][-1]["version"]
    assert answer["game"]["turn"] == 1
    assert answer["game"]["server_time"] == event["at"]


def test_the_view_after_a_move_is_the_one_that_get_gives() -> None:
    players = people(2)
    game, answer = drawn(players)
    now = players[0].view(game)
    assert now | {"server_time": ""} == answer["game"] | {"server_time": ""}


def test_others_see_that_a_card_was_drawn_and_not_which() -> None:
    players = people(2)
    game, answer = drawn(players)
    (card,) = answer["events"][0]["data"]["cards"]
    events = players[1].get(f"games/{game}/events?after={answer['version'] - 2}").ok()["events"]
    assert events[0]["data"] == {"reason": "turn", "count": 1}
    assert events[0]["version"] == answer["events"][0]["version"]
    assert card


def test_a_refusal_names_code_and_rule_and_gives_the_legal_moves() -> None:
    players = people(2)
    game = started(players, **STILL)
    problem = players[1].move(game, {"type": "draw"}).refused(409, "not_your_turn")
    assert problem["params"] == {"rule": "B28", "turn": 0}
    assert problem["legal_moves"] == []
    problem = players[0].move(game, {"type": "pass"}).refused(409, "cannot_pass")
    assert problem["legal_moves"] == players[0].view(game)["legal_moves"] != []


def test_a_refused_move_changes_nothing() -> None:
    players = people(2)
    game = started(players, **STILL)
    before = (Game.objects.filter(pk=game).values().get(), Event.objects.filter(stream=game).count())
    players[1].move(game, {"type": "draw"}).refused(409, "not_your_turn")
    assert (Game.objects.filter(pk=game).values().get(), Event.objects.filter(stream=game).count()) == before


def test_titles_of_refusals_follow_the_language_and_codes_do_not() -> None:
    players = people(2)
    game = started(players, **STILL)
    welsh = players[1].move(game, {"type": "draw"}, accept_language="cy").refused(409, "not_your_turn")
    english = players[1].move(game, {"type": "draw"}).refused(409, "not_your_turn")
    assert welsh["title"] != english["title"]


def test_a_spectator_and_a_stranger_to_the_game_are_not_in_it() -> None:
    players = people(2)
    game = started(players, **STILL)
    problem = Person().move(game, {"type": "draw"}).refused(409, "not_in_game")
    assert problem["legal_moves"] == []


def test_no_move_before_the_start_and_none_at_an_unknown_game() -> None:
    players = people(2)
    game = seated(players)
    problem = players[0].move(game, {"type": "draw"}).refused(409, "game_not_running")
    assert (problem["version"], problem["legal_moves"]) == (players[0].view(game)["version"], [])
    players[0].move("01a22bca-a47b-7455-aa76-04fb997f5f8c", {"type": "draw"}).refused(404, "not_found")
    players[0].move("nonsense", {"type": "draw"}).refused(404, "not_found")


@pytest.mark.parametrize(
    "body, pointer, code",
    [
        ({}, "/type", "missing_field"),
        ({"type": "fly"}, "/type", "not_a_choice"),
        ({"type": "leave"}, "/type", "not_a_choice"),
        ({"type": "timeout"}, "/type", "not_a_choice"),
        ({"type": "draw", "count": 3}, "/count", "unknown_field"),
        ({"type": "play"}, "/cards", "missing_field"),
        ({"type": "play", "cards": []}, "/cards", "too_short"),
        ({"type": "play", "cards": ["red-5"] * 117}, "/cards", "too_long"),
        ({"type": "play", "cards": ["red-2"]}, "/cards/0", "not_a_choice"),
        ({"type": "play", "cards": ["king", "red-king"]}, "/cards/1", "not_a_choice"),
        ({"type": "play", "cards": ["change-color"], "color": "any"}, "/color", "not_a_choice"),
        ({"type": "play", "cards": ["red-5"], "close": 1}, "/close", "wrong_type"),
        ({"type": "play", "cards": "red-5"}, "/cards", "wrong_type"),
        ({"type": "play", "cards": ["red-5"], "seat": 1}, "/seat", "unknown_field"),
        ({"type": "catch"}, "/target", "missing_field"),
        ({"type": "catch", "target": -1}, "/target", "out_of_range"),
        ({"type": "catch", "target": 2}, "/target", "out_of_range"),
        ({"type": "catch", "target": 10}, "/target", "out_of_range"),
        ({"type": "catch", "target": "1"}, "/target", "wrong_type"),
        (b'{"type": "draw", "type": "draw"}', "/type", "duplicate_field"),
    ],
)
def test_a_malformed_command_is_refused_with_a_pointer(body: Any, pointer: str, code: str) -> None:
    players = people(2)
    game = started(players, **STILL)
    version = players[0].view(game)["version"]
    players[0].move(game, body).faulty(pointer, code)
    assert players[0].view(game)["version"] == version


def test_a_dry_run_judges_and_keeps_nothing() -> None:
    players = people(2)
    game = started(players, **STILL)
    view = players[0].view(game)
    answer = players[0].post(f"games/{game}/moves?dry_run=true", {"type": "draw"}, idempotency_key="k").ok(200)
    assert answer == {"allowed": True, "version": view["version"]}
    assert players[0].view(game) | {"server_time": ""} == view | {"server_time": ""}
    problem = players[1].post(f"games/{game}/moves?dry_run=true", {"type": "draw"}).refused(409, "not_your_turn")
    assert problem["legal_moves"] == []
    players[0].move(game, {"type": "draw"}, idempotency_key="k").ok(201)


def test_a_dry_run_does_not_show_what_would_be_drawn() -> None:
    players = people(2)
    game = started(players, **STILL)
    tried = players[0].post(f"games/{game}/moves?dry_run=true", {"type": "draw"})
    (card,) = players[0].move(game, {"type": "draw"}).ok(201)["events"][0]["data"]["cards"]
    assert card.encode() not in tried.raw


def test_a_move_at_the_expected_version_counts() -> None:
    players = people(2)
    game = started(players, **STILL)
    for spelling in ('"{}"', 'W/"{}"', "{}"):
        view = players[0].view(game)
        mover = players[view["turn"]]
        mover.move(game, {"type": "draw"}, if_match=spelling.format(view["version"])).ok(201)


def test_a_move_at_an_old_version_gets_the_events_it_missed() -> None:
    players = people(2)
    game = started(players, **STILL)
    seen = players[1].view(game)["version"]
    moved = players[0].move(game, {"type": "draw"}).ok(201)
    answer = players[1].move(game, {"type": "draw"}, if_match=str(seen))
    problem = answer.refused(412, "version_conflict")
    assert (problem["version"], problem["more"]) == (moved["version"], False)
    assert [event["version"] for event in problem["events"]] == [seen + 1, seen + 2]
    assert "cards" not in problem["events"][0]["data"]
    assert answer.headers["X-Server-Time"].endswith("Z")
    players[1].move(game, {"type": "draw"}, if_match=str(problem["version"])).ok(201)


def test_at_most_200_missed_events_come_with_a_conflict() -> None:
    players = people(2)
    game = started(players, **STILL)
    for _ in range(100):
        for player in players:
            if player.view(game)["status"] == "running":
                player.move(game, {"type": "draw"})
    problem = players[0].move(game, {"type": "draw"}, if_match="1").refused(412, "version_conflict")
    assert (len(problem["events"]), problem["more"]) == (200, True)
    assert problem["events"][-1]["version"] == 201


def test_the_rules_are_asked_after_the_version() -> None:
    players = people(2)
    game = started(players, **STILL)
    players[1].move(game, {"type": "draw"}, if_match="1").refused(412, "version_conflict")
    players[1].move(game, {"type": "fly"}, if_match="1").faulty("/type", "not_a_choice")


def test_who_leaves_a_running_game_is_out_and_the_last_one_wins() -> None:
    players = people(2)
    game = started(players, **STILL)
    view = players[1].post(f"games/{game}/leave", idempotency_key="bye").ok()
    assert (view["status"], view["result"]["ended"], view["result"]["winner"]) == ("finished", "forfeit", 0)
    assert view["seats"][1]["status"] == "left"
    again = players[1].post(f"games/{game}/leave", idempotency_key="bye")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.ok() == view
    players[1].post(f"games/{game}/leave").refused(409, "game_over")
    events = players[0].get(f"games/{game}/events").ok()["events"]
    assert [event["kind"] for event in events[-3:]] == ["player_left", "game_finished", "seed_revealed"]


def test_one_may_leave_while_others_play_on() -> None:
    players = people(3)
    game = started(players, **STILL)
    players[0].post(f"games/{game}/leave").ok()
    view = players[1].view(game)
    assert (view["status"], view["turn"]) == ("running", 1)
    players[0].move(game, {"type": "draw"}).refused(409, "not_in_game")
    players[0].post(f"games/{game}/leave").refused(409, "not_in_game")
