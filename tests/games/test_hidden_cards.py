"""No answer tells of a card that its reader may not see."""

from __future__ import annotations

import re

import pytest

from games.engine.ruleset import ruleset_from
from tests.games.people import Answer, Person, people
from tests.games.twins import OPTIONS, Plan, deal, plan

pytestmark = pytest.mark.django_db

# Ids, times, digests and commitments differ between any two games.
_CHANGING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "TIME"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r'"request_id":"[0-9a-f]{32}"'), "REQUEST"),
    (re.compile(r'"remaining_ms":\d+'), "REMAINING"),
    (re.compile(r'"join_code":"\w+"'), "CODE"),
)
_CHANGING_HEADERS = {"X-Request-ID", "X-Server-Time", "Content-Length", "RateLimit"}


def normal(answer: Answer) -> tuple[int, dict[str, str], str]:
    text = answer.raw.decode()
    for pattern, name in _CHANGING:
        text = pattern.sub(name, text)
    return answer.status, {k: v for k, v in answer.headers.items() if k not in _CHANGING_HEADERS}, text


def everything(viewer: Person, game: str, version: int) -> list[tuple[int, dict[str, str], str]]:
    """All that a viewer can ask about a running game."""
    asked = [
        viewer.get(f"games/{game}"),
        viewer.get(f"games/{game}", if_none_match=str(version)),
        viewer.get(f"games/{game}/legal-moves"),
        viewer.get(f"games/{game}/events"),
        viewer.get(f"games/{game}/history/{version}"),
        viewer.get(f"games/{game}/history/{version}?seat=0"),
        viewer.get(f"games/{game}/history/{version}?seat=all"),
        viewer.get(f"games/{game}/record"),
        viewer.get(f"games/{game}/verification"),
        viewer.get(f"tournaments/{game}"),
        viewer.get("me/games"),
        viewer.get(f"games?player={viewer.id}"),
        viewer.move(game, {"type": "pass", "answer": True}, if_match="1"),
        viewer.post(f"games/{game}/moves?dry_run=true", {"type": "draw"}),
        viewer.post(f"games/{game}/moves?dry_run=true", {"type": "play", "cards": ["king", "king", "king"]}),
        viewer.post(f"games/{game}/moves?dry_run=true", {"type": "say_last"}),
        viewer.post(f"games/{game}/start"),
        viewer.post(f"games/{game}/join", {}),
    ]
    return [normal(answer) for answer in asked]


def walk(drawn: Plan, players: list[Person], deck: bytes, options: dict[str, object]) -> list[object]:
    """All that the viewer and a spectator, the last of these people, see while the game is played as planned."""
    game = deal(players[:-1], deck, ruleset_from(options), options)
    viewer, spectator = players[drawn.viewer], players[-1]
    seen: list[object] = []
    for seat, body in drawn.moves:
        answer = players[seat].move(game, body)
        answer.ok(201)
        version = int(answer.headers["ETag"].strip('"'))
        if seat == drawn.viewer:
            seen.append(normal(answer))
        if viewer.view(game)["status"] != "running":
            break
        seen += everything(viewer, game, version)
        seen += everything(spectator, game, version)
    return seen


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("mode", ["single", "tournament"])
def test_games_that_differ_in_hidden_cards_alone_look_alike(number: int, mode: str) -> None:
    options = {**OPTIONS, "mode": mode}
    drawn = plan(number, seats=3, length=6, options=options)
    assert drawn.deck != drawn.twin
    ones, others = [[*people(3), Person("Watcher")] for _ in range(2)]
    for one, other in zip(ones, others, strict=True):
        other.player.display_name = one.player.display_name
        other.player.save()
    first = walk(drawn, ones, drawn.deck, options)
    second = walk(drawn, others, drawn.twin, options)
    assert first == second
