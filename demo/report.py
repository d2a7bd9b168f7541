"""What comes out at the end: places, figures, what the service proves, and where to look."""

from __future__ import annotations

import sys
from pathlib import Path

from demo.client import Json
from demo.match import Match
from demo.words import standing


def report(match: Match, view: Json, folder: Path) -> bool:
    """Print it and keep the record; whether no proof failed."""
    client = match.host.client
    proof = client.get(f"/games/{match.game}/verification")
    checks = ", ".join(f"{check['name']} {_word(check['ok'])}" for check in proof["checks"])
    kept = folder / f"{view['mode']}.ndjson"
    kept.write_bytes(client.fetch(f"/games/{match.game}/record").body)
    _line("Places", _places(view))
    _line("Figures", f"{proof['events']} events, {match.progress.moves} moves, {_rate(match)} moves a second")
    _line("Clock", match.silence.value)
    _line("Proof", f"{checks} (head {proof['head'][:16]}…)")
    _line("Record", f"{client.base_url}/api/v1/games/{match.game}/record (with a token)")
    _line("", f"kept: {_short(Path(sys.executable))} -m games.engine.replay {_short(kept)}")
    if view["mode"] == "tournament":
        _line("Chart", f"{client.base_url}/tournaments/{match.game}/stages.svg")
        chart = folder / "stages.svg"
        chart.write_bytes(client.fetch(f"/tournaments/{match.game}/stages.svg").body)
        _line("", f"kept: {_short(chart)}")
    return bool(proof["ok"])


def _short(path: Path) -> str:
    """The path as one types it here."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _line(name: str, text: str) -> None:
    print(f"  {name:<8}{text}", flush=True)


def _word(holds: bool | None) -> str:  # noqa: FBT001 (as the service says it)
    return {True: "holds", False: "FAILS", None: "waits"}[holds]


def _rate(match: Match) -> str:
    return f"{match.progress.moves / match.progress.seconds:.0f}" if match.progress.seconds else "0"


def _places(view: Json) -> str:
    seats = {seat["seat"]: seat for seat in view["seats"]}
    ranked = [
        f"{place['place']}. {seats[place['seat']]['player']['name']} ({standing(seats[place['seat']])})"
        for place in view["result"]["places"]
    ]
    return f"{view['result']['ended']}: " + ", ".join(ranked)
