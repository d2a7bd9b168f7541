"""No view tells of a hidden card: `python -m bench.hidden --views 1000000 [--seed 1] [--processes 2]`.

Tables of random games over all options are taken as they are and as twins, which differ only in what a viewer must not
know: the cards in other hands and in the pile, who is awaited in a window, who has passed. Every view and every refusal
(code, parameters, legal moves) of that viewer must be the same to the byte.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from multiprocessing import Pool
from random import Random
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.players import RandomPlayer
from bench.playouts import next_command
from bench.tables import RandomChance, random_deal, random_rules, random_table
from games.engine.cards import Color, enc_hook
from games.engine.commands import CatchLastCard, Command, DrawCards, Pass, PlayCards, SayLastCard
from games.engine.decide import decide
from games.engine.refusals import Refusal
from games.engine.state import State, Window
from games.engine.templates import legal_moves
from games.engine.visibility import Moment, Viewer, view_for

STEPS: Final = 60
CHUNK: Final = 5_000
_NOW: Final = 90_000


class Found(Struct, frozen=True):
    """What one run compared, and the first difference it met (None: there is none)."""

    views: int
    refusals: int
    leak: str | None


def _hook(value: object) -> object:
    return value.ms if isinstance(value, Moment) else enc_hook(value)


_encode: Final = msgspec.json.Encoder(enc_hook=_hook).encode


def twin(state: State, seat: int | None, random: Random) -> State:
    """Deal what `seat` (None: a spectator) must not know otherwise; all counts stay."""
    others = [other for other in range(len(state.hands)) if other != seat]
    pool = [face for other in others for face in state.hands[other]] + list(state.draw_pile)
    random.shuffle(pool)
    ends = [0, *accumulate(len(state.hands[other]) for other in others)]
    hands = list(state.hands)
    for place, other in enumerate(others):
        hands[other] = bytes(pool[ends[place] : ends[place + 1]])
    answered = _hidden_mask(random, state.tally.answered, seat)
    return replace(
        state,
        hands=tuple(hands),
        draw_pile=bytes(pool[ends[-1] :]),
        window=_asked_otherwise(random, state.window, seat),
        tally=replace(state.tally, answered=answered),
    )


def _hidden_mask(random: Random, mask: int, seat: int | None) -> int:
    own = 0 if seat is None else 1 << seat
    return (random.getrandbits(10) & ~own) | (mask & own)


def _asked_otherwise(random: Random, window: Window | None, seat: int | None) -> Window | None:
    return window and replace(window, awaited=_hidden_mask(random, window.awaited, seat))


def seen(state: State, seat: int | None) -> bytes:
    """Give the view of a seat as it goes out."""
    return _encode(view_for(state, Viewer(seat), _NOW))


def refused(state: State, command: Command, chance: RandomChance) -> bytes:
    """Give what a refusal of this command tells its seat; nothing where it is accepted."""
    try:
        decide(state, command, chance, _NOW)
    except Refusal as refusal:
        moves = legal_moves(state, command.seat, _NOW) if isinstance(command, PlayCards) and command.seat else []
        return _encode((refusal.code, refusal.params, moves))
    return b""


def any_command(random: Random, state: State, seat: int) -> Command:
    """Give a command of this seat, mostly one that is refused."""
    luck = random.randrange(6)
    hand = state.hands[seat]
    if luck == 0 or not hand:
        return random.choice((DrawCards(seat, answer=luck > 0), Pass(seat), SayLastCard(seat)))
    if luck == 1:
        return CatchLastCard(seat, random.randrange(len(state.hands)))
    cards = bytes(random.sample(hand, min(len(hand), random.randint(1, 3))))
    color = random.choice((None, None, Color.RED))
    return PlayCards(seat, cards, color, close=random.random() < 0.5, answer=random.random() < 0.2)


def tables(random: Random) -> Iterator[State]:
    """Give tables of random games without end: dealt ones played on, and ones from the middle of a game."""
    while True:
        rules = random_rules(random)
        state = random_deal(random, rules).state if random.random() < 0.5 else random_table(random, rules)
        player, chance = RandomPlayer(random.getrandbits(32)), RandomChance(random.getrandbits(32))
        for step in range(STEPS):
            if state.outcome is not None:
                break
            yield state
            state = decide(state, next_command(player, state, step), chance, step).state


def compare(views: int, seed: int) -> Found:
    """Compare so many views, and a refusal with each; stops at the first difference."""
    random = Random(seed)
    compared = refusals = 0
    chance = RandomChance(seed)
    for state in tables(random):
        for seat in (None, *range(len(state.hands))):
            if compared >= views:
                return Found(compared, refusals, None)
            other = twin(state, seat, random)
            compared += 1
            if seen(state, seat) != seen(other, seat):
                return Found(compared, refusals, f"seed {seed}: a view of seat {seat}: {seen(state, seat).decode()}")
            if seat is None:
                continue
            command = any_command(random, state, seat)
            told = refused(state, command, chance)
            refusals += bool(told)
            if told != refused(other, command, chance):
                return Found(compared, refusals, f"seed {seed}: a refusal of {command}: {told.decode()}")
    raise AssertionError("tables never end")


def _chunk(asked: tuple[int, int]) -> Found:
    return compare(*asked)


def run(views: int, seed: int, processes: int) -> Found:
    """Compare in several processes, with progress."""
    chunks = [(min(CHUNK, views - at), seed + number) for number, at in enumerate(range(0, views, CHUNK))]
    done = refusals = 0
    begun = spoken = time.monotonic()
    with Pool(processes) as pool:
        for found in pool.imap_unordered(_chunk, chunks):
            done, refusals = done + found.views, refusals + found.refusals
            if found.leak:
                return Found(done, refusals, found.leak)
            if time.monotonic() - spoken > 5:
                spoken = time.monotonic()
                print(f"{done:,} of {views:,} views, {done / (spoken - begun):,.0f} a second", flush=True)
    return Found(done, refusals, None)


def main(arguments: Sequence[str]) -> int:
    """Print what was compared; status 1 if anything hidden showed."""
    parser = argparse.ArgumentParser(prog="python -m bench.hidden", description=__doc__)
    parser.add_argument("--views", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    begun = time.monotonic()
    found = run(asked.views, asked.seed, asked.processes)
    seconds = time.monotonic() - begun
    print(f"{found.views:,} views and {found.refusals:,} refusals compared in {seconds:.0f} s: ", end="")
    print("nothing hidden shows" if found.leak is None else f"A LEAK: {found.leak}")
    return 0 if found.leak is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
