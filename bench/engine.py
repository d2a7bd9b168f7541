"""How fast the engine is on one core: `python -m bench.engine [--moves 100000] [--seats 4] [--options all]`.

Times are processor time of this process; work is cut into pieces, and each piece counts at the best of a few rounds, so
that other work on the machine disturbs little.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from time import process_time
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import Struct

from bench.players import RandomPlayer, mover
from bench.tables import RandomChance, random_deal, random_rules
from eventlog.codec import Encoded
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

_ROUNDS: Final = 5
_PIECE: Final = 1_000
_GAMES_FOLDED: Final = 40
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
    rounds = [_played(asked) for _ in range(_ROUNDS)]
    spent: float = sum(min(times) for times in zip(*rounds, strict=True))
    return asked.moves / spent


def _played(asked: Asked) -> list[float]:
    """Play so many moves of the same games as ever and give the seconds that each piece of them took."""
    player, chance = RandomPlayer(7), RandomChance(7)
    times: list[float] = []
    played = 0
    begun = process_time()
    for state, _ in games(asked):
        table = state
        while table.outcome is None:
            seat = mover(table)
            table = decide(table, player.choose(legal_moves(table, seat, _NOW), seat), chance, _NOW).state
            played += 1
            if played % _PIECE == 0 or played == asked.moves:
                now = process_time()
                times.append(now - begun)
                begun = now
            if played == asked.moves:
                return times
    raise AssertionError("games are dealt without end")


def pieces(asked: Asked) -> Iterator[list[Move]]:
    """Play the same games once more and give the moves, piece by piece: few are held at a time, as in play."""
    player, chance = RandomPlayer(7), RandomChance(7)
    moves: list[Move] = []
    left = asked.moves
    for dealt, _ in games(asked):
        state = dealt
        while state.outcome is None:
            seat = mover(state)
            offered = legal_moves(state, seat, _NOW)
            command = player.choose(offered, seat)
            decision = decide(state, command, chance, _NOW)
            moves.append(Move(state, seat, offered, command, decision.events))
            state = decision.state
            if len(moves) == min(_PIECE, left):
                yield moves
                left -= len(moves)
                moves = []
                if not left:
                    return


def logs(asked: Asked) -> list[list[Event]]:
    """Give the events of some whole games, from the start on."""
    player, chance = RandomPlayer(7), RandomChance(7)
    found = []
    for dealt, events in islice(games(asked), _GAMES_FOLDED):
        state, log = dealt, list(events)
        while state.outcome is None:
            seat = mover(state)
            decision = decide(state, player.choose(legal_moves(state, seat, _NOW), seat), chance, _NOW)
            state = decision.state
            log += decision.events
        found.append(log)
    return found


T = TypeVar("T")


def seconds(work: Callable[[Sequence[T]], object], items: Sequence[T]) -> float:
    """Time a piece of work: the best of a few rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        begun = process_time()
        work(items)
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
    """Time each part of a move on its own over recorded moves; seconds in all."""
    chance, player = RandomChance(7), RandomPlayer(7)
    viewers = [Viewer(seat) for seat in range(10)]
    views = [view_for(move.before, viewers[move.seat], _NOW) for move in moves]
    encode = msgspec.json.Encoder(enc_hook=_view_hook).encode
    packed = [(pack(move.before), move.before.rules) for move in moves]
    times = {
        "legal moves": seconds(lambda piece: [legal_moves(m.before, m.seat, _NOW) for m in piece], moves),
        "choice (random)": seconds(lambda piece: [player.choose(m.offered, m.seat) for m in piece], moves),
        "both": seconds(lambda piece: [decide(m.before, m.command, chance, _NOW) for m in piece], moves),
        "evolve": seconds(_evolve_all, moves),
        "encode events": seconds(_encode_all, moves),
        "pack": seconds(lambda piece: [pack(m.before) for m in piece], moves),
        "unpack": seconds(lambda piece: [unpack(state, rules) for state, rules in piece], packed),
        "view": seconds(lambda piece: [view_for(m.before, viewers[m.seat], _NOW) for m in piece], moves),
        "encode view": seconds(lambda piece: [encode(view) for view in piece], views),
        "redact events": seconds(_redact_all, moves),
    }
    times["decide"] = times.pop("both") - times["evolve"]
    times["view"] -= times["legal moves"]
    return times


# --- extremes and folding ------------------------------------------------------------------------


def slowest_in_play(moves: Sequence[Move]) -> float:
    """Find the slowest legal-move computation of recorded ones, each at its best of a few tries; seconds."""
    worst = sorted(moves, key=_timed, reverse=True)[:20]
    return max(min(_timed(move) for _ in range(_ROUNDS)) for move in worst)


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
    return len(hand), seconds(lambda states: legal_moves(states[0], 0, _NOW), [state])


def fold_rates(games_played: Sequence[Sequence[Event]]) -> tuple[float, float]:
    """Fold whole games; events a second from event objects, and from the bytes that the log keeps."""
    objects = stored = 0.0
    for log in games_played:
        objects += seconds(lambda events: fold((event, _NOW) for event in events), log)
        stored += seconds(_fold_stored, [CODEC.encode(event) for event in log])
    count = sum(map(len, games_played))
    return count / objects, count / stored


def _fold_stored(log: Sequence[Encoded]) -> None:
    fold((cast("Event", CODEC.decode(one.kind, one.kind_version, one.payload)), _NOW) for one in log)


# --- the table -----------------------------------------------------------------------------------


def _print_parts(found: Mapping[str, float], count: int) -> None:
    whole = found["legal moves"] + found["decide"] + found["evolve"]
    print(f"\n{'part of a move':<20}{'microseconds':>14}{'share':>8}")
    for name in ("legal moves", "decide", "evolve"):
        print(f"{name:<20}{found[name] / count * 1e6:>14.2f}{found[name] / whole:>8.0%}")
    print(f"{'a whole move':<20}{whole / count * 1e6:>14.2f}{1:>8.0%}   {count / whole:,.0f} a second")
    for name in ("choice (random)", "encode events", "pack", "unpack", "view", "encode view", "redact events"):
        print(f"{name:<20}{found[name] / count * 1e6:>14.2f}")


def report(asked: Asked) -> None:
    """Measure and print."""
    rate = whole_moves(asked)
    found: Counter[str] = Counter()
    slowest, events = 0.0, 0
    for moves in pieces(asked):
        gc.freeze()
        found.update(parts(moves))
        slowest = max(slowest, slowest_in_play(moves))
        events += sum(len(move.events) for move in moves)
        gc.unfreeze()
    rules = "all options" if asked.every_option else "default options"
    print(f"{asked.moves} random moves, {asked.seats} players, {rules}, {events} events")
    print(f"random playouts, choice included: {rate:,.0f} moves a second")
    _print_parts(found, asked.moves)
    objects, stored = fold_rates(logs(asked))
    print(f"\nfold: {objects:,.0f} events a second from objects, {stored:,.0f} from stored bytes")
    cards, built = slowest_built()
    print(f"slowest legal moves: {slowest * 1e6:.0f} microseconds in play, ", end="")
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
