"""Whole random games over all options, checked after every event: `python -m bench.playouts --games 2000`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct

from bench.players import RandomPlayer, mover
from bench.tables import RandomChance, random_deal, random_rules, random_table
from games.engine.cards import DECK
from games.engine.commands import Command, Leave, TimeOut
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.state import State, actives
from games.engine.templates import legal_moves

MOST_MOVES: Final = 20_000
"""Where a random game counts as one that does not end."""

_SILENT: Final = 0.01
_LEAVES: Final = 0.001
_OTHERS: Final = 0.1
_STEP_MS: Final = 700


class CardLost(AssertionError):
    """A card is missing, or there twice."""


class Played(Struct, frozen=True):
    """A game played: how it ended (`unfinished` if it did not), its moves and events."""

    ended: str
    moves: int
    events: int


def cards_of(state: State) -> bytes:
    """Give all cards of a table, in canonical order."""
    return bytes(sorted(b"".join(state.hands) + state.draw_pile + state.discard))


def next_command(player: RandomPlayer, state: State, now: int) -> Command:
    """Choose who does what: mostly a legal move of whoever is waited for, at times of others, the clock, or leaving."""
    luck = player.random.random()
    if luck < _LEAVES:
        return Leave(player.random.choice(actives(state)))
    if luck < _LEAVES + _SILENT:
        return TimeOut()
    if luck < _LEAVES + _SILENT + _OTHERS:
        seat = player.random.choice(actives(state))
        if moves := legal_moves(state, seat, now):
            return player.choose(moves, seat)
    seat = mover(state)
    return player.choose(legal_moves(state, seat, now), seat)


def check_events(before: State, events: Sequence[Event], now: int, deck: bytes) -> State:
    """Fold events one by one; after each, every card is in exactly one place."""
    state: State | None = before
    for event in events:
        state = evolve(state, event, now)
        if state is None or cards_of(state) != deck:
            raise CardLost(type(event).__name__)
    if state is None:
        raise CardLost("the whole table")
    return state


def play(state: State, player: RandomPlayer, most_moves: int = MOST_MOVES) -> Played:
    """Play on from a table until the game is over, or for so many moves, and check every event."""
    chance = RandomChance(player.random.getrandbits(32))
    deck = cards_of(state)
    moves = events = now = 0
    while state.outcome is None and moves < most_moves:
        now += _STEP_MS
        decision = decide(state, next_command(player, state, now), chance, now)
        if check_events(state, decision.events, now, deck) != decision.state:
            raise AssertionError("replaying the events gives another table")
        state = decision.state
        moves += 1
        events += len(decision.events)
    return Played(state.outcome.ended.value if state.outcome else "unfinished", moves, events)


def play_random_game(seed: int, most_moves: int = MOST_MOVES) -> Played:
    """Play one whole game under random rules: dealt, or every fifth time from the middle with few cards about."""
    random = Random(seed)
    rules = random_rules(random)
    if seed % 5 == 0:
        return play(random_table(random, rules), RandomPlayer(seed), most_moves)
    state = random_deal(random, rules).state
    if cards_of(state) != DECK[rules.deck]:
        raise CardLost("the deal")
    return play(state, RandomPlayer(seed), most_moves)


def main(arguments: Sequence[str]) -> int:
    """Play the games asked for and print how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    begun = time.perf_counter()
    games = [play_random_game(seed) for seed in range(asked.seed, asked.seed + asked.games)]
    spent = time.perf_counter() - begun
    for ended, count in Counter(game.ended for game in games).most_common():
        print(f"{ended:<12}{count:>8}")
    longest = max(game.moves for game in games)
    print(f"{len(games)} games, {sum(game.moves for game in games)} moves, {sum(game.events for game in games)} events")
    print(f"longest game {longest} moves, no card lost, {spent:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
