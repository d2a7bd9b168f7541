"""What holds at every table, under every combination of options."""

from itertools import permutations
from random import Random
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.players import RandomPlayer, mover
from bench.playouts import cards_of, check_events, next_command, play
from bench.tables import RandomChance, random_deal
from games.engine.cards import COLORS
from games.engine.commands import Command, PlayCards
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset
from games.engine.state import State, pack, unpack
from games.engine.templates import legal_moves
from games.log import CODEC
from tests.games.engine.near_misses import near_misses, should_be_accepted
from tests.games.engine.strategies import players, rulesets, tables

NOW = 5_000
LARGEST_STATE = 500
NO_LUCK = RandomChance(0)


def accepted(state: State, command: Command, now: int = NOW) -> bool:
    """Whether the engine takes a command; whatever it raises but a Refusal fails the test."""
    before = pack(state)
    try:
        decide(state, command, NO_LUCK, now)
    except Refusal:
        assert pack(state) == before
        return False
    return True


def journey(state: State, player: RandomPlayer, steps: int) -> list[State]:
    """Tables on the way of a random game."""
    states = [state]
    chance = RandomChance(player.random.getrandbits(32))
    for step in range(steps):
        if state.outcome is not None:
            break
        state = decide(state, next_command(player, state, NOW + step), chance, NOW + step).state
        states.append(state)
    return states


@given(tables(), players())
def test_every_card_is_in_exactly_one_place_after_every_event(state: State, player: RandomPlayer) -> None:
    play(state, player, most_moves=60)


@given(tables(), players(), st.integers(0, 25))
def test_a_command_is_accepted_exactly_when_it_fits_a_template(state: State, player: RandomPlayer, steps: int) -> None:
    state = journey(state, player, steps)[-1]
    for command in near_misses(player, state, NOW + steps):
        assert accepted(state, command, NOW + steps) == should_be_accepted(state, command, NOW + steps), command


@settings(max_examples=25)
@given(tables(), players())
def test_of_a_small_hand_every_order_of_cards_is_judged_as_the_templates_say(
    state: State, player: RandomPlayer
) -> None:
    states = [table for table in journey(state, player, 30) if table.outcome is None]
    state = min(states, key=lambda table: (len(table.hands[mover(table)]) > 4, len(table.hands[mover(table)]) < 2))
    seat = mover(state)
    hand = state.hands[seat][:4]
    for size in range(1, len(hand) + 1):
        for cards in set(permutations(hand, size)):
            for color in (None, COLORS[0], COLORS[2]):
                for run_color in (None, *COLORS):
                    for close in (False, True):
                        command = PlayCards(seat, bytes(cards), color, run_color, close)
                        assert accepted(state, command) == should_be_accepted(state, command, NOW), command


@given(tables(), players())
def test_templates_are_unique_and_each_can_be_met(state: State, player: RandomPlayer) -> None:
    for table in journey(state, player, 15):
        for seat in range(len(table.hands)):
            moves = legal_moves(table, seat, NOW)
            assert len(set(moves)) == len(moves)
            for move in moves:
                assert accepted(table, player.choose([move], seat))


@given(tables(), players())
def test_whoever_is_waited_for_has_a_legal_move(state: State, player: RandomPlayer) -> None:
    for table in journey(state, player, 40):
        if table.outcome is None:
            assert legal_moves(table, mover(table), NOW)


@given(tables(), players())
def test_replaying_stored_events_gives_the_table(state: State, player: RandomPlayer) -> None:
    chance = RandomChance(1)
    folded: State | None = state
    for now in range(40):
        if state.outcome is not None:
            break
        decision = decide(state, next_command(player, state, now), chance, now)
        for event in decision.events:
            stored = CODEC.encode(event)
            folded = evolve(folded, cast("Event", CODEC.decode(stored.kind, stored.kind_version, stored.payload)), now)
        state = decision.state
        assert folded == state


@given(tables(), players())
def test_a_packed_table_is_small_and_comes_back_the_same(state: State, player: RandomPlayer) -> None:
    for table in journey(state, player, 40):
        packed = pack(table)
        assert len(packed) <= LARGEST_STATE
        assert unpack(packed, table.rules) == table
        assert pack(unpack(packed, table.rules)) == packed


@given(rulesets())
def test_a_fresh_deal_of_ten_is_small_when_packed(rules: Ruleset) -> None:
    assert len(pack(random_deal(Random(1), rules).state)) <= LARGEST_STATE


@given(tables(), players())
def test_a_table_keeps_its_own_promises(state: State, player: RandomPlayer) -> None:
    for table in journey(state, player, 40):
        calls, tally = table.calls, table.tally
        assert 0 <= table.lead_at < len(table.discard)
        assert all(face in (54, 55) for face in table.discard[table.lead_at + 1 :])
        assert not calls.said & calls.owes
        for seat, hand in enumerate(table.hands):
            if (calls.said | calls.owes | calls.by_play | calls.by_stage) >> seat & 1:
                assert len(hand) == 1
            assert not hand or seat not in tally.waiting
        if table.outcome is None:
            assert table.turn not in tally.left
            assert (table.window is None) or (table.window.awaited and not table.owed)
        else:
            assert (table.window, table.plus2, table.owed) == (None, 0, None)


@settings(max_examples=20)
@given(tables(), players())
def test_a_whole_random_game_ends(state: State, player: RandomPlayer) -> None:
    played = play(state, player)

    assert played.ended != "unfinished"


def test_the_events_of_a_game_lose_no_card_one_by_one() -> None:
    decision = random_deal(Random(3), Ruleset(), seats=10)
    deck = cards_of(decision.state)
    table = evolve(evolve(None, decision.events[0], 0), decision.events[1], 0)

    assert table is not None
    assert check_events(table, decision.events[2:], 0, deck) == decision.state
