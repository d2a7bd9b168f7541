"""Both engines, given the same commands, right and wrong ones, agree on every refusal and on every table."""

from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.players import RandomPlayer
from bench.playouts import next_command
from bench.tables import RandomChance
from games.engine.cards import codes_of
from games.engine.commands import Command
from games.engine.decide import decide
from games.engine.expiry import strikes_in_a_row
from games.engine.refusals import Refusal
from games.engine.state import State
from tests.games.engine.near_misses import near_misses
from tests.games.engine.second_engine import No, SecondEngine
from tests.games.engine.strategies import players, tables


class NumberedChance:
    """The same reshuffle for the same number, whoever asks."""

    def shuffle(self, number: int, cards: bytes) -> bytes:
        return RandomChance(number).shuffle(number, cards)

    def pick(self, count: int) -> int:
        return 0


def seats_in(mask: int) -> set[int]:
    return {seat for seat in range(10) if mask >> seat & 1}


def snapshot(state: State) -> dict[str, Any]:
    window, outcome = state.window, state.outcome
    return {
        "hands": [codes_of(hand) for hand in state.hands], "pile": codes_of(state.draw_pile),
        "discard": codes_of(state.discard), "lead": (state.lead.color.value, state.lead.symbol.value),
        "lead_at": state.lead_at, "turn": state.turn, "direction": state.direction, "plus2": state.plus2,
        "open": state.open_taki.value if state.open_taki else None,
        "owed": state.owed.value if state.owed else None, "said": seats_in(state.calls.said),
        "owes": seats_in(state.calls.owes), "stages": list(state.tally.stages), "left": list(state.tally.left),
        "waiting": list(state.tally.waiting), "strikes": [strikes_in_a_row(state, seat) for seat in range(len(state.hands))],
        "over": outcome and (outcome.ended.value, outcome.winner),
        "window": window and (window.seat, window.next_seat, seats_in(window.awaited), window.wins),
    }  # fmt: skip


def first_says(state: State, command: Command, now: int) -> tuple[str | None, State]:
    try:
        return None, decide(state, command, NumberedChance(), now).state
    except Refusal as refusal:
        return refusal.code, state


def second_says(second: SecondEngine, command: Command, now: int) -> str | None:
    try:
        second.do(command, now)
    except No as refusal:
        return str(refusal)
    return None


def compare(state: State, player: RandomPlayer, steps: int) -> int:
    """Play on and compare; how many commands were compared."""
    second = SecondEngine(state)
    compared = 0
    for now in range(0, steps * 300, 300):
        for command in near_misses(player, state, now):
            code, other = first_says(state, command, now)
            branch = second if code is not None else deepcopy(second)
            assert second_says(branch, command, now) == code, command
            assert branch.snapshot() == snapshot(other), command
            compared += 1
        if state.outcome is not None:
            break
        command = next_command(player, state, now)
        code, state = first_says(state, command, now)
        assert second_says(second, command, now) == code, command
        assert second.snapshot() == snapshot(state), command
        compared += 1
    return compared


@given(tables(), players(), st.integers(1, 40))
def test_two_engines_agree(state: State, player: RandomPlayer, steps: int) -> None:
    assert compare(state, player, steps) > 0
