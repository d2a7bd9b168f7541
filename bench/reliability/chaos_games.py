"""The games of `make chaos`: some are played over HTTP by clients that now and then fall asleep, some by the clock alone."""

from __future__ import annotations

import random
import secrets
import threading
import time
from typing import Any, Final

from bench.reliability.asks import Book
from bench.reliability.evenings import Guest
from bench.reliability.steadfast import Over, Steadfast
from bench.reliability.timeline import Timeline
from demo.choice import command_for
from taki_project.local.web import Address

TURN_SECONDS: Final = 4
SILENT_TURN_SECONDS: Final = 1
SILENT_TABLES: Final = 12
ASLEEP: Final = 0.04
"""How often a player lets a turn run out."""
AGAIN: Final = 0.15


class Table:
    """A thread that plays or watches until it is told to stop."""

    def __init__(self, client: Steadfast, chance: random.Random, book: Book, over: threading.Event) -> None:
        self.client, self._chance, self._book, self._over = client, chance, book, over
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.games: list[str] = []

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                self.evening()
        except Over:
            return
        except Exception as error:  # noqa: BLE001 (whatever ends a client is a finding)
            self._book.fault(f"a client had to give up: {type(error).__name__}: {error}")
        finally:
            self.client.close()

    def evening(self) -> None:
        """One game, or one look around."""
        raise NotImplementedError

    def sit_down(self, number: int, turn_seconds: int) -> tuple[str, list[Guest]]:
        """A game that has started, and its players."""
        guests = [self._sign_up() for _ in range(number)]
        options = {"turn_timeout_seconds": turn_seconds, "timeouts_before_forfeit": 0}
        opened = self._sure("games", guests[0], {"ruleset": {"options": options}, "name": "Chaos"})
        game = f"games/{opened['id']}"
        for guest in guests[1:]:
            self._sure(f"{game}/join", guest, {"client_seed": secrets.token_hex(8)})
        self._sure(f"{game}/start", guests[0], {})
        self.games.append(opened["id"])
        return game, guests

    def _sign_up(self) -> Guest:
        welcome = self._sure("players/guest", None, {"display_name": "Somebody"})
        return Guest(welcome["player"]["id"], welcome["token"]["token"])

    def _sure(self, path: str, guest: Guest | None, body: Any) -> Any:
        reply = self.client.post(path, None if guest is None else guest.token, body)
        if reply.is_refusal:
            raise LookupError(f"{path}: {reply.code} {reply.body[:200]!r}")
        return reply.json()


class Lively(Table):
    """Plays one game after the other."""

    def evening(self) -> None:
        """One game to its end."""
        game, guests = self.sit_down(self._chance.choice((2, 3, 4)), TURN_SECONDS)
        while not self._over.is_set():
            if self._chance.random() < ASLEEP:
                self._over.wait(TURN_SECONDS + 1)
            if not self._move(game, guests):
                return
            if self.client.past and self._chance.random() < AGAIN:
                self.client.again(self._chance.choice(self.client.past))
            time.sleep(self._chance.random() * 0.1)

    def _move(self, game: str, guests: list[Guest]) -> bool:
        """One try at one move: the clock or an earlier answer may have been faster. False: the game is over."""
        view = self.client.look(game, guests[0].token)
        if view["status"] != "running":
            return False
        by_id = {guest.id: guest for guest in guests}
        order = [by_id[seat["player"]["id"]] for seat in view["seats"]]
        for guest in order if view["window"] else [order[view["turn"]]]:
            seen = view if guest is guests[0] else self.client.look(game, guest.token)
            if seen["legal_moves"]:
                version = seen["version"] if self._chance.random() < 0.5 else None
                self.client.post(f"{game}/moves", guest.token, command_for(seen, self._chance), version)
                break
        return True


class Watched(Table):
    """Tables that nobody plays; somebody reads their feeds, which have no gap and repeat nothing."""

    def __init__(self, client: Steadfast, chance: random.Random, book: Book, over: threading.Event) -> None:
        super().__init__(client, chance, book, over)
        self._read: dict[str, tuple[Guest, int]] = {}

    def evening(self) -> None:
        """Read one feed on."""
        if len(self._read) < SILENT_TABLES:
            game, guests = self.sit_down(2, SILENT_TURN_SECONDS)
            self._read[game] = (guests[0], 0)
        game = self._chance.choice(list(self._read))
        guest, after = self._read[game]
        page = self.client.look(f"{game}/events?after={after}", guest.token, "feed")
        versions = [event["version"] for event in page["events"]]
        if versions != list(range(after + 1, after + 1 + len(versions))):
            self._book.fault(f"the feed of {game} gave {versions[:5]}… behind {after}")
        self._read[game] = (guest, versions[-1] if versions else after)
        if any(event["kind"] in ("game_finished", "game_voided") for event in page["events"]):
            del self._read[game]
        time.sleep(self._chance.random() * 0.1)


class Hall:
    """All tables."""

    def __init__(self, address: Address, seed: int, lively: int) -> None:
        self.book, self.timeline, self._over = Book(), Timeline(), threading.Event()
        self.tables: list[Table] = []
        for number in range(lively + 1):
            chance = random.Random(f"{seed}/{number}")
            client = Steadfast(address, self.book, self.timeline, chance)
            kind = Lively if number else Watched
            self.tables.append(kind(client, chance, self.book, self._over))

    def open(self) -> None:
        """Let play begin."""
        for table in self.tables:
            table.thread.start()

    def close(self) -> None:
        """Let each client finish what it is at."""
        self._over.set()
        for table in self.tables:
            table.thread.join(150.0)

    @property
    def games(self) -> list[str]:
        """The ids of all games that began."""
        return [game for table in self.tables for game in table.games]
