"""Deadlines: which is settled, which an outage moves, and what counts from when (15.2, 15.3, 10.3, 22.14)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given

from bench.tables import RandomChance, random_position, random_rules
from games.engine.clock import ALWAYS_UP, Downtime, Outage, deadline_of, due, settle_due
from games.engine.commands import PlayCards
from games.engine.decide import decide
from games.engine.events import CallTimedOut, ClockExtended, Policy, TurnTimedOut
from games.engine.position import read_position
from games.engine.redecide import clock_again
from games.engine.ruleset import Ruleset
from games.engine.state import State
from tests.games.engine.strategies import seeds

RULES = Ruleset(turn_timeout_seconds=60)
BOTH = Ruleset(turn_timeout_seconds=60, last_card_deadline="seconds:20")
CHANCE = RandomChance(1)
LEAD: dict[str, Any] = {"discard": ["red-5"], "players": ["a", "b", "c"]}
PLAIN = LEAD | {"hands": {"a": ["red-3", "king"], "b": ["green-1", "blue-1"], "c": ["blue-3", "blue-6"]}}
OWING = LEAD | {
    "hands": {"a": ["red-3", "king"], "b": ["green-1"], "c": ["blue-3", "blue-6"]},
    "must_say": ["b"],
}


def table(position: dict[str, Any], rules: Ruleset = RULES) -> State:
    return read_position(position, rules).state


def down(*periods: tuple[int, int], known_until: int | None = None) -> Downtime:
    return Downtime(tuple(Outage(*period) for period in periods), grace_ms=30_000, known_until=known_until)


def test_nothing_is_due_before_the_deadline_and_everything_at_it() -> None:
    assert settle_due(table(PLAIN), CHANCE, 59_999) is None
    settled = settle_due(table(PLAIN), CHANCE, 60_000)
    assert settled is not None
    assert settled.events[0] == TurnTimedOut(seat=0, deadline=60_000, noticed=60_000, policy=Policy.DRAW, strikes=1)


def test_a_table_overdue_for_days_is_settled_once_and_the_next_turn_counts_from_then() -> None:
    noticed = 3 * 86_400_000
    settled = settle_due(table(PLAIN), CHANCE, noticed)
    assert settled is not None
    assert sum(isinstance(event, TurnTimedOut) for event in settled.events) == 1
    assert deadline_of(settled.state) == noticed + 60_000


def test_a_deadline_in_an_outage_moves_behind_it_without_a_strike() -> None:
    settled = settle_due(table(PLAIN), CHANCE, 80_000, down((50_000, 70_000)))
    assert settled is not None
    assert settled.events == (
        ClockExtended(extra_ms=40_000, deadline=60_000, noticed=80_000, down_from=50_000, down_until=70_000),
    )
    assert deadline_of(settled.state) == 100_000
    assert settled.state.tally.strikes == (0, 0, 0)


@pytest.mark.parametrize("period", [(60_000, 70_000), (40_000, 59_999)])
def test_a_deadline_beside_an_outage_holds(period: tuple[int, int]) -> None:
    settled = settle_due(table(PLAIN), CHANCE, 80_000, down(period))
    assert settled is not None
    assert isinstance(settled.events[0], TurnTimedOut)


def test_a_deadline_at_the_very_end_of_an_outage_is_moved() -> None:
    settled = settle_due(table(PLAIN), CHANCE, 60_000, down((50_000, 60_000)))
    assert settled is not None
    assert isinstance(settled.events[0], ClockExtended)


def test_an_outage_moves_a_deadline_once_however_often_the_clock_looks() -> None:
    known = down((50_000, 70_000))
    first = settle_due(table(PLAIN), CHANCE, 80_000, known)
    assert first is not None
    assert settle_due(first.state, CHANCE, 99_999, known) is None
    late = settle_due(first.state, CHANCE, 100_000, known)
    assert late is not None
    assert late.events[0] == TurnTimedOut(seat=0, deadline=100_000, noticed=100_000, policy=Policy.DRAW, strikes=1)


def test_a_moved_deadline_that_falls_into_the_next_outage_moves_again() -> None:
    settled = settle_due(table(PLAIN), CHANCE, 130_000, down((50_000, 70_000), (90_000, 125_000)))
    assert settled is not None
    assert [type(event) for event in settled.events] == [ClockExtended, ClockExtended]
    assert deadline_of(settled.state) == 155_000


def test_a_moved_deadline_that_has_passed_too_is_settled_in_the_same_go() -> None:
    settled = settle_due(table(PLAIN), CHANCE, 500_000, down((50_000, 70_000)))
    assert settled is not None
    assert settled.events[1] == TurnTimedOut(seat=0, deadline=100_000, noticed=500_000, policy=Policy.DRAW, strikes=1)


def test_of_two_deadlines_each_is_judged_by_the_outage_it_fell_into() -> None:
    """The call ran out before the outage, the turn during it."""
    settled = settle_due(table(OWING, BOTH), CHANCE, 80_000, down((50_000, 70_000)))
    assert settled is not None
    assert settled.events[0] == CallTimedOut(seat=1, deadline=20_000, noticed=80_000)
    assert isinstance(settled.events[-1], ClockExtended)
    assert not any(isinstance(event, TurnTimedOut) for event in settled.events)
    assert settled.state.tally.strikes == (0, 0, 0)


def test_two_deadlines_in_one_outage_move_together() -> None:
    settled = settle_due(table(OWING, BOTH), CHANCE, 80_000, down((10_000, 70_000)))
    assert settled is not None
    assert len(settled.events) == 1
    assert [one.at for one in due(settled.state)] == [100_000, 100_000]


def test_behind_what_is_known_nothing_is_due() -> None:
    assert settle_due(table(PLAIN), CHANCE, 80_000, down(known_until=59_999)) is None
    assert settle_due(table(PLAIN), CHANCE, 80_000, down(known_until=60_000)) is not None


def test_time_granted_is_for_the_clock_that_runs_alone() -> None:
    """A King played in the time granted is followed within the usual time."""
    granted = settle_due(table(PLAIN), CHANCE, 80_000, down((50_000, 70_000)))
    assert granted is not None
    decision = decide(granted.state, PlayCards(0, table(PLAIN).hands[0][1:]), CHANCE, 90_000)
    assert deadline_of(decision.state) == 150_000


def test_a_recorded_extension_is_decided_again() -> None:
    before = table(PLAIN)
    settled = settle_due(before, CHANCE, 500_000, down((50_000, 70_000)))
    assert settled is not None
    again = clock_again(before, settled.events, CHANCE, 500_000)
    assert again is not None
    assert again.events == 1
    rest = clock_again(again.state, settled.events[1:], CHANCE, 500_000)
    assert rest is not None
    assert (rest.state, rest.events) == (settled.state, len(settled.events) - 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"deadline": 60_001},
        {"down_from": 60_000},
        {"down_until": 59_999},
        {"down_until": 80_001},
        {"deadline": None},
    ],
)
def test_an_extension_that_no_outage_explains_is_found(changed: dict[str, Any]) -> None:
    told: dict[str, Any] = {"deadline": 60_000, "noticed": 80_000, "down_from": 50_000, "down_until": 70_000} | changed
    assert clock_again(table(PLAIN), [ClockExtended(extra_ms=40_000, **told)], CHANCE, 80_000) is None


@given(seeds)
def test_whatever_the_table_after_settling_nothing_is_due(seed: int) -> None:
    random = Random(seed)
    rules = random_rules(random)
    state = table(random_position(random, rules), rules)
    now = random.choice((0, 1_000, 5_000, 60_000, 10_000_000))
    periods = sorted(random.sample(range(-5_000, 200_000), 4))
    known = random.choice((ALWAYS_UP, down((periods[0], periods[1]), (periods[2], periods[3]))))
    settled = settle_due(state, RandomChance(seed), now, known)
    after = state if settled is None else settled.state
    assert not [one for one in due(after) if one.at <= now]
    assert settle_due(after, RandomChance(seed), now, known) is None
