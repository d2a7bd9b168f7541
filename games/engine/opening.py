"""The start of a game: shuffle, deal, opening lead, first player (B17 to B20, 1.1 to 2.1, 22.18)."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from msgspec import Struct

from games.engine.cards import CODE, COLOR, DECK, LEAD_OF_FACE, SUPER_TAKI, SYMBOL, Cards, Color, Symbol, lead_of
from games.engine.decide import Decision
from games.engine.draft import Chance
from games.engine.effects import CARDS_ADDED
from games.engine.events import DeckShuffled, Event, GameStarted, HandDealt, LeadTurned
from games.engine.evolve import fold
from games.engine.ruleset import RULESET_VERSION, FirstPlayer, OpeningColorless, OpeningLead, Ruleset

_NUMBER_FACES: Final = range(32)


class Seating(Struct, frozen=True):
    """Who sits where; tuples by seat. `birth_years` serve "the youngest goes first" alone (B20)."""

    players: tuple[UUID, ...]
    client_seeds: tuple[str | None, ...]
    birth_years: tuple[int | None, ...]
    commitment: str
    preset: str


def start(rules: Ruleset, seating: Seating, chance: Chance, now: int, first: int | None = None) -> Decision:
    """Deal a game at `now` (ms). `first` fixes the first player instead of the rules."""
    pack = chance.shuffle(0, DECK[rules.deck])
    seats = len(seating.players)
    dealt = rules.dealt()
    hands = [Cards(pack[seat : seats * dealt : seats]) for seat in range(seats)]
    turned = turn_lead(rules, pack[seats * dealt :])
    drawn = first is None and draws_first(rules, seating.birth_years)
    if first is None:
        first = first_player(rules, seating.birth_years, chance)
    lead_turned = open_lead(rules, turned, first, seats)
    events: tuple[Event, ...] = (
        GameStarted(
            players=seating.players,
            client_seeds=seating.client_seeds,
            first=first,
            drawn=drawn,
            preset=seating.preset,
            ruleset=rules,
            ruleset_version=RULESET_VERSION,
            commitment=seating.commitment,
        ),
        DeckShuffled(cards=Cards(pack)),
        *(HandDealt(seat=seat, cards=hand) for seat, hand in enumerate(hands)),
        lead_turned,
    )
    state = fold((event, now) for event in events)
    if state is None:
        raise ValueError("a started game has a table")
    return Decision(state, events)


def deal_again(started: GameStarted, chance: Chance, now: int) -> tuple[Event, ...]:
    """Give the events that a recorded start must have led to; who is youngest no log tells, so it is believed (2.1)."""
    seating = Seating(
        players=started.players,
        client_seeds=started.client_seeds,
        birth_years=(None,) * len(started.players),
        commitment=started.commitment,
        preset=started.preset,
    )
    youngest = started.ruleset.first_player is FirstPlayer.YOUNGEST and not started.drawn
    return start(started.ruleset, seating, chance, now, started.first if youngest else None).events


def draws_first(rules: Ruleset, birth_years: tuple[int | None, ...]) -> bool:
    """Tell whether the first player is drawn: where the rules say so, or an age is unknown (2.1)."""
    by_age = rules.first_player is FirstPlayer.YOUNGEST
    return rules.first_player is FirstPlayer.RANDOM or (by_age and None in birth_years)


def first_player(rules: Ruleset, birth_years: tuple[int | None, ...], chance: Chance) -> int:
    """Choose the first player: the youngest if all ages are known, equal ages by lower seat (2.1)."""
    if draws_first(rules, birth_years):
        return chance.pick(len(birth_years))
    if rules.first_player is FirstPlayer.SEAT_ZERO:
        return 0
    known = [year for year in birth_years if year is not None]
    return known.index(max(known))


def turn_lead(rules: Ruleset, pile: bytes) -> bytes:
    """Give the cards that come off the pile until one stays as lead, which is the last of them (1.1 to 1.3, 22.34)."""
    size = len(pile)
    numbers_only = rules.opening_lead is OpeningLead.NUMBER_ONLY
    free = rules.opening_colorless is OpeningColorless.FREE_FIRST_PLAY
    for count in range(1, 2 * size + 1):
        face = pile[(count - 1) % size]
        if face in _NUMBER_FACES:
            break
        if numbers_only and count <= size:
            continue
        if face < SUPER_TAKI or (free and not numbers_only):
            break
    return bytes(pile[k % size] for k in range(count))


def open_lead(rules: Ruleset, turned: bytes, first: int, seats: int) -> LeadTurned:
    """Give the opening lead and what it does (1.1, 1.4, 22.35)."""
    face = turned[-1]
    lead = LEAD_OF_FACE[face] if COLOR[face] else lead_of(Color.ANY, SYMBOL[face])
    symbol = SYMBOL[face] if rules.opening_lead is OpeningLead.APPLY_ACTION and COLOR[face] else None
    return LeadTurned(
        card=CODE[face],
        lead=lead,
        turn=(first + 1) % seats if symbol is Symbol.STOP else first,
        returned=Cards(turned[:-1]),
        plus2=CARDS_ADDED if symbol is Symbol.PLUS2 else 0,
        direction=-1 if symbol is Symbol.REVERSE else 1,
    )
