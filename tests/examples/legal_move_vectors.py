"""Makes examples/legal_move_vectors.json: offered moves, a command, and whether the engine itself accepts it."""

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bench.players import RandomPlayer
from bench.tables import RandomChance, random_rules, random_table
from games.engine.cards import BREAKER, PLUS3, codes_of
from games.engine.commands import CatchLastCard, Command, DrawCards, Pass, PlayCards, SayLastCard
from games.engine.decide import decide
from games.engine.position import read_position
from games.engine.refusals import Refusal
from games.engine.ruleset import ruleset_from
from games.engine.state import State
from games.engine.templates import legal_moves
from tests.games.engine.near_misses import near_misses

VECTORS: Final = Path(__file__).resolve().parents[2] / "examples" / "legal_move_vectors.json"
EACH: Final = 250
NOW: Final = 60_000


def vectors() -> list[dict[str, Any]]:
    """So many accepted and so many refused commands from random tables, always the same ones."""
    random, player = Random(31), RandomPlayer(31)
    found: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    while min(map(len, found.values())) < EACH:
        state = random.choice((any_table, taki_table, king_table, asked_table))(random)
        commands = [c for c in near_misses(player, state, NOW) if getattr(c, "seat", None) is not None]
        for command in random.sample(commands, min(4, len(commands))):
            body = body_of(command)
            accepted = is_accepted(state, command)
            if body is not None and len(found[accepted]) < EACH:
                moves = msgspec.to_builtins(legal_moves(state, command.seat or 0, NOW))  # type: ignore[union-attr]
                found[accepted].append({"legal_moves": moves, "command": body, "accepted": accepted})
    return json.loads(json.dumps(found[True] + found[False]))  # type: ignore[no-any-return]


def any_table(random: Random) -> State:
    """Any rules, anything on the table."""
    return random_table(random, random_rules(random))


def placed(random: Random, options: dict[str, Any], hand: list[str], **more: Any) -> State:
    """A table of two; the one to move holds some of these cards."""
    rules = ruleset_from(options)
    hands = {"a": random.sample(hand, random.randint(3, len(hand))), "b": ["blue-1", "breaker", "green-3"]}
    return read_position({"players": ["a", "b"], "hands": hands, "discard": ["red-5"], **more}, rules).state


def taki_table(random: Random) -> State:
    """TAKIs of several colors, which one option lets follow each other (22.29)."""
    hand = ["red-taki", "yellow-taki", "super-taki", "yellow-3", "red-4", "yellow-taki", "green-taki", "change-color"]
    return placed(random, {"taki_on_taki_in_run": "while_only_takis"}, hand)


def king_table(random: Random) -> State:
    """After a King: any card, or a pass."""
    return placed(random, {}, ["blue-5", "yellow-stop", "super-taki", "green-taki", "green-9"], owed="king")


def asked_table(random: Random) -> State:
    """A +3 has been played and may be answered."""
    state = placed(random, {}, ["red-1", "blue-stop", "green-9", "yellow-3"], turn="b")
    hands = (state.hands[0], state.hands[1] + bytes((PLUS3,)))
    asked = replace(state, hands=(hands[0] + bytes((BREAKER,)), hands[1]))
    return decide(asked, PlayCards(1, bytes((PLUS3,))), RandomChance(1), NOW).state


def is_accepted(state: State, command: Command) -> bool:
    try:
        decide(state, command, RandomChance(1), NOW)
    except Refusal:
        return False
    return True


def body_of(command: Command) -> dict[str, Any] | None:
    """The command as a client sends it; None for what has no template."""
    if isinstance(command, PlayCards) and command.cards:
        return {
            "type": "play",
            "cards": codes_of(command.cards),
            "color": command.color and command.color.value,
            "run_color": command.run_color and command.run_color.value,
            "close": command.close,
            "answer": command.answer,
        }
    if isinstance(command, DrawCards):
        return {"type": "draw", "answer": command.answer}
    if isinstance(command, Pass):
        return {"type": "pass", "answer": command.answer}
    if isinstance(command, CatchLastCard):
        return {"type": "catch", "target": command.target}
    return {"type": "say_last"} if isinstance(command, SayLastCard) else None


if __name__ == "__main__":
    lines = ",\n  ".join(json.dumps(vector) for vector in vectors())
    VECTORS.write_text('{"vectors": [\n  ' + lines + "\n]}\n")
