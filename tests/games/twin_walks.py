"""A planned game played over HTTP: all that its viewer and a spectator see on the way."""

from __future__ import annotations

from msgspec import Struct

from games.engine.ruleset import ruleset_from
from tests.games.people import Json, Person, people
from tests.games.twins import Plan, deal
from tests.games.ways_out import Seen, everything, glance, seen


class Company(Struct, frozen=True):
    """The players of a game by seat, and somebody who only watches."""

    players: list[Person]
    spectator: Person

    @classmethod
    def gathered(cls, seats: int) -> Company:
        return cls(people(seats), Person("Watcher"))

    def alike(self) -> Company:
        """Others of the same names."""
        others = Company.gathered(len(self.players))
        for one, other in zip(self.players, others.players, strict=True):
            other.player.display_name = one.player.display_name
            other.player.save()
        return others


def walk(drawn: Plan, company: Company, deck: bytes, options: Json) -> list[Seen]:
    """Look around after every move, and everywhere while a window is open, at the end, and when somebody has left."""
    game = deal(company.players, deck, ruleset_from(options), options)
    viewer = company.players[drawn.viewer]
    found: list[Seen] = []
    for number, (seat, body) in enumerate(drawn.moves):
        answer = company.players[seat].move(game, body, idempotency_key=f"move {number}")
        version = int(answer.headers["ETag"].strip('"'))
        if seat == drawn.viewer:
            found += [seen("own move", answer), _repeated(viewer, game, body, number)]
        view = viewer.view(game)
        if view["status"] != "running":
            return found
        ask = everything if view["window"] or number == len(drawn.moves) - 1 else glance
        found += ask(viewer, game, version) + ask(company.spectator, game, version)
    return found + _after_a_seat_is_left(drawn, company, game)


def last_look(drawn: Plan, company: Company, deck: bytes, options: Json) -> list[Seen]:
    """Everything, but once only, after the same moves; then somebody leaves."""
    game = deal(company.players, deck, ruleset_from(options), options)
    viewer = company.players[drawn.viewer]
    found: list[Seen] = []
    for number, (seat, body) in enumerate(drawn.moves):
        answer = company.players[seat].move(game, body, idempotency_key=f"move {number}")
        if seat == drawn.viewer:
            found += [seen("own move", answer), _repeated(viewer, game, body, number)]
    version = company.spectator.view(game)["version"]
    for watcher in (viewer, company.spectator):
        found += everything(watcher, game, version)
    return found + _after_a_seat_is_left(drawn, company, game)


def _after_a_seat_is_left(drawn: Plan, company: Company, game: str) -> list[Seen]:
    leaver = company.players[(drawn.viewer + 1) % len(company.players)]
    version = leaver.post(f"games/{game}/leave").ok()["version"]
    viewer = company.players[drawn.viewer]
    return glance(viewer, game, version) + glance(company.spectator, game, version)


def _repeated(viewer: Person, game: str, body: Json, number: int) -> Seen:
    return seen("own move again", viewer.move(game, body, idempotency_key=f"move {number}"))
