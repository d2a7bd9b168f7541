"""The start of a sandbox game: a position takes the place of the deal."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.cards import Cards
from games.engine.decide import Decision
from games.engine.events import Event, GameStarted, PositionSet
from games.engine.evolve import fold
from games.engine.opening import Seating
from games.engine.ruleset import RULESET_VERSION
from games.engine.state import State


def place(state: State, seating: Seating, now: int) -> Decision:
    """Start a game at `now` (ms) from a table that a position gave."""
    events: tuple[Event, ...] = (
        GameStarted(
            players=seating.players,
            client_seeds=seating.client_seeds,
            first=state.turn,
            preset=seating.preset,
            ruleset=state.rules,
            ruleset_version=RULESET_VERSION,
            commitment=seating.commitment,
        ),
        position_set(state),
    )
    placed = fold((event, now) for event in events)
    if placed is None:
        raise ValueError("a started game has a table")
    return Decision(placed, events)


def position_set(state: State) -> PositionSet:
    """Tell a table that a position can hold as an event."""
    calls, tally = state.calls, state.tally
    return PositionSet(
        hands=tuple(map(Cards, state.hands)),
        draw_pile=Cards(state.draw_pile),
        discard=Cards(state.discard),
        lead=state.lead,
        lead_index=state.lead_at,
        turn=state.turn,
        direction=state.direction,
        plus2=state.plus2,
        open_taki=state.open_taki,
        owed=state.owed,
        declared=tuple(_seats_in(calls.said)),
        must_say=tuple(_seats_in(calls.owes)),
        by_play=tuple(_seats_in(calls.by_play)),
        stages=tally.stages,
        waiting=tally.waiting,
    )


def _seats_in(mask: int) -> Iterator[int]:
    return (seat for seat in range(mask.bit_length()) if mask >> seat & 1)
