"""What the clients of `prove-repeats` do: sign up, sit down, play, leave, sign in anew; one table after the other."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from bench.reliability.asks import Ask
from bench.reliability.caller import Caller
from demo.choice import command_for

MOST_MOVES: Final = 120
"""A table that takes longer is left by its players."""
AGAIN: Final = (2, 3, 4, 5, 6)
PASSWORD: Final = "a long password that nobody else has"  # noqa: S105 (of throwaway accounts)


class Guest(Struct, frozen=True):
    """Somebody with a token."""

    id: str
    token: str


class Evening:
    """One client after the other, for as long as more is wanted; each call is forced to be repeated."""

    def __init__(self, caller: Caller, chance: random.Random, more: Callable[[], bool]) -> None:
        self._caller, self._chance, self._more = caller, chance, more
        self._guests: list[Guest] = []

    def spend(self) -> None:
        """Play table after table."""
        while self._more():
            while len(self._guests) < 4:
                self._guests.append(self._sign_up())
            players = self._chance.sample(self._guests, self._chance.choice((2, 2, 3, 4)))
            self._play(players, "tournaments" if self._chance.random() < 0.15 else "games")
            self._guests.remove(self._chance.choice(players))
            self._keep_house(self._guests[0])

    def _post(self, path: str, token: str | None, body: Any = None, version: int | None = None) -> Any:
        sent = b"" if body is None else msgspec.json.encode(body)
        answer = self._caller.force(
            Ask(key=secrets.token_urlsafe(20), path=path, body=sent, token=token, version=version)
        )
        for _ in range(self._chance.choice(AGAIN)):
            if self._more():
                self._caller.again()
        return answer

    def _sign_up(self) -> Guest:
        if self._chance.random() < 0.8:
            body = {"display_name": f"Guest {self._chance.randrange(10**6)}"}
            welcome = self._post("players/guest", None, body)
        else:
            name = f"n{secrets.token_hex(8)}"
            welcome = self._post("players", None, {"username": name, "password": PASSWORD})
            self._post("tokens", None, {"username": name, "password": PASSWORD, "label": "a second one"})
        return Guest(welcome["player"]["id"], welcome["token"]["token"])

    def _keep_house(self, guest: Guest) -> None:
        """What players do with their accounts now and then."""
        if self._chance.random() < 0.3 and self._caller.look("me", guest.token)["kind"] == "guest":
            self._post("me/upgrade", guest.token, {"username": f"n{secrets.token_hex(8)}", "password": PASSWORD})
            self._post("me/password", guest.token, {"current_password": PASSWORD, "new_password": f"{PASSWORD}, new"})
            self._guests.remove(guest)

    def _play(self, players: list[Guest], kind: str) -> None:
        host, *others = players
        options = {"turn_timeout_seconds": 0, "first_player": "random"}
        opened = self._post(kind, host.token, {"ruleset": {"options": options}, "name": "Repeats"})
        table = f"{kind}/{opened['id']}"
        for guest in others:
            self._post(f"{table}/join", guest.token, {"client_seed": secrets.token_hex(8)})
        if self._chance.random() < 0.1:
            self._post(f"games/{opened['id']}/cancel", host.token)
            return
        self._post(f"{table}/start", host.token, {})
        game = f"games/{opened['id']}"
        for _ in range(MOST_MOVES):
            if not self._more() or not self._move(game, players):
                return
        for guest in players[1:]:
            self._post(f"{game}/leave", guest.token)

    def _move(self, game: str, players: list[Guest]) -> bool:
        """One move of whoever may make one; False once the game is over."""
        view = self._caller.look(game, players[0].token)
        if view["status"] != "running":
            return False
        seats = {player.id: player for player in players}
        order = [seats[seat["player"]["id"]] for seat in view["seats"]]
        for guest in order if view["window"] else [order[view["turn"]]]:
            seen = view if guest is players[0] else self._caller.look(game, guest.token)
            if seen["legal_moves"]:
                version = seen["version"] if self._chance.random() < 0.5 else None
                self._post(f"{game}/moves", guest.token, command_for(seen, self._chance), version)
                return True
        raise LookupError(f"{game}: nobody can act and the game is not over")
