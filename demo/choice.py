"""How the players choose: among the legal moves the service offers, the one that sheds most; wild cards are kept."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from demo.client import Json

COLORS: Final = ("red", "yellow", "green", "blue")
_KEPT: Final = {"king": 0.4, "change-color": 0.5, "super-taki": 0.7, "breaker": -0.5}
"""What these are worth before the hand is nearly empty; any other card is worth one, a draw nothing."""
_BEFORE_A_DRAW: Final = 0.1


def command_for(view: Json, chance: random.Random) -> Json:
    """A command that fits one of the legal moves in a player's view."""
    hand: Sequence[str] = view["you"]["hand"]
    move = max(view["legal_moves"], key=lambda move: (_worth(move, hand), chance.random()))
    if move["type"] != "play":
        return {name: move[name] for name in ("type", "target", "answer") if name in move}
    return _play(move, hand)


def _worth(move: Json, hand: Sequence[str]) -> float:
    """About how many cards nearer to the end it brings."""
    if move["type"] != "play":
        return {"draw": 0.0, "pass": _BEFORE_A_DRAW, "say_last": 0.2}.get(move["type"], _BEFORE_A_DRAW)
    shed = 1 + len(move.get("run", {}).get("cards", ()))
    if shed == len(hand) or move.get("answer"):
        return 100.0
    if shed > 1:
        return shed
    color = move["card"].partition("-")[0]
    follow = sum(card.startswith(f"{color}-") for card in hand) if color in COLORS else 0
    return _KEPT.get(move["card"], 1.0) + 0.03 * follow


def _play(move: Json, hand: Sequence[str]) -> Json:
    """A run is played as long as possible, its TAKIs first, and closed where that is allowed."""
    needs = move.get("needs", ())
    command: Json = {"type": "play", "cards": [move["card"]], "say_last": True, "answer": move.get("answer", False)}
    if run := move.get("run"):
        command["cards"] += sorted(run["cards"], key=lambda card: not card.endswith("taki"))
        command["close"] = not command["cards"][-1].endswith("taki")
        if "run_color" in needs:
            command["run_color"] = run["color"]
    if "color" in needs:
        counted = Counter(card.partition("-")[0] for card in hand)
        command["color"] = max(COLORS, key=lambda color: counted[color])
    return command
