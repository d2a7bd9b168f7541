"""The final places (13.6, 14.11)."""

from __future__ import annotations

from games.engine.events import Place
from games.engine.state import State, actives


def places(state: State, winner: int | None) -> tuple[Place, ...]:
    """Give the standings, best first: the winner, then by stage and cards left, leavers last, latest leaver first.

    Equal players share a place (1, 2, 2, 4).
    """
    stages = state.tally.stages
    hands = state.hands

    def standing(seat: int) -> tuple[int, int, int]:
        return (seat != winner, stages[seat] if stages else 0, len(hands[seat]))

    ranked: list[Place] = []
    previous: tuple[int, int, int] | None = None
    for position, seat in enumerate(sorted(actives(state), key=standing), start=1):
        place = ranked[-1].place if ranked and standing(seat) == previous else position
        previous = standing(seat)
        ranked.append(_place(state, seat, place))
    for seat in reversed(state.tally.left):
        ranked.append(_place(state, seat, len(ranked) + 1))
    return tuple(ranked)


def _place(state: State, seat: int, place: int) -> Place:
    stages = state.tally.stages
    return Place(seat=seat, place=place, cards=len(state.hands[seat]), stage=stages[seat] if stages else None)
