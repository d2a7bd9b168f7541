"""The only door out: what a viewer may see of a table and of each event. Hidden by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from games.engine.cards import CODE, Cards, Color, Lead, codes_of, enc_hook
from games.engine.clock import Expiry, deadline_of, expiry_of
from games.engine.events import (
    KINDS,
    Answer,
    CallTimedOut,
    CardsDrawn,
    CardsPlayed,
    ClockExtended,
    DeckShuffled,
    Event,
    GameFinished,
    GameOpened,
    GameStarted,
    GameVoided,
    HandDealt,
    LastCardCaught,
    LastCardLapsed,
    LastCardOwed,
    LastCardSaid,
    LeadTurned,
    PileReshuffled,
    Place,
    PlayerLeft,
    Plus3Answered,
    Plus3Opened,
    Plus3Settled,
    PositionSet,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    StageCleared,
    StrikesCleared,
    TakiClosed,
    TurnPassed,
    TurnTimedOut,
    WindowTimedOut,
    WinHeld,
    seat_of,
)
from games.engine.ranking import places
from games.engine.state import Ended, Owed, State
from games.engine.templates import Template, legal_moves


class Viewer(Struct, frozen=True):
    """Who looks: a seat, a spectator (`seat` None), or one who may see all (reviewers, and a finished game)."""

    seat: int | None
    sees_all: bool = False


SPECTATOR: Final = Viewer(None)
ALL_SEEING: Final = Viewer(None, sees_all=True)


class Moment:
    """A point in time, ms since the epoch; shown to clients as UTC text by the edge."""

    __slots__ = ("ms",)

    def __init__(self, ms: int) -> None:
        """Hold the moment."""
        self.ms = ms

    def __eq__(self, other: object) -> bool:
        """Compare by time."""
        return isinstance(other, Moment) and other.ms == self.ms

    def __hash__(self) -> int:
        """Hash by time."""
        return hash(self.ms)

    def __repr__(self) -> str:
        """Show the milliseconds."""
        return f"Moment({self.ms})"


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it. `status` is `playing` or `left`."""

    seat: int
    status: str
    hand_count: int
    stage: int | None
    said_last: bool
    owes_last_card: bool
    timeouts: int


class You(Struct, frozen=True):
    """What only the viewer sees; `awaited`: asked in the window of a +3."""

    seat: int
    hand: Cards
    awaited: bool


class WindowView(Struct, frozen=True):
    """A +3 that may be answered, by its player."""

    seat: int
    closes_at: Moment
    remaining_ms: int


class ClockView(Struct, frozen=True):
    """The clock of whoever is awaited."""

    deadline: Moment
    remaining_ms: int
    on_expiry: Expiry | None


class Result(Struct, frozen=True):
    """The end and the places."""

    ended: Ended
    winner: int | None
    places: tuple[Place, ...]


class Whole(Struct, frozen=True):
    """The cards that nobody but an all-seeing viewer sees; `hands` by seat, `draw_pile` top first."""

    hands: tuple[Cards, ...]
    draw_pile: Cards


class TableView(Struct, frozen=True, omit_defaults=True):
    """A table as one viewer sees it. No field can hold a hidden card of someone else, `whole` apart."""

    seats: tuple[SeatView, ...]
    you: You | None
    turn: int
    direction: int
    lead: Lead
    top: str
    open_taki: Color | None
    plus2: int
    owed: Owed | None
    window: WindowView | None
    draw_count: int
    discard_count: int
    clock: ClockView | None
    result: Result | None
    legal_moves: list[Template] | msgspec.UnsetType = msgspec.UNSET
    whole: Whole | msgspec.UnsetType = msgspec.UNSET


def view_for(state: State, viewer: Viewer, now: int) -> TableView:
    """Show the table at `now` (ms) to a viewer."""
    seat = viewer.seat
    return TableView(
        _seat_views(state),
        None if seat is None else _you(state, seat),
        state.turn,
        state.direction,
        state.lead,
        CODE[state.discard[-1]],
        state.open_taki,
        state.plus2,
        state.owed,
        _window_view(state, now),
        len(state.draw_pile),
        len(state.discard),
        _clock_view(state, now),
        _result(state),
        msgspec.UNSET if seat is None else legal_moves(state, seat, now),
        _whole(state) if viewer.sees_all else msgspec.UNSET,
    )


def _seat_views(state: State) -> tuple[SeatView, ...]:
    tally, calls = state.tally, state.calls
    return tuple(
        SeatView(
            seat,
            "left" if seat in tally.left else "playing",
            len(hand),
            tally.stages[seat] if tally.stages else None,
            bool(calls.said >> seat & 1),
            bool(calls.owes >> seat & 1),
            tally.strikes[seat],
        )
        for seat, hand in enumerate(state.hands)
    )


