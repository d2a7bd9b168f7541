"""Play TAKI by HTTP alone: a game of four and a tournament of ten, choosing among the legal moves that are offered.

    python3 examples/play.py [BASE_URL]        (http://127.0.0.1:8000 if absent)

Nothing but Python's standard library. Each player signs in as a guest; the script prints how the games go, and at the
end what the service can prove about them.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import time
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]

COLORS = ("red", "yellow", "green", "blue")
NAMES = ("Noa", "Ben", "Gil", "Tal", "Ori", "Mia", "Dan", "Lia", "Ron", "Eva")
MOVES_AT_MOST = 20_000
SECONDS_BETWEEN_LINES = 5


class Refused(Exception):
    """The service said no; the problem document says why."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.problem = problem


class Player:
    """A guest with a token and a connection."""

    def __init__(self, base_url: str, name: str) -> None:
        parts = urlsplit(base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.name = name
        self.connection = kind(parts.netloc, timeout=30)
        self.headers = {"Content-Type": "application/json"}
        welcome = self.post("/players/guest", {"display_name": name})
        self.id: str = welcome["player"]["id"]
        self.headers["Authorization"] = f"Bearer {welcome['token']['token']}"

    def get(self, path: str) -> Json:
        """The answer to a question."""
        return self._call("GET", path, None, {})

    def post(self, path: str, body: Json) -> Json:
        """Have something done once: a lost answer is asked for again under the same key."""
        return self._call("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())})

    def _call(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Json:
        sent = None if body is None else json.dumps(body)
        for attempt in range(5):
            try:
                self.connection.request(method, f"/api/v1{path}", sent, self.headers | headers)
                answer = self.connection.getresponse()
                read = json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                self.connection.close()
                time.sleep(0.2 * 2**attempt)
                continue
            if answer.status in (429, 503):
                time.sleep(float(answer.headers.get("Retry-After", 1)))
                continue
            if answer.status >= 400:  # noqa: PLR2004 (refusals begin there)
                raise Refused(answer.status, read)
            return read  # type: ignore[no-any-return]
        raise ConnectionError(f"{method} {path}: no answer")


def command_for(move: Json, chance: random.Random) -> Json:
    """A command that fits a legal move; a run is played as long as possible and closed where that is allowed."""
    if move["type"] != "play":
        return {name: move[name] for name in ("type", "target", "answer") if name in move}
    command: Json = {"type": "play", "cards": [move["card"]], "say_last": True, "answer": move.get("answer", False)}
    needs = list(move.get("needs", []))
    if run := move.get("run"):
        # Its TAKIs first: a run that ends with one cannot be closed.
        command["cards"] += sorted(run["cards"], key=lambda card: not card.endswith("taki"))
        command["close"] = not command["cards"][-1].endswith("taki")
        if "run_color" in needs:
            command["run_color"] = run["color"]
    if "color" in needs:
        command["color"] = chance.choice(COLORS)
    return command


def chosen(moves: Sequence[Json], chance: random.Random) -> Json:
    """The move that sheds the most cards."""

    def cards(move: Json) -> int:
        run = move["run"]["cards"] if "run" in move else []
        return int(move["type"] == "play") + len(run)

    return max(moves, key=lambda move: (cards(move), chance.random()))


def act(players: dict[str, Player], view: Json, chance: random.Random) -> Json:
    """Let whoever may act act once: the player to move, or one of those who may answer a +3. The view after it."""
    seats = range(len(view["seats"])) if view["window"] else [view["turn"]]
    for seat in seats:
        player = players[view["seats"][seat]["player"]["id"]]
        moves = player.get(f"/games/{view['id']}/legal-moves")["legal_moves"]
        if moves:
            moved = player.post(f"/games/{view['id']}/moves", command_for(chosen(moves, chance), chance))
            return moved["game"]  # type: ignore[no-any-return]
    raise RuntimeError("nobody can act, and the game is not over")


def play(players: Sequence[Player], ruleset: Json, chance: random.Random) -> Json:
    """Open a table, seat everybody, and play to the end; the final view."""
    host = players[0]
    game = host.post("/games", {"name": "Example", "ruleset": ruleset, "visibility": "unlisted"})["id"]
    for player in players[1:]:
        player.post(f"/games/{game}/join", {"client_seed": uuid.uuid4().hex})
    view = host.post(f"/games/{game}/start", {})
    by_id = {player.id: player for player in players}
    began = told = time.monotonic()
    for number in range(1, MOVES_AT_MOST):
        view = act(by_id, view, chance)
        if view["status"] != "running":
            took = time.monotonic() - began
            print(f"  over after {number} moves, {number / took:.0f} a second")
            return host.get(f"/games/{game}")
        if time.monotonic() - told > SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            print(f"  move {number}: {standing(view)}", flush=True)
    raise RuntimeError(f"no end after {MOVES_AT_MOST} moves")


def standing(view: Json) -> str:
    """How the players stand: cards left, in a tournament of which stage."""
    return "  ".join(
        f"{seat['player']['name']} {seat['hand_count']}" + (f"/{seat['stage']}" if seat["stage"] else "")
        for seat in view["seats"]
    )


def report(host: Player, view: Json) -> bool:
    """Print the places and what the service proves; whether all of it held."""
    names = {seat["seat"]: seat["player"]["name"] for seat in view["seats"]}
    places = ", ".join(f"{place['place']}. {names[place['seat']]}" for place in view["result"]["places"])
    print(f"  {view['result']['ended']}: {places}")
    proof = host.get(f"/games/{view['id']}/verification")
    words = {True: "holds", False: "FAILS", None: "waits"}  # a signed checkpoint comes once an hour
    checks = ", ".join(f"{check['name']} {words[check['ok']]}" for check in proof["checks"])
    print(f"  {proof['events']} events; {checks}\n  head {proof['head']}")
    return all(check["ok"] is not False for check in proof["checks"])


def main(base_url: str) -> int:
    """Both games; 0 if both verify."""
    chance = random.Random()
    print(f"Signing ten guests up at {base_url}")
    players = [Player(base_url, name) for name in NAMES]
    print("A game of four")
    whole = report(players[0], play(players[:4], {"preset": "taki_116"}, chance))
    print("A tournament of ten")
    final = play(players, {"preset": "tournament_116"}, chance)
    whole &= report(players[0], final)
    stages = players[0].get(f"/tournaments/{final['id']}")
    print(f"  {len(stages['timeline'])} stages reached on the way")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
