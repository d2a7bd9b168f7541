"""A small world for schemathesis: a person, and games in every state, made by plain HTTP."""

from __future__ import annotations

import json
import random
import urllib.request
from typing import Any, Final

from tests.games.people import chosen, command_for

Json = dict[str, Any]
_RULES: Final = {"first_player": "seat_zero", "turn_timeout_seconds": 0}


class Caller:
    """Somebody with a token."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.token = url, ""
        made = self.call("POST", "players", {"username": name, "password": "four blue cards"})
        self.token, self.id, self.token_id = made["token"]["token"], made["player"]["id"], made["token"]["id"]

    def call(self, method: str, path: str, body: object = None) -> Json:
        """A call that must succeed."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        sent = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.url}/api/v1/{path}", sent, headers, method=method)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            found: Json = json.loads(answer.read() or b"{}")
        return found


def make(url: str) -> Json:
    """The ids of what exists by path parameter, and the token of who is in the middle of it."""
    me, other = Caller(url, "noa"), Caller(url, "ben")
    running = _game(me, other, {"ruleset": {"options": _RULES}})
    tournament = _game(me, other, {"mode": "tournament", "ruleset": {"options": _RULES}})
    finished = _game(me, other, {"ruleset": {"options": _RULES | {"hand_size": 3}}})
    _play(finished, me, other)
    opened = me.call("POST", "games", {"name": "Friday table"})["id"]
    stranger = other.call("POST", "games", {})["id"]
    ids = {
        "game_id": [running, opened, tournament, finished, stranger],
        "tournament_id": [tournament, running],
        "player_id": [me.id, other.id],
        "token_id": [me.token_id],
        "version": [1, 7],
        "number": [0, 1],
    }
    return {"url": url, "token": me.token, "ids": ids}


def _game(me: Caller, other: Caller, body: Json) -> str:
    game: str = me.call("POST", "games", body)["id"]
    other.call("POST", f"games/{game}/join", {})
    me.call("POST", f"games/{game}/start")
    return game


def _play(game: str, *players: Caller) -> None:
    chance = random.Random(1)
    while players[0].call("GET", f"games/{game}")["status"] == "running":
        for player in players:
            if moves := player.call("GET", f"games/{game}/legal-moves")["legal_moves"]:
                player.call("POST", f"games/{game}/moves", command_for(chosen(moves, chance), chance))
                break
