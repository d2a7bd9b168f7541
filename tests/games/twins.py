"""Two games that differ only in cards a viewer cannot see: played alike, they must look alike to that viewer."""

from __future__ import annotations

import random
from collections.abc import Iterable
from uuid import UUID

import msgspec
from django.db import transaction
from msgspec import Struct
from msgspec.structs import replace

from eventlog import store
from eventlog.records import Cause
from games import tables
from games.api import requests
from games.engine.cards import DECK
from games.engine.commands import Command
from games.engine.decide import decide
from games.engine.events import CardsDrawn, CardsPlayed, Event, HandDealt, LeadTurned
from games.engine.opening import Seating, start
from games.engine.ruleset import Ruleset, ruleset_from
from games.engine.state import State
from games.engine.templates import legal_moves
from games.log import new_event
from games.services.actors import Actor, stamp
from games.services.commit import progress, write
from tests.games.people import Json, Person, command_for, seated

# With these options no command of anyone depends on a card that others cannot see.
OPTIONS: Json = {
    "turn_timeout_seconds": 0,
    "first_player": "seat_zero",
    "taki_run_length": "any",
    "plus_must_play": False,
    "plus3_window": "all_players",
    "plus3_window_seconds": 3600,
}


class FixedChance:
    """Deals from a given deck and never shuffles again."""

    def __init__(self, deck: bytes) -> None:
        self.deck = deck

    def shuffle(self, number: int, cards: bytes) -> bytes:
        assert number == 0, "these games are too short for a reshuffle"
        return self.deck

    def pick(self, count: int) -> int:
        return 0


class Plan(Struct, frozen=True):
    """A deck, another that differs in cards hidden from seat `viewer`, and the moves that both games make.

    `hidden` are the places of the deck whose cards the viewer never came to see.
    """

    deck: bytes
    twin: bytes
    moves: tuple[tuple[int, Json], ...]
    viewer: int
    hidden: tuple[int, ...]


def seating(players: tuple[UUID, ...]) -> Seating:
    nobody = (None,) * len(players)
    return Seating(players=players, client_seeds=nobody, birth_years=nobody, commitment="", preset="taki_116")


def plan(number: int, seats: int, length: int, options: Json) -> Plan:
    """Play a game without a service, then swap cards that the viewer never came to see."""
    chance = random.Random(number)
    rules = ruleset_from(options)
    deck = bytearray(DECK[rules.deck])
    chance.shuffle(deck)
    viewer = chance.randrange(seats)
    whereabouts = Whereabouts(seats)
    players = tuple(UUID(int=seat) for seat in range(seats))
    dealt = start(rules, seating(players), FixedChance(bytes(deck)), 0)
    whereabouts.follow(dealt.events)
    state = dealt.state
    moves: list[tuple[int, Json]] = []
    while len(moves) < length and state.outcome is None and len(state.draw_pile) > 40:
        seat, body = _choice(state, chance)
        decision = decide(state, replace(command_of(body), seat=seat), FixedChance(b""), 0)
        whereabouts.follow(decision.events)
        state = decision.state
        moves.append((seat, body))
    hidden = whereabouts.hidden_from(viewer, len(deck))
    mixed = list(hidden)
    chance.shuffle(mixed)
    twin = bytearray(deck)
    for place, other in zip(hidden, mixed, strict=True):
        twin[place] = deck[other]
    return Plan(bytes(deck), bytes(twin), tuple(moves), viewer, tuple(hidden))


def _choice(state: State, chance: random.Random) -> tuple[int, Json]:
    seats = [seat for seat in range(len(state.hands)) if legal_moves(state, seat, 0)]
    seat = chance.choice(seats)
    template = chance.choice(msgspec.to_builtins(legal_moves(state, seat, 0)))
    return seat, command_for(template, chance)


def command_of(body: Json) -> Command:
    return requests.command_of(msgspec.convert(body, requests.MOVE_BODY))


class Whereabouts:
    """Where each place of the deck has gone."""

    def __init__(self, seats: int) -> None:
        self.hands: list[list[tuple[int, int]]] = [[] for _ in range(seats)]
        self.next = 0

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, HandDealt):
                places = range(event.seat, len(self.hands) * len(event.cards), len(self.hands))
                self.hands[event.seat] = list(zip(event.cards, places, strict=True))
                self.next = len(self.hands) * len(event.cards)
            elif isinstance(event, LeadTurned):
                # Cards that were turned and put under the pile are known to all: they come last and stay untouched.
                self.next += 1 + len(event.returned)
            elif isinstance(event, CardsDrawn):
                self.hands[event.seat] += [(face, self.next + at) for at, face in enumerate(event.cards)]
                self.next += len(event.cards)
            elif isinstance(event, CardsPlayed):
                hand = self.hands[event.seat]
                for face in event.cards:
                    hand.remove(next(held for held in hand if held[0] == face))

    def hidden_from(self, viewer: int, size: int) -> list[int]:
        in_hands = [place for seat, hand in enumerate(self.hands) if seat != viewer for _, place in hand]
        return sorted([*in_hands, *range(self.next, size)])


def deal(players: list[Person], deck: bytes, rules: Ruleset, options: Json) -> str:
    """A game of these players, opened over HTTP and dealt from this deck."""
    game = seated(players, ruleset={"options": options})
    with transaction.atomic(), store.cursor() as raw:
        table = tables.read(raw, UUID(game))
        assert table is not None
        facts = seating(tuple(player.id for player in table.players))
        dealt = start(rules, replace(facts, commitment=table.commitment.hex()), FixedChance(deck), table.now)
        events = tuple(new_event(event, Cause.HOST) for event in dealt.events)
        host = Actor(table.host, "", "human", "-")
        assert write(raw, table, progress(dealt.state, events), stamp(host, Cause.HOST, table.now))
    return game
