"""A position in the place of a deal: the event tells all of it, and whatever is accepted can be played."""

from contextlib import suppress
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.players import RandomPlayer
from bench.playouts import next_command
from bench.tables import RandomChance, random_position
from games.engine.cards import COLORS, Color, Symbol
from games.engine.decide import decide
from games.engine.events import Event, GameStarted, PositionSet
from games.engine.evolve import fold
from games.engine.opening import Seating
from games.engine.placing import place, position_set
from games.engine.position import read_position
from games.engine.position_values import PositionFault
from games.engine.refusals import Refusal
from games.engine.ruleset import PlayDrawnCard, Ruleset
from games.engine.state import Owed, State, pack, unpack
from games.engine.templates import legal_moves
from games.engine.visibility import ALL_SEEING, SPECTATOR, Viewer, view_for
from games.log import CODEC
from tests.games.engine.strategies import rulesets, seeds

NOW = 70_000
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["red-5", "king", "a"]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "color", "symbol"]), part),
    max_leaves=6,
)
FIELDS = (
    "players", "hands", "discard", "lead", "lead_index", "draw_pile", "turn", "direction", "plus2", "open_taki", "owed",
    "must_say", "declared", "stages",
)  # fmt: skip
TWO: dict[str, Any] = {"players": ["a", "b"], "hands": {"a": ["red-3"], "b": ["king"]}, "discard": ["red-5"]}


def seating(seats: int) -> Seating:
    nobody = (None,) * seats
    players = tuple(UUID(int=seat + 1) for seat in range(seats))
    return Seating(players=players, client_seeds=nobody, birth_years=nobody, commitment="0" * 64, preset="taki_116")


def wild_position(random: Random, rules: Ruleset) -> dict[str, Any]:
    """Fields that need not go together: only what is refused is impossible."""
    position = random_position(random, rules)
    wild: dict[str, Any] = {
        "plus2": 2 * random.choice((0, 1, 3, 116)),
        "open_taki": random.choice((None, *(color.value for color in COLORS))),
        "owed": random.choice((None, *(owed.value for owed in Owed))),
        "lead": {"color": random.choice(list(Color)).value, "symbol": random.choice(list(Symbol)).value},
    }
    if rules.play_drawn_card is not PlayDrawnCard.IMMEDIATE and wild["owed"] == "drawn":
        wild["owed"] = None
    mixed = position | {name: value for name, value in wild.items() if random.random() < 0.5}
    return mixed | {"plus2": 0} if mixed.get("owed") else mixed


@given(rulesets(), seeds)
def test_the_events_lead_to_the_table_of_the_position(rules: Ruleset, seed: int) -> None:
    state = read_position(wild_position(Random(seed), rules), rules, NOW).state

    started, placed = place(state, seating(len(state.hands)), NOW).events

    assert isinstance(started, GameStarted)
    assert started.first == state.turn
    assert isinstance(placed, PositionSet)
    assert fold([(started, NOW), (placed, NOW)]) == state


@given(rulesets(), seeds)
def test_the_event_survives_the_log(rules: Ruleset, seed: int) -> None:
    event = position_set(read_position(wild_position(Random(seed), rules), rules).state)

    stored = CODEC.encode(event)

    assert CODEC.decode(stored.kind, stored.kind_version, stored.payload) == event


@given(rulesets(), seeds)
def test_whatever_position_is_accepted_can_be_shown_and_played(rules: Ruleset, seed: int) -> None:
    random = Random(seed)
    state = read_position(wild_position(random, rules), rules).state
    cards = cards_of(state)
    player, chance, now = RandomPlayer(seed), RandomChance(seed), 0
    for _ in range(30):
        if state.outcome is not None:
            break
        now += random.choice((0, 700, 20_000))
        events: tuple[Event, ...] = ()
        with suppress(Refusal):
            decision = decide(state, next_command(player, state, now), chance, now)
            state, events = decision.state, decision.events
        assert cards_of(state) == cards, events
        assert unpack(pack(state), rules) == state
        for viewer in (SPECTATOR, ALL_SEEING, Viewer(0)):
            view_for(state, viewer, now)
        if state.outcome is None and state.window is None:
            assert legal_moves(state, state.turn, now)


def cards_of(state: State) -> bytes:
    return bytes(sorted(b"".join(state.hands) + state.draw_pile + state.discard))


@given(st.dictionaries(st.sampled_from(FIELDS), JUNK), st.booleans())
def test_junk_is_refused_as_a_fault_of_the_position(junk: dict[str, Any], whole: bool) -> None:
    with suppress(PositionFault):
        read_position((TWO if whole else {}) | junk, Ruleset())


@pytest.mark.parametrize("raw", [None, 3, "a", [], [TWO]])
def test_what_is_no_mapping_at_all_is_refused(raw: object) -> None:
    with pytest.raises(PositionFault):
        read_position(raw, Ruleset())
