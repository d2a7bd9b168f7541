"""How fast the engine is on one core: `python -m bench.engine [--moves 100000] [--seats 4] [--options all]`.

Times are processor time of this process, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import process_time
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from bench.players import RandomPlayer, mover
from bench.tables import RandomChance, random_deal, random_rules
from games.engine.cards import DECK, LEADS, enc_hook, faces_of
from games.engine.commands import Command
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.evolve import evolve, fold
from games.engine.ruleset import Ruleset, SuperTakiColor, TakiOnTaki
from games.engine.state import State, Tally, pack, unpack
from games.engine.templates import Template, legal_moves
from games.engine.visibility import Moment, Viewer, redact, view_for
from games.log import CODEC

_ROUNDS: Final = 3
_NOW: Final = 1_000_000


class Move(Struct, frozen=True, gc=False):
    """One move of a recorded game: the table before it, who moved, what was offered, what was sent, what happened."""

    before: State
    seat: int
    offered: Sequence[Template]
    command: Command
    events: tuple[Event, ...]


class Asked(Struct, frozen=True):
    """What to measure."""

    moves: int
    seats: int
    every_option: bool


def games(asked: Asked) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Deal games without end, always the same ones."""
    random = Random(1983)
    while True:
        rules = random_rules(random) if asked.every_option else Ruleset()
        decision = random_deal(random, rules, asked.seats)
        yield decision.state, decision.events


def whole_moves(asked: Asked) -> float:
    """Play random games; moves a second, everything included: legal moves, choice, decision with its events."""
    player, chance = RandomPlayer(7), RandomChance(7)
    played = 0
    begun = process_time()
    for state, _ in games(asked):
        table = state
        while table.outcome is None and played < asked.moves:
            seat = mover(table)
            table = decide(table, player.choose(legal_moves(table, seat, _NOW), seat), chance, _NOW).state
            played += 1
        if played >= asked.moves:
            break
    return played / (process_time() - begun)


def recorded(asked: Asked) -> tuple[list[Move], list[list[Event]]]:
    """Play the same games once more and keep everything: the moves, and by game the events from the start on."""
    player, chance = RandomPlayer(7), RandomChance(7)
    moves: list[Move] = []
    logs: list[list[Event]] = []
    for dealt, events in games(asked):
        state, log = dealt, list(events)
        logs.append(log)
        while state.outcome is None and len(moves) < asked.moves:
            seat = mover(state)
            offered = legal_moves(state, seat, _NOW)
            command = player.choose(offered, seat)
            decision = decide(state, command, chance, _NOW)
            moves.append(Move(state, seat, offered, command, decision.events))
            log += decision.events
            state = decision.state
        if len(moves) >= asked.moves:
            break
    return moves, logs


