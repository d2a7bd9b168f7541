"""Sandbox games over HTTP: opened by a host, played by the seats they come with."""

from __future__ import annotations

from typing import Any, Final

from tests.games.people import Answer, Json, Person

TWO: Final[Json] = {
    "players": ["Ada", "Bo"],
    "hands": {"Ada": ["red-3", "yellow-1", "green-1"], "Bo": ["blue-1", "red-9", "king"]},
    "discard": ["blue-4", "red-5"],
}
DRAW: Final = {"type": "draw"}


class SeatHolder(Person):
    """A player that came with a sandbox game."""

    def __init__(self, shown: Json) -> None:
        self.name, self.id, self.token = shown["name"], shown["player"], shown["token"]


class Sandbox:
    """A sandbox game with its host and its seats."""

    def __init__(self, host: Person, position: Json | None = None, **options: Any) -> None:
        self._sit(host, asked(host, position or TWO, **options).ok(201))

    @classmethod
    def of(cls, host: Person, body: Json) -> Sandbox:
        """The game that this body asks for."""
        made = cls.__new__(cls)
        made._sit(host, host.post("sandbox/games", body).ok(201))
        return made

    def _sit(self, host: Person, answer: Json) -> None:
        self.host = host
        self.game: Json = answer["game"]
        self.id: str = self.game["id"]
        self.seats = [SeatHolder(shown) for shown in answer["seats"]]

    def clock(self, seconds: int, by: Person | None = None, **headers: str) -> Answer:
        return (by or self.host).post(f"sandbox/games/{self.id}/clock", {"seconds": seconds}, **headers)

    def move(self, seat: int, body: Json, **headers: str) -> Answer:
        return self.seats[seat].move(self.id, body, **headers)

    def view(self, seat: int) -> Json:
        return self.seats[seat].view(self.id)


def asked(host: Person, position: object, **options: Any) -> Answer:
    return host.post("sandbox/games", {"ruleset": {"options": options}, "position": position})
