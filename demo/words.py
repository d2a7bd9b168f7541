"""What happened, in words: a line for each command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from demo.client import Json

_SYMBOLS: Final = {
    "stop": "Stop",
    "plus2": "+2",
    "reverse": "Change Direction",
    "plus": "Plus",
    "taki": "TAKI",
    "super-taki": "Super TAKI",
    "king": "King",
    "plus3": "+3",
    "breaker": "+3 Breaker",
    "change-color": "Change Color",
}
_DRAWN: Final = {
    "plus2": " for a +2",
    "plus3": " for a +3",
    "breaker": " for a Breaker",
    "plus": " for a Plus",
    "king": " for a King",
    "last_card_penalty": " for a missed call",
}


def card(code: str) -> str:
    """The name of a card: `red-5` is "red 5"."""
    if code in _SYMBOLS:
        return _SYMBOLS[code]
    color, _, symbol = code.partition("-")
    return f"{color} {_SYMBOLS.get(symbol, symbol)}"


def _played(data: Json) -> str:
    return "plays " + ", ".join(map(card, data["cards"]))


def _drawn(data: Json) -> str:
    count, reason = data["count"], data["reason"]
    if reason == "stage":
        return f"takes {count} for the next stage"
    return f"draws {count or 'nothing'}{_DRAWN.get(reason, '')}"


def _cleared(data: Json) -> str:
    return f"clears stage {data['cleared']}" if data["reached"] else "is through"


_CLAUSES: Final[dict[str, Callable[[Json], str]]] = {
    "cards_played": _played,
    "cards_drawn": _drawn,
    "stage_cleared": _cleared,
    "taki_closed": lambda _: "closes the run",
    "last_card_said": lambda _: "says “last card”",
    "plus3_answered": lambda data: {"breaker": "breaks the +3", "king": "cancels the +3"}.get(
        data.get("answer", ""), ""
    ),
    "turn_timed_out": lambda data: f"is silent too long (strike {data['strikes']})",
    "player_left": lambda _: "is out",
}


def told(events: Iterable[Json], names: Sequence[str]) -> list[str]:
    """The lines for the events of a command; what the clock did first stands in a line of its own."""
    lines = []
    for cause, caused in groupby(events, key=lambda event: event["cause"]):
        clauses = [(event["seat"], _clause(event)) for event in caused]
        parts = [
            f"{names[seat]} {', '.join(clause for _, clause in group)}"
            for seat, group in groupby((pair for pair in clauses if pair[1]), key=lambda pair: pair[0])
        ]
        if parts:
            lines.append(("the clock: " if cause == "clock" else "") + "; ".join(parts))
    return lines


def _clause(event: Json) -> str:
    says = _CLAUSES.get(event["kind"])
    return "" if says is None or event["seat"] is None else says(event["data"])


def standing(seat: Json) -> str:
    """How far a player is."""
    count = seat["hand_count"]
    cards = f"{count} {'card' if count == 1 else 'cards'}"
    if seat["status"] == "left":
        return "out"
    if seat["stage"] == 0:
        return "through"
    return cards if seat["stage"] is None else f"stage {seat['stage']}, {cards}"
