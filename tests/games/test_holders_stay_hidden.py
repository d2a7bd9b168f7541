"""Who is asked about a +3, and who lets it pass, is hidden where only holders are asked; what can be inferred is written down."""

from __future__ import annotations

from typing import Any, Final

import pytest

from games.engine import visibility
from games.engine.events import Plus3Opened
from tests.description import conformity
from tests.games.people import Json, Person
from tests.games.sandboxes import Sandbox
from tests.games.ways_out import Seen, differing, everything, seen

pytestmark = pytest.mark.django_db

OPTIONS: Final[Json] = {"turn_timeout_seconds": 600, "plus3_window": "holders_only", "plus3_window_seconds": 600}
PLUS3: Final = {"type": "play", "cards": ["plus3"]}
TABLE: Final[Json] = {"players": ["Ada", "Bo", "Cy"], "discard": ["blue-9", "red-5"], "turn": "Ada"}


def position(bo: list[str], cy: list[str]) -> Json:
    return TABLE | {"hands": {"Ada": ["plus3", "yellow-1", "green-1"], "Bo": bo, "Cy": cy}}


BO_HOLDS: Final = position(["breaker", "blue-1"], ["red-7", "red-8"])
CY_HOLDS: Final = position(["red-7", "blue-1"], ["breaker", "red-8"])
NOBODY_HOLDS: Final = position(["red-7", "blue-1"], ["red-9", "red-8"])


def opened(host: Person, cards: Json, **options: Any) -> Sandbox:
    game = Sandbox(host, cards, **OPTIONS | options)
    game.move(0, PLUS3).ok(201)
    return game


def watched(host: Person, cards: Json, holder: int) -> list[Seen]:
    """What Ada and a spectator see of a +3 that the holder lets pass."""
    game = opened(host, cards)
    version = game.view(0)["version"]
    found = everything(game.seats[0], game.id, version) + everything(host, game.id, version)
    passed = game.move(holder, {"type": "pass", "answer": True}).ok(201)
    found += everything(game.seats[0], game.id, passed["version"]) + everything(host, game.id, passed["version"])
    return [*found, seen("all of it", host.get(f"games/{game.id}/events?limit=100"))]


def test_the_same_is_seen_whoever_is_asked_and_passes() -> None:
    host = Person()
    assert differing(watched(host, BO_HOLDS, 1), watched(host, CY_HOLDS, 2)) == []


def test_an_event_that_names_who_passed_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformity, "check", lambda *_: None)
    monkeypatch.setattr(visibility, "Answer", type("Answer", (), {"PASS": None}))
    host = Person()
    assert "GET /events" in differing(watched(host, BO_HOLDS, 1), watched(host, CY_HOLDS, 2))


def test_an_event_that_names_who_is_asked_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(data: dict[str, Any], _own: bool) -> dict[str, Any]:
        return data | {"awaited": asked[-1]}

    asked: list[list[int]] = []
    redact = visibility.redact

    def listening(event: Any, viewer: Any) -> Any:
        asked.append(list(getattr(event, "awaited", ())))
        return redact(event, viewer)

    monkeypatch.setattr(conformity, "check", lambda *_: None)
    rules: dict[Any, Any] = dict(visibility.RULES_OF_SIGHT)
    monkeypatch.setattr(visibility, "RULES_OF_SIGHT", rules | {Plus3Opened: told})
    monkeypatch.setattr("games.shown.redact", listening)
    host = Person()
    assert "GET /events" in differing(watched(host, BO_HOLDS, 1), watched(host, CY_HOLDS, 2))


def kinds(host: Person, game: Sandbox) -> list[str]:
    return [event["kind"] for event in host.get(f"games/{game.id}/events?limit=100").ok()["events"]]


def test_where_only_holders_are_asked_a_window_tells_that_somebody_holds_an_answer() -> None:
    host = Person()
    assert opened(host, BO_HOLDS).view(0)["window"] is not None
    assert opened(host, NOBODY_HOLDS).view(0)["window"] is None


def test_where_all_are_asked_holders_and_others_look_alike_until_somebody_answers() -> None:
    host = Person()
    found: list[list[Seen]] = []
    for cards in (BO_HOLDS, CY_HOLDS, NOBODY_HOLDS):
        game = opened(host, cards, plus3_window="all_players")
        assert game.view(0)["window"] is not None
        for seat in (1, 2):
            game.move(seat, {"type": "pass", "answer": True}).ok(201)
        found.append(everything(game.seats[0], game.id, game.view(0)["version"]))
    assert differing(found[0], found[1]) == differing(found[0], found[2]) == []


def test_each_pass_of_a_holder_moves_the_version_on_and_names_nobody() -> None:
    host = Person()
    game = opened(host, position(["breaker", "blue-1"], ["breaker", "red-8"]))
    before = game.view(0)["version"]
    game.move(1, {"type": "pass", "answer": True}).ok(201)
    (passed,) = game.seats[0].get(f"games/{game.id}/events?after={before}").ok()["events"]
    assert (passed["kind"], passed["seat"], passed["data"]) == ("plus3_answered", None, {})


def test_calling_last_card_along_with_a_pass_names_the_caller() -> None:
    host = Person()
    game = opened(host, position(["breaker"], ["breaker", "red-8"]), last_card_mode="catch")
    before = game.view(0)["version"]
    game.move(1, {"type": "pass", "answer": True, "say_last": True}).ok(201)
    told = game.seats[0].get(f"games/{game.id}/events?after={before}").ok()["events"]
    assert [(event["kind"], event["seat"]) for event in told] == [("last_card_said", 1), ("plus3_answered", None)]
