"""Commands that are nearly right: a legal one with one thing changed, and wild ones."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from bench.players import RandomPlayer
from games.engine.cards import COLORS, DECK, FACES
from games.engine.commands import CatchLastCard, Command, DrawCards, Leave, Pass, PlayCards, SayLastCard
from games.engine.matcher import matches
from games.engine.state import State, actives
from games.engine.templates import legal_moves

_NO_OR_ANY_COLOR = (None, *COLORS)


def should_be_accepted(state: State, command: Command, now: int) -> bool:
    """What the templates promise; leaving, which has none, is open to whoever still plays."""
    seat = getattr(command, "seat", None)
    if seat is None or state.outcome is not None:
        return False
    if isinstance(command, Leave):
        return seat in actives(state)
    return matches(legal_moves(state, seat, now), command)


def near_misses(player: RandomPlayer, state: State, now: int) -> Iterator[Command]:
    random = player.random
    seats = range(len(state.hands))
    for seat in seats:
        if moves := legal_moves(state, seat, now):
            chosen = player.choose(moves, seat)
            yield chosen
            yield replace(chosen, seat=random.choice((None, *seats)))
            if isinstance(chosen, PlayCards):
                yield from _mutated(random, chosen, state)
        yield from _plain(random, seat, len(state.hands))
        yield from _wild(random, seat, state)


def _plain(random: Random, seat: int, count: int) -> Iterator[Command]:
    yield DrawCards(seat, answer=random.random() < 0.3)
    yield Pass(seat, say_last=random.random() < 0.5, answer=random.random() < 0.5)
    yield SayLastCard(seat)
    yield CatchLastCard(seat, random.randrange(count))
    yield Leave(seat)


def _wild(random: Random, seat: int, state: State) -> Iterator[Command]:
    """Any cards in any order, of the hand or of the deck, with any fields."""
    for pool in (state.hands[seat], state.hands[seat], DECK[state.rules.deck]):
        if pool:
            cards = random.sample(list(pool), random.randint(1, min(len(pool), 4)))
            yield _with_any_fields(random, PlayCards(seat, bytes(cards)))


def _with_any_fields(random: Random, play: PlayCards) -> PlayCards:
    return replace(
        play,
        color=random.choice(_NO_OR_ANY_COLOR) if random.random() < 0.3 else play.color,
        run_color=random.choice(_NO_OR_ANY_COLOR) if random.random() < 0.3 else play.run_color,
        close=random.random() < 0.5,
        answer=random.random() < 0.2,
    )


def _mutated(random: Random, play: PlayCards, state: State) -> Iterator[PlayCards]:
    """One thing changed in a legal play."""
    cards = list(play.cards)
    hand = list(state.hands[play.seat or 0])
    shuffled = random.sample(cards, len(cards))
    at = random.randrange(len(cards) + 1)
    yield replace(play, cards=bytes(shuffled))
    yield replace(play, cards=bytes([cards[0], *random.sample(cards[1:], len(cards) - 1)]))
    if len(cards) > 1:
        left_out = random.randrange(len(cards))
        yield replace(play, cards=bytes(cards[:left_out] + cards[left_out + 1 :]))
    for extra in (random.choice(hand), random.choice(FACES)):
        yield replace(play, cards=bytes([*cards[:at], extra, *cards[at:]]))
    yield replace(play, close=not play.close)
    yield replace(play, answer=not play.answer)
    yield replace(play, color=random.choice(_NO_OR_ANY_COLOR))
    yield replace(play, run_color=random.choice(_NO_OR_ANY_COLOR))
    yield _with_any_fields(random, play)
