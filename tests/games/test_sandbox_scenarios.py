"""Scenarios played through the sandbox: over HTTP they end as they do in the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from games.engine.scenarios import read_scenarios, scenario_files
from tests.games.people import Answer, Json, Person
from tests.games.sandboxes import Sandbox

pytestmark = pytest.mark.django_db

COLLECTION: Final = Path(__file__).parents[1] / "scenarios"
# A deal is no position, and nobody is shown the bottom of a pile.
NOT_SEEN: Final = {"bottom_of_draw_pile", "hands_each"}
NEARLY_OVER_MS: Final = 5_000


def _playable(raw: Any) -> bool:
    position, steps = raw.get("position") or {}, raw.get("when") or []
    placed = {"hands", "discard"} <= position.keys() and not position.keys() & {"turned", "first", "drawn"}
    # A client moves the clock by seconds, which go on meanwhile, and gives the clock no command that could be refused.
    limit = raw.get("ruleset", {}).get("turn_timeout_seconds", 60) * 1000
    exact = any(
        step.get("at_ms", 0) % 1000
        or 0 < limit - step.get("at_ms", 0) < NEARLY_OVER_MS
        or (step["do"] == "timeout" and "reject" in step)
        for step in steps
    )
    return placed and bool(steps) and not exact and not raw["then"].keys() & NOT_SEEN


PLAYABLE: Final[list[Json]] = [
    raw
    for path in scenario_files([COLLECTION])
    for raw in read_scenarios(path)
    if isinstance(raw, dict) and _playable(raw)
]


class Played:
    """A scenario at an HTTP table."""

    def __init__(self, raw: Json) -> None:
        options = {name: str(value) if name == "deck" else value for name, value in raw.get("ruleset", {}).items()}
        preset = options.pop("preset", "taki_116")
        body = {"ruleset": {"preset": preset, "options": options}, "position": raw["position"]}
        self.table = Sandbox.of(Person(), body)
        self.names: list[str] = raw["position"]["players"]
        self.moved_ms = 0

    def view(self, name: str | None = None) -> Json:
        return self.person(name or self.names[0]).view(self.table.id)

    def person(self, name: str) -> Person:
        return self.table.seats[self.names.index(name)] if name in self.names else self.table.host

    def step(self, step: Mapping[str, Any]) -> None:
        before = self.view()["version"]
        if ahead := step.get("at_ms", self.moved_ms) - self.moved_ms:
            self.clock(ahead)
        if step["do"] == "timeout":
            if self.view()["version"] == before:
                self.clock(self.view()["clock"]["remaining_ms"])
            return
        answer = self.command(step)
        if "reject" in step:
            answer.refused(409, step["reject"])
        else:
            assert answer.status in {200, 201}, answer.raw

    def clock(self, ms: int) -> None:
        self.moved_ms += ms
        self.table.clock(max(1, -(-ms // 1000))).ok()

    def command(self, step: Mapping[str, Any]) -> Answer:
        person, game = self.person(step["by"]), self.table.id
        if step["do"] == "leave":
            return person.post(f"games/{game}/leave")
        body = {name: value for name, value in step.items() if name not in {"do", "by", "reject", "at_ms", "target"}}
        if "target" in step:
            body["target"] = self.names.index(step["target"])
        return person.move(game, {"type": step["do"], **body})

    def named(self, seat: int | None) -> str | None:
        return None if seat is None else self.names[seat]


Came = Callable[[Played, Json], object]


def _plain(key: str) -> Came:
    return lambda _, view: view[key]


def _of_seats(key: str) -> Came:
    return lambda played, view: sorted(played.names[seat["seat"]] for seat in view["seats"] if seat[key])


def _by_name(key: str) -> Came:
    return lambda played, view: {played.names[seat["seat"]]: seat[key] for seat in view["seats"]}


def _left(played: Played, view: Json) -> object:
    return sorted(played.names[seat["seat"]] for seat in view["seats"] if seat["status"] == "left")


CAME: Final[dict[str, Came]] = {
    **{key: _plain(key) for key in ("direction", "plus2", "open_taki", "owed", "draw_count", "top", "lead")},
    "discard": _plain("discard_count"),
    "turn": lambda played, view: played.named(view["turn"]),
    "window": lambda played, view: view["window"] and played.named(view["window"]["seat"]),
    "ended": lambda _, view: view["result"] and view["result"]["ended"],
    "winner": lambda played, view: view["result"] and played.named(view["result"]["winner"]),
    "must_say": _of_seats("owes_last_card"),
    "declared": _of_seats("said_last"),
    "left": _left,
    "hand_counts": _by_name("hand_count"),
    "stages": _by_name("stage"),
    "hands": lambda played, _: {name: sorted(played.view(name)["you"]["hand"]) for name in played.names},
}


def outcomes(played: Played, then: Json) -> Iterator[tuple[str, object, object]]:
    """What was expected and what came, for everything that the scenario names."""
    view = played.view()
    for key, expected in then.items():
        came: Any = CAME[key](played, view)
        if isinstance(expected, dict):
            wanted = {name: sorted(part) if isinstance(part, list) else part for name, part in expected.items()}
            wanted = {name: str(part) if key == "lead" else part for name, part in wanted.items()}
            yield key, wanted, {name: came[name] for name in expected}
        else:
            yield key, sorted(expected) if isinstance(expected, list) else expected, came


@pytest.mark.parametrize("raw", PLAYABLE, ids=lambda raw: str(raw["id"]))
def test_a_scenario_ends_over_http_as_in_the_engine(raw: Json) -> None:
    played = Played(raw)
    for step in raw["when"]:
        played.step(step)
    for key, expected, came in outcomes(played, raw["then"]):
        assert came == expected, key


def test_enough_scenarios_are_played_over_http() -> None:
    assert len(PLAYABLE) >= 400
