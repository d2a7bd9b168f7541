"""One game from the table to the end: whoever may act looks at the game and chooses; once one of them falls silent."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from demo.choice import command_for
from demo.client import Client, Json, Refused, Stopped
from demo.show import Progress, Show
from demo.words import told

SILENT_AT: Final = 3
"""After so many moves the silent player's next turn is left to the clock."""
GRACE: Final = 10.0
"""Seconds after a deadline in which the clock must have acted."""
_LOOK_AGAIN: Final = 0.15
_OVERTAKEN: Final = 412
_UNCHANGED: Final = 304


class Silence(Enum):
    """What became of the turn that was left to the clock."""

    NOT_YET = "the silent player had no turn to miss"
    SETTLED = "acted for the silent player"
    MISSED = "did NOT act: are the worker and beat running?"


class Player:
    """Somebody with an account and a token."""

    def __init__(self, base_url: str, name: str) -> None:
        self.client, self.name = Client(base_url), name
        welcome = self.client.post(
            "/players",
            {
                "username": f"{name.lower()}-{uuid.uuid4().hex[:10]}",
                "password": uuid.uuid4().hex,
                "display_name": name,
            },
        )
        self.id: str = welcome["player"]["id"]
        self.token: str = welcome["token"]["token"]
        self.client.sign_in(self.token)


class Match:
    """A table of these players; the last of them misses one turn."""

    def __init__(self, players: Sequence[Player], show: Show, title: str, until: float) -> None:
        self.players = {player.id: player for player in players}
        self.host, self.silent = players[0], players[-1]
        self.show, self.until = show, until
        self.progress = Progress(title)
        self.chance = random.Random()
        self.game = ""
        self.silence = Silence.NOT_YET

    def play(self, path: str, body: Json) -> Json:
        """Open the table under `/games` or `/tournaments`, seat everybody, play; the last view."""
        self.game = self.host.client.post(path, body)["id"]
        for player in self.players.values():
            if player is not self.host:
                player.client.post(f"{path}/{self.game}/join", {"client_seed": uuid.uuid4().hex})
        self.host.client.post(f"{path}/{self.game}/start", {})
        view = self.host.client.get(f"/games/{self.game}")
        while view["status"] == "running":
            if time.monotonic() > self.until:
                raise Stopped(
                    f"{self.progress.headline()}, and no end within the time set; the clock will end that table"
                )
            view = self._fall_silent(view) if self._is_time_for_silence(view) else self._act(view)
        self.progress.view = view
        self.show.end(self.progress)
        return view

    def _is_time_for_silence(self, view: Json) -> bool:
        if self.silence is not Silence.NOT_YET or self.progress.moves < SILENT_AT or view["window"]:
            return False
        return bool(view["seats"][view["turn"]]["player"]["id"] == self.silent.id)

    def _may_act(self, view: Json) -> Iterator[Player]:
        """Whoever is to move; while a +3 may be answered, everybody in turn, since nobody knows who can."""
        for number in range(len(view["seats"])) if view["window"] else [view["turn"]]:
            yield self.players[view["seats"][number]["player"]["id"]]

    def _act(self, view: Json) -> Json:
        """One move; the game after it."""
        began = time.monotonic()
        for player in self._may_act(view):
            seen = player.client.get(f"/games/{self.game}")
            if seen["legal_moves"]:
                return self._move(player, seen, began)
        return self.host.client.get(f"/games/{self.game}")

    def _move(self, player: Player, seen: Json, began: float) -> Json:
        try:
            moved = player.client.post(f"/games/{self.game}/moves", command_for(seen, self.chance), seen["version"])
        except Refused as refusal:
            if refusal.status != _OVERTAKEN:
                raise
            return self.host.client.get(f"/games/{self.game}")  # the clock was faster
        view: Json = moved["game"]
        self.progress.moves += 1
        self.progress.seconds += time.monotonic() - began
        self._tell(view, moved["events"])
        return view

    def _tell(self, view: Json, events: Sequence[Json]) -> None:
        self.progress.view = view
        names = [seat["player"]["name"] for seat in view["seats"]]
        self.show.update(self.progress, told(events, names))

    def _fall_silent(self, view: Json) -> Json:
        """Wait until the clock has acted for the silent player; the game after it."""
        watcher = self.host.client
        version, held = view["version"], None
        patience = time.monotonic() + view["clock"]["remaining_ms"] / 1000 + GRACE
        while time.monotonic() < patience:
            answer = watcher.fetch(f"/games/{self.game}", held)
            if answer.status != _UNCHANGED:
                view, held = answer.json(), answer.headers["ETag"]
                due = time.monotonic() + view["clock"]["remaining_ms"] / 1000 if view["clock"] else 0.0
            if view["version"] > version:
                self.progress.note, self.silence = "", Silence.SETTLED
                self._tell(view, watcher.get(f"/games/{self.game}/events?after={version}")["events"])
                return view
            left = max(0.0, due - time.monotonic())
            self.progress.note = f"{self.silent.name} falls silent; the clock has its turn: in {left:.1f} s"
            self._tell(view, [])
            time.sleep(_LOOK_AGAIN)
        self.progress.note, self.silence = "", Silence.MISSED
        self._tell(view, [])
        return view
