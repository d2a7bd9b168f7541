"""Does a command fit one of the legal moves that the service offers? A command is accepted exactly when it does.

The reference matcher for client authors: plain Python, on the JSON of `legal_moves` and of `POST /games/{id}/moves`.
Test vectors: legal_move_vectors.json. The same in JavaScript: legal_moves.js.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

Json = dict[str, Any]


def matches(legal_moves: list[Json], command: Json) -> bool:
    """Tell whether the command fits one of the moves offered to its seat."""
    return any(fits(move, command) for move in legal_moves)


def fits(move: Json, command: Json) -> bool:
    """Tell whether the command fits this one."""
    if move["type"] != command["type"]:
        return False
    if move["type"] == "play":
        return _fits_play(move, command)
    if move["type"] == "catch":
        return bool(move["target"] == command["target"])
    return move["type"] == "say_last" or bool(move.get("answer")) or not command.get("answer")


def _fits_play(move: Json, command: Json) -> bool:
    first, *rest = command["cards"]
    last = command["cards"][-1]
    run = move.get("run")
    if first != move["card"] or (command.get("answer") and not move.get("answer")):
        return False
    if (command.get("color") is not None) != (last == "change-color"):
        return False
    if command.get("run_color") != (run["color"] if run and "run_color" in move.get("needs", []) else None):
        return False
    if run is None:
        return not rest
    return not (command.get("close") and last.endswith("taki")) and _fits_run(run, rest)


def _fits_run(run: Json, rest: list[str]) -> bool:
    if rest and rest[-1] in run["may_end_with"]:
        rest = rest[:-1]
    head = list(takewhile(lambda card: card.endswith("taki"), rest))
    turned = [card.split("-")[0] for card in head if card != "super-taki"]
    if all(color == run["color"] for color in turned):
        return _between(rest, run["required"], run["cards"])
    # Only with the option taki_on_taki_in_run: other TAKIs right behind the first card turn the run to their color.
    return any(
        way["color"] == turned[-1]
        and _between(rest, way["required"], way["cards"])
        and all(card == "super-taki" or card.startswith(turned[-1]) for card in rest[len(head) :])
        for way in run.get("turns_to", [])
    )


def _between(cards: Iterable[str], least: Iterable[str], most: Iterable[str]) -> bool:
    counted = Counter(cards)
    return Counter(least) <= counted <= Counter(most)
