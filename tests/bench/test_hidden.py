"""The comparison of twins finds nothing in the service, and finds each leak that is planted."""

from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from bench.hidden import compare, seen, twin
from games.engine import decide, visibility
from games.engine.cards import BREAKER
from games.engine.expiry import strikes_in_a_row
from games.engine.refusals import NotYourTurn
from games.engine.state import State
from games.engine.templates import PLAIN
from games.engine.visibility import SeatView, Viewer, WindowView, You
from tests.games.engine.tables import table

Leak = Callable[..., Any]


def test_five_thousand_views_show_nothing_hidden() -> None:
    found = compare(5_000, seed=20)

    assert (found.views, found.leak) == (5_000, None)
    assert found.refusals > 1_000


def seats_tell_of_breakers(state: State) -> tuple[SeatView, ...]:
    return tuple(replace(seat, said_last=BREAKER in state.hands[seat.seat]) for seat in real["_seat_views"](state))


def seats_tell_who_passed(state: State) -> tuple[SeatView, ...]:
    return tuple(replace(seat, timeouts=strikes_in_a_row(state, seat.seat)) for seat in real["_seat_views"](state))


def the_window_tells_how_many_are_asked(state: State, now: int) -> WindowView | None:
    shown: WindowView | None = real["_window_view"](state, now)
    return shown and replace(shown, remaining_ms=shown.remaining_ms + (state.window.awaited if state.window else 0))


def one_is_told_that_somebody_is_asked(state: State, seat: int) -> You:
    shown: You = real["_you"](state, seat)
    return replace(shown, awaited=state.window is not None and state.window.awaited > 0)


def the_clock_tells_of_the_pile(state: State, now: int) -> Any:
    shown = real["_clock_view"](state, now)
    return shown and replace(shown, remaining_ms=state.draw_pile[0] if state.draw_pile else 0)


def moves_follow_the_next_card(state: State, seat: int, now: int) -> list[Any]:
    return [*real["legal_moves"](state, seat, now), *(PLAIN[face] for face in state.draw_pile[:1])]


def _turn_refused_with_a_card(state: State, seat: int | None) -> int:
    if seat is not None and state.outcome is None and seat != state.turn:
        raise NotYourTurn(turn=state.turn, next_card=state.draw_pile[:1].hex())
    return int(real["_seated"](state, seat))


PLANTED: list[tuple[ModuleType, str, Leak]] = [
    (visibility, "_seat_views", seats_tell_of_breakers),
    (visibility, "_seat_views", seats_tell_who_passed),
    (visibility, "_window_view", the_window_tells_how_many_are_asked),
    (visibility, "_you", one_is_told_that_somebody_is_asked),
    (visibility, "_clock_view", the_clock_tells_of_the_pile),
    (visibility, "legal_moves", moves_follow_the_next_card),
    (decide, "_seated", _turn_refused_with_a_card),
]
real: dict[str, Any] = {name: getattr(module, name) for module, name, _ in PLANTED}


@pytest.mark.parametrize("module, name, leak", PLANTED, ids=[leak.__name__ for _, _, leak in PLANTED])
def test_a_planted_leak_is_found(module: ModuleType, name: str, leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, leak)

    assert compare(20_000, seed=20).leak is not None


def test_a_view_with_everything_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.hidden.Viewer", lambda seat: Viewer(seat, sees_all=True))

    assert compare(1_000, seed=20).leak is not None


def test_twins_differ_and_look_alike() -> None:
    state = table(a="red-1 king", b="blue-1 blue-3 plus3", c="breaker")
    other = twin(state, 0, Random(3))

    assert other.hands[0] == state.hands[0]
    assert (other.hands, other.draw_pile) != (state.hands, state.draw_pile)
    assert seen(other, 0) == seen(state, 0)
    assert seen(other, 1) != seen(state, 1)
