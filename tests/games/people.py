"""People who call the service: each with a token and Django's test client, and the way to a table."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import count
from typing import Any, Final, cast

from django.http import HttpResponse
from django.test import Client

from accounts.models import Player
from accounts.scopes import Scope
from accounts.services import tokens
from tests.description import conformity

_NUMBER: Final = count(1)
Json = dict[str, Any]


class Answer:
    """An answer, with its body read."""

    def __init__(self, response: HttpResponse) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.raw = response.content

    @property
    def body(self) -> Json:
        return cast("Json", json.loads(self.raw))

    def ok(self, status: int = 200) -> Json:
        """The body of an answer that must have this status."""
        assert self.status == status, f"{self.status}: {self.raw.decode()}"
        return self.body

    def refused(self, status: int, code: str) -> Json:
        """The problem of an answer that must be this refusal."""
        assert self.headers["Content-Type"] == "application/problem+json", self.raw.decode()
        body = self.body
        assert (self.status, body["code"]) == (status, code), body
        return body

    def faulty(self, pointer: str, code: str) -> Json:
        """The fault of a 400 that must point here."""
        errors = self.refused(400, "invalid_request")["errors"]
        assert [(error["pointer"], error["code"]) for error in errors] == [(pointer, code)]
        return cast("Json", errors[0])


class Person:
    """A player with a token."""

    def __init__(
        self,
        name: str | None = None,
        birth_year: int | None = None,
        kind: str = "human",
        scopes: Sequence[str] | None = None,
    ) -> None:
        number = next(_NUMBER)
        self.name = name or f"Player {number}"
        self.player = Player.objects.create(
            username=f"player-{number}", display_name=self.name, birth_year=birth_year, kind=kind
        )
        self.token = tokens.issue(self.player, None if scopes is None else map(Scope, scopes)).text
        self.id = str(self.player.id)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Call the API; headers as `idempotency_key="…"`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answer = Client().generic(
            method,
            f"/api/v1/{path}",
            sent,
            "application/json",
            headers={"Authorization": f"Bearer {self.token}", **named},
        )
        conformity.check(method, f"/api/v1/{path}", answer)
        return Answer(cast("HttpResponse", answer))

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.call("DELETE", path, **headers)

    def move(self, game: str, body: object, **headers: str) -> Answer:
        return self.post(f"games/{game}/moves", body, **headers)

    def view(self, game: str) -> Json:
        return self.get(f"games/{game}").ok()


def people(number: int) -> list[Person]:
    """So many players."""
    return [Person() for _ in range(number)]


def opened(host: Person, **body: object) -> Json:
    """A table opened by a host, who sits at it."""
    return host.post("games", body).ok(201)


def seated(players: Sequence[Person], **body: object) -> str:
    """An open table with these players, the first of them its host; its id."""
    game: str = opened(players[0], **body)["id"]
    for player in players[1:]:
        player.post(f"games/{game}/join", {}).ok()
    return game


def started(players: Sequence[Person], **body: object) -> str:
    """A running game of these players; its id."""
    game = seated(players, **body)
    players[0].post(f"games/{game}/start").ok()
    return game


def command_for(template: Json, chance: random.Random) -> Json:
    """A command that fits a template, chosen at random."""
    if template["type"] == "play":
        return _play(template, chance)
    command = {name: template[name] for name in ("type", "target", "answer") if name in template}
    return command | ({"say_last": True} if template["type"] == "pass" else {})


def _play(template: Json, chance: random.Random) -> Json:
    cards, needs = [template["card"]], list(template.get("needs", ()))
    command: Json = {"type": "play", "answer": template.get("answer", False), "say_last": chance.random() < 0.8}
    if run := template.get("run"):
        cards += _rest_of_run(run, chance)
        needs += ["color"] * (cards[-1] == "change-color")
        command["close"] = "taki" not in cards[-1] and chance.random() < 0.8
        command["run_color"] = run["color"] if "run_color" in needs else None
    command["color"] = chance.choice(["red", "yellow", "green", "blue"]) if "color" in needs else None
    return command | {"cards": cards}


def _rest_of_run(run: Json, chance: random.Random) -> list[str]:
    free = list(run["cards"])
    for card in run["required"]:
        free.remove(card)
    rest = list(run["required"]) + [card for card in free if chance.random() < 0.5]
    chance.shuffle(rest)
    ends = run.get("may_end_with")
    return [*rest, chance.choice(ends)] if ends and chance.random() < 0.3 else rest


def one_move(players: Sequence[Person], game: str, chance: random.Random, view: Json | None = None) -> Json | None:
    """Let whoever may act act once, as the offered legal moves allow; None when the game is over."""
    view = view or players[0].view(game)
    if view["status"] != "running":
        return None
    by_seat = [next(p for p in players if p.id == seat["player"]["id"]) for seat in view["seats"]]
    for player in by_seat if view["window"] else [by_seat[view["turn"]]]:
        if moves := player.view(game)["legal_moves"]:
            return player.move(game, command_for(chosen(moves, chance), chance)).ok(201)
    raise AssertionError("nobody can act and the game is not over")


def chosen(moves: Sequence[Json], chance: random.Random) -> Json:
    """A move that sheds cards where there is one, long runs first."""

    def worth(move: Json) -> tuple[int, float]:
        run = move.get("run", {"cards": ()})
        return (move["type"] == "play") + len(run["cards"]), chance.random()

    return max(moves, key=worth)


def play_out(players: Sequence[Person], game: str, seed: int = 1, limit: int = 5000) -> Json:
    """Play a game to its end; the host's last view."""
    chance = random.Random(seed)
    view: Json | None = None
    for _ in range(limit):
        moved = one_move(players, game, chance, view)
        if moved is None:
            return players[0].view(game)
        view = moved["game"]
    raise AssertionError(f"the game did not end in {limit} moves")