def seconds(work: Callable[[], object]) -> float:
    """Time a piece of work: the best of a few rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        begun = process_time()
        work()
        best = min(best, process_time() - begun)
    return best


# --- the parts -----------------------------------------------------------------------------------


def _evolve_all(moves: Sequence[Move]) -> None:
    for move in moves:
        state: State | None = move.before
        for event in move.events:
            state = evolve(state, event, _NOW)


def _encode_all(moves: Sequence[Move]) -> None:
    for move in moves:
        for event in move.events:
            CODEC.encode(event)


def _redact_all(moves: Sequence[Move]) -> None:
    for move in moves:
        viewer = Viewer(move.seat)
        for event in move.events:
            redact(event, viewer)


def _view_hook(value: object) -> object:
    return str(value.ms) if isinstance(value, Moment) else enc_hook(value)


def parts(moves: Sequence[Move]) -> dict[str, float]:
    """Time each part of a move on its own over all recorded moves; seconds in all."""
    chance, player = RandomChance(7), RandomPlayer(7)
    viewers = [Viewer(seat) for seat in range(10)]
    views = [view_for(move.before, viewers[move.seat], _NOW) for move in moves]
    encoder = msgspec.json.Encoder(enc_hook=_view_hook)
    packed = [pack(move.before) for move in moves]
    found = {
        "legal moves": seconds(lambda: [legal_moves(m.before, m.seat, _NOW) for m in moves]),
        "choice (random)": seconds(lambda: [player.choose(m.offered, m.seat) for m in moves]),
        "decide and evolve": seconds(lambda: [decide(m.before, m.command, chance, _NOW) for m in moves]),
        "evolve": seconds(lambda: _evolve_all(moves)),
        "encode events": seconds(lambda: _encode_all(moves)),
        "pack": seconds(lambda: [pack(m.before) for m in moves]),
        "unpack": seconds(lambda: [unpack(p, m.before.rules) for p, m in zip(packed, moves, strict=True)]),
        "view": seconds(lambda: [view_for(m.before, viewers[m.seat], _NOW) for m in moves]),
        "encode view": seconds(lambda: [encoder.encode(view) for view in views]),
        "redact events": seconds(lambda: _redact_all(moves)),
    }
    found["decide"] = found.pop("decide and evolve") - found["evolve"]
    found["view"] -= found["legal moves"]
    return found


# --- extremes and folding ------------------------------------------------------------------------


def slowest_in_play(moves: Sequence[Move]) -> float:
    """Find the slowest legal-move computation of all recorded ones, each at its best of a few tries; seconds."""
    once = [(_timed(move), at) for at, move in enumerate(moves)]
    worst = sorted(once, reverse=True)[:200]
    return max(min(_timed(moves[at]) for _ in range(_ROUNDS)) for _, at in worst)


def _timed(move: Move) -> float:
    begun = process_time()
    legal_moves(move.before, move.seat, _NOW)
    return process_time() - begun


def slowest_built() -> tuple[int, float]:
    """Time the worst hand that can be built: every card but a few, every choice open; cards and seconds."""
    rules = Ruleset(super_taki_color=SuperTakiColor.CHOOSE, taki_on_taki_in_run=TakiOnTaki.WHILE_ONLY_TAKIS)
    small = faces_of(["red-1", "red-3", "king"])
    hand = bytes(face for face in DECK[rules.deck] if face not in small)
    state = State(
        rules=rules,
        hands=(hand, small[:1]),
        draw_pile=b"",
        discard=small[2:],
        lead=next(lead for lead in LEADS if lead.color.value == "any" and lead.symbol.value == "king"),
        lead_at=0,
        turn=0,
        tally=Tally((0, 0)),
    )
    return len(hand), seconds(lambda: legal_moves(state, 0, _NOW))


def fold_rates(logs: Sequence[Sequence[Event]]) -> tuple[float, float]:
    """Fold whole games; events a second from event objects, and from the bytes that the log keeps."""
    count = sum(map(len, logs))
    stored = [[CODEC.encode(event) for event in log] for log in logs]

    def from_bytes() -> None:
        for log in stored:
            fold((cast("Event", CODEC.decode(one.kind, one.kind_version, one.payload)), _NOW) for one in log)

    def from_objects() -> None:
        for log in logs:
            fold((event, _NOW) for event in log)

    return count / seconds(from_objects), count / seconds(from_bytes)


# --- the table -----------------------------------------------------------------------------------


def _print_parts(found: dict[str, float], count: int) -> None:
    whole = found["legal moves"] + found["decide"] + found["evolve"]
    print(f"\n{'part of a move':<20}{'microseconds':>14}{'share':>8}")
    for name in ("legal moves", "decide", "evolve"):
        print(f"{name:<20}{found[name] / count * 1e6:>14.2f}{found[name] / whole:>8.0%}")
    print(f"{'a whole move':<20}{whole / count * 1e6:>14.2f}{1:>8.0%}   {count / whole:,.0f} a second")
    for name in ("choice (random)", "encode events", "pack", "unpack", "view", "encode view", "redact events"):
        print(f"{name:<20}{found[name] / count * 1e6:>14.2f}")


def report(asked: Asked) -> None:
    """Measure and print."""
    rate = max(whole_moves(asked) for _ in range(_ROUNDS))
    moves, logs = recorded(asked)
    events = sum(len(move.events) for move in moves)
    rules = "all options" if asked.every_option else "default options"
    print(f"{len(moves)} random moves, {asked.seats} players, {rules}, {len(logs)} games, {events} events")
    print(f"random playouts, choice included: {rate:,.0f} moves a second")
    _print_parts(parts(moves), len(moves))
    objects, stored = fold_rates(logs)
    print(f"\nfold: {objects:,.0f} events a second from objects, {stored:,.0f} from stored bytes")
    cards, built = slowest_built()
    print(f"slowest legal moves: {slowest_in_play(moves) * 1e6:.0f} microseconds in play, ", end="")
    print(f"{built * 1e6:.0f} with {cards} cards in hand and every choice open")


def main(arguments: Sequence[str]) -> int:
    """Read the command line."""
    parser: Any = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--options", choices=("default", "all"), default="default")
    given = parser.parse_args(arguments)
    report(Asked(given.moves, given.seats, given.options == "all"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