def _you(state: State, seat: int) -> You:
    awaited = state.window is not None and bool(state.window.awaited >> seat & 1)
    return You(seat, Cards(state.hands[seat]), awaited)


def _window_view(state: State, now: int) -> WindowView | None:
    deadline = deadline_of(state)
    if state.window is None or deadline is None:
        return None
    return WindowView(state.window.seat, Moment(deadline), max(0, deadline - now))


def _clock_view(state: State, now: int) -> ClockView | None:
    deadline = deadline_of(state)
    if deadline is None:
        return None
    return ClockView(Moment(deadline), max(0, deadline - now), expiry_of(state))


def _result(state: State) -> Result | None:
    outcome = state.outcome
    if outcome is None:
        return None
    ranked = () if outcome.ended is Ended.VOID else places(state, outcome.winner)
    return Result(outcome.ended, outcome.winner, ranked)


def _whole(state: State) -> Whole:
    return Whole(tuple(Cards(hand) for hand in state.hands), Cards(state.draw_pile))


# --- events --------------------------------------------------------------------------------------


class Shown(Struct, frozen=True):
    """An event as one viewer sees it; `data` is ready to encode (times as Moment)."""

    kind: str
    seat: int | None
    data: dict[str, Any]


_MOMENTS: Final = frozenset({"deadline", "noticed", "down_from", "down_until"})


def _open(data: dict[str, Any], _own: bool) -> dict[str, Any]:  # noqa: FBT001
    """Show everything."""
    return data


def _cards_hidden(data: dict[str, Any], own: bool) -> dict[str, Any]:  # noqa: FBT001
    """Show how many cards; which ones only to their owner."""
    cards = data.pop("cards", [])
    data["count"] = len(cards)
    if own:
        data["cards"] = cards
    return data


def _table_hidden(data: dict[str, Any], own: bool) -> dict[str, Any]:  # noqa: FBT001
    """Show how many cards lie where; which ones in hands and pile to nobody (`redact` adds the viewer's own hand)."""
    data["hand_counts"] = [len(hand) for hand in data["hands"]]
    data["draw_count"] = len(data["draw_pile"])
    if not own:
        data["hands"] = [None] * len(data["hands"])
        del data["draw_pile"]
    return data


def _client_seed_hidden(data: dict[str, Any], _own: bool) -> dict[str, Any]:  # noqa: FBT001
    """Show a client seed to nobody; all stand in game_started (api: section 7)."""
    data.pop("client_seed", None)
    return data


def _times(data: dict[str, Any], _own: bool) -> dict[str, Any]:  # noqa: FBT001
    """Show times as moments."""
    return {name: Moment(value) if name in _MOMENTS else value for name, value in data.items()}


RULES_OF_SIGHT: Final[dict[type[Event], Callable[[dict[str, Any], bool], dict[str, Any]]]] = {
    GameOpened: _open,
    SeatTaken: _client_seed_hidden,
    SeatLeft: _open,
    GameVoided: _open,
    SeedRevealed: _open,
    GameStarted: _open,
    DeckShuffled: _cards_hidden,
    HandDealt: _cards_hidden,
    LeadTurned: _open,
    PositionSet: _table_hidden,
    CardsPlayed: _open,
    TakiClosed: _open,
    CardsDrawn: _cards_hidden,
    PileReshuffled: _cards_hidden,
    Plus3Opened: _open,
    Plus3Answered: _open,
    Plus3Settled: _open,
    LastCardSaid: _open,
    LastCardOwed: _open,
    LastCardLapsed: _open,
    LastCardCaught: _open,
    StageCleared: _open,
    WinHeld: _open,
    TurnPassed: _open,
    TurnTimedOut: _times,
    WindowTimedOut: _times,
    CallTimedOut: _times,
    StrikesCleared: _open,
    ClockExtended: _times,
    PlayerLeft: _cards_hidden,
    GameFinished: _open,
}


def redact(event: Event, viewer: Viewer) -> Shown:
    """Show an event to a viewer; a hidden event shows its public half."""
    kind = KINDS[type(event)][0]
    seat = seat_of(event)
    own = viewer.sees_all or (seat is not None and seat == viewer.seat)
    if type(event) is Plus3Answered and event.answer is Answer.PASS and not own:
        return Shown(kind, None, {})
    data: dict[str, Any] = msgspec.to_builtins(event, enc_hook=enc_hook)
    data.pop("seat", None)
    if type(event) is Plus3Opened and not viewer.sees_all:
        data.pop("awaited", None)
        if viewer.seat in event.awaited:
            data["awaited"] = [viewer.seat]
    shown = RULES_OF_SIGHT[type(event)](data, own)
    if type(event) is PositionSet and viewer.seat is not None:
        shown["hands"][viewer.seat] = codes_of(event.hands[viewer.seat])
    return Shown(kind, seat, shown)
