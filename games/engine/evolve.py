"""(state, event) -> state. Never refuses, asks no rule, looks at no option."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from games.engine.cards import FACE, LEADS, without
from games.engine.events import (
    Answer,
    CallTimedOut,
    CardsDrawn,
    CardsPlayed,
    ClockExtended,
    DeckShuffled,
    DrawReason,
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
)
from games.engine.ruleset import Mode
from games.engine.state import NO_CALLS, Calls, Ended, Outcome, State, Tally, Window

T = TypeVar("T")
_DRAW_ACTIONS: Final = (DrawReason.TURN, DrawReason.PLUS2, DrawReason.PLUS)


def with_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Give the tuple with one item changed."""
    return (*values[:index], value, *values[index + 1 :])


def _started(_: State | None, event: GameStarted, at: int) -> State:
    seats = len(event.players)
    rules = event.ruleset
    stages = (rules.tournament_stages,) * seats if rules.mode is Mode.TOURNAMENT else ()
    return State(
        rules,
        hands=(b"",) * seats,
        draw_pile=b"",
        discard=b"",
        lead=LEADS[0],
        lead_at=0,
        turn=event.first,
        tally=Tally((0,) * seats, stages),
        since=at,
    )


def _shuffled(state: State, event: DeckShuffled, _at: int) -> State:
    return replace(state, draw_pile=bytes(event.cards))


def _dealt(state: State, event: HandDealt, _at: int) -> State:
    """Take every k-th card: one at a time round the seats not yet dealt (1.5)."""
    seats_left = len(state.hands) - event.seat
    pile = bytearray(state.draw_pile)
    del pile[: seats_left * len(event.cards) : seats_left]
    return replace(state, hands=with_item(state.hands, event.seat, bytes(event.cards)), draw_pile=bytes(pile))


def _lead_turned(state: State, event: LeadTurned, at: int) -> State:
    pile = state.draw_pile
    turned = len(event.returned) % len(pile)
    pile = pile[turned:] + pile[:turned]
    return replace(
        state,
        draw_pile=pile[1:],
        discard=bytes([FACE[event.card]]),
        lead=event.lead,
        turn=event.turn,
        plus2=event.plus2,
        direction=event.direction,
        since=at,
    )


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


def _position_set(state: State, event: PositionSet, at: int) -> State:
    seats = len(event.hands)
    since = (at,) * seats if event.must_say else ()
    return replace(
        state,
        hands=tuple(map(bytes, event.hands)),
        draw_pile=bytes(event.draw_pile),
        discard=bytes(event.discard),
        lead=event.lead,
        lead_at=event.lead_index,
        turn=event.turn,
        tally=Tally((0,) * seats, event.stages, waiting=event.waiting),
        direction=event.direction,
        open_taki=event.open_taki,
        plus2=event.plus2,
        owed=event.owed,
        calls=Calls(_mask(event.declared), _mask(event.must_say), _mask(event.by_play), since=since),
        since=at,
    )


def _cleared(calls: Calls, bit: int) -> Calls:
    """Let call and duty lapse: the hand is not one card any more (10.9)."""
    if not (calls.said | calls.owes | calls.by_play | calls.by_stage) & bit:
        return calls
    keep = ~bit
    owes = calls.owes & keep
    return Calls(calls.said & keep, owes, calls.by_play & keep, calls.by_stage & keep, calls.since if owes else ())


def _played(state: State, event: CardsPlayed, at: int) -> State:
    seat = event.seat
    hands = state.hands
    hand = without(hands[seat], event.cards)
    if hand is None:
        raise ValueError(f"seat {seat} does not hold {list(event.cards)}")
    discard = state.discard + event.cards
    calls = state.calls
    if len(hand) == 1:
        bit = 1 << seat
        calls = Calls(calls.said, calls.owes, calls.by_play | bit, calls.by_stage & ~bit, calls.since)
    elif calls is not NO_CALLS:
        calls = _cleared(calls, 1 << seat)
    tally = state.tally
    if tally.barren:
        tally = replace(tally, barren=0)
    return replace(
        state,
        hands=(*hands[:seat], hand, *hands[seat + 1 :]),
        discard=discard,
        lead=event.lead,
        lead_at=len(discard) - event.lead_card if event.lead_card else state.lead_at,
        tally=tally,
        direction=event.direction or state.direction,
        open_taki=event.open_taki,
        plus2=event.plus2,
        owed=event.owed,
        calls=calls,
        since=at,
    )


def _closed(state: State, _event: TakiClosed, _at: int) -> State:
    return replace(state, open_taki=None)


def _calls_after_draw(state: State, event: CardsDrawn, held: int) -> Calls:
    calls = state.calls
    bit = 1 << event.seat
    if not event.cards:
        spared = event.reason is DrawReason.LAST_CARD_PENALTY and calls.owes & bit
        return _without_duty(calls, bit) if spared else calls
    if held != 1:
        return calls if calls is NO_CALLS else _cleared(calls, bit)
    calls = _cleared(calls, bit)
    if event.reason is DrawReason.STAGE and state.tally.stages[event.seat] == 1:
        return replace(calls, by_stage=calls.by_stage | bit)
    return calls


def _tally_after_draw(state: State, event: CardsDrawn) -> Tally:
    tally = state.tally
    if not event.cards:
        if event.reason in _DRAW_ACTIONS:
            return replace(tally, barren=tally.barren | 1 << event.seat)
        return tally
    if event.seat in tally.waiting:
        tally = replace(tally, waiting=tuple(s for s in tally.waiting if s != event.seat))
    return replace(tally, barren=0) if tally.barren else tally


def _drawn(state: State, event: CardsDrawn, at: int) -> State:
    seat = event.seat
    hands = state.hands
    hand = hands[seat] + event.cards
    drawn = replace(
        state,
        hands=(*hands[:seat], hand, *hands[seat + 1 :]),
        draw_pile=state.draw_pile[len(event.cards) :],
        tally=_tally_after_draw(state, event),
        calls=_calls_after_draw(state, event, len(hand)),
    )
    if event.reason is DrawReason.TURN:
        return replace(drawn, owed=event.owed, since=at)
    return replace(drawn, plus2=0) if event.reason is DrawReason.PLUS2 else drawn


def _reshuffled(state: State, event: PileReshuffled, _at: int) -> State:
    return replace(
        state,
        draw_pile=state.draw_pile + event.cards,
        discard=state.discard[state.lead_at :],
        lead_at=0,
        tally=replace(state.tally, shuffles=state.tally.shuffles + 1),
    )


def _window_opened(state: State, event: Plus3Opened, at: int) -> State:
    awaited = _mask(event.awaited)
    window = Window(event.seat, event.next_seat, awaited, event.wins)
    return replace(state, window=window, owed=None, since=at)


def _no_longer_awaited(window: Window | None, seat: int) -> Window | None:
    return window and replace(window, awaited=window.awaited & ~(1 << seat))


def _answered(state: State, event: Plus3Answered, _at: int) -> State:
    if event.answer is not Answer.PASS:
        return state
    tally = state.tally
    if tally.strikes[event.seat]:
        tally = replace(tally, answered=tally.answered | 1 << event.seat)
    return replace(state, window=_no_longer_awaited(state.window, event.seat), tally=tally)


def _settled(state: State, _event: Plus3Settled, at: int) -> State:
    return replace(state, window=None, since=at)


def _without_duty(calls: Calls, bit: int) -> Calls:
    owes = calls.owes & ~bit
    return replace(calls, owes=owes, since=calls.since if owes else ())


def _said(state: State, event: LastCardSaid, _at: int) -> State:
    bit = 1 << event.seat
    calls = _without_duty(state.calls, bit)
    return replace(state, calls=replace(calls, said=calls.said | bit))


def _owed(state: State, event: LastCardOwed, at: int) -> State:
    calls = state.calls
    since = calls.since or (0,) * len(state.hands)
    owes = replace(calls, owes=calls.owes | 1 << event.seat, since=with_item(since, event.seat, at))
    return replace(state, calls=owes)


def _lapsed(state: State, event: LastCardLapsed, _at: int) -> State:
    return replace(state, calls=_without_duty(state.calls, 1 << event.seat))


def _stage_cleared(state: State, event: StageCleared, _at: int) -> State:
    stages = with_item(state.tally.stages, event.seat, event.reached)
    return replace(state, tally=replace(state.tally, stages=stages))


def _win_held(state: State, event: WinHeld, _at: int) -> State:
    return replace(state, tally=replace(state.tally, waiting=(*state.tally.waiting, event.seat)))


def _passed(state: State, event: TurnPassed, at: int) -> State:
    return replace(state, turn=event.to, owed=None, since=at)


def _with_strikes(state: State, seat: int, strikes: int) -> State:
    tally = state.tally
    answered = tally.answered & ~(1 << seat)
    return replace(state, tally=replace(tally, strikes=with_item(tally.strikes, seat, strikes), answered=answered))


def _timed_out(state: State, event: TurnTimedOut, _at: int) -> State:
    return _with_strikes(state, event.seat, event.strikes)


def _strikes_cleared(state: State, event: StrikesCleared, _at: int) -> State:
    return _with_strikes(state, event.seat, 0)


def _extended(state: State | None, event: ClockExtended, _at: int) -> State | None:
    """Let what runs have begun later; the next turn or window then has its usual time. An open table has no state."""
    if state is None:
        return None
    calls = state.calls
    if event.calls_ms and calls.owes:
        since = tuple(at + event.calls_ms if calls.owes >> seat & 1 else at for seat, at in enumerate(calls.since))
        calls = replace(calls, since=since)
    return replace(state, since=state.since + event.extra_ms, calls=calls)


def _left(state: State, event: PlayerLeft, _at: int) -> State:
    """Mark the seat, never remove it (15.4); a stack or duty against a leaver to move is void (15.5)."""
    seat, tally = event.seat, state.tally
    to_move = state.turn == seat
    return replace(
        state,
        hands=with_item(state.hands, seat, b"") if event.cards else state.hands,
        draw_pile=state.draw_pile + event.cards,
        tally=replace(
            tally,
            left=(*tally.left, seat),
            waiting=tuple(s for s in tally.waiting if s != seat),
            barren=0 if event.cards else tally.barren,
        ),
        plus2=0 if to_move else state.plus2,
        owed=None if to_move else state.owed,
        window=_no_longer_awaited(state.window, seat),
        calls=_cleared(state.calls, 1 << seat),
    )


def _finished(state: State, event: GameFinished, _at: int) -> State:
    return replace(state, outcome=Outcome(event.ended, event.winner), plus2=0, owed=None, window=None)


def _voided(state: State | None, _event: GameVoided, _at: int) -> State | None:
    return state and replace(state, outcome=Outcome(Ended.VOID, None), plus2=0, owed=None, window=None)


def _unchanged(state: State | None, _event: Event, _at: int) -> State | None:
    return state


EVOLVERS: Final[dict[type[Event], Callable[[Any, Any, int], Any]]] = {
    GameOpened: _unchanged,
    SeatTaken: _unchanged,
    SeatLeft: _unchanged,
    GameVoided: _voided,
    SeedRevealed: _unchanged,
    GameStarted: _started,
    DeckShuffled: _shuffled,
    HandDealt: _dealt,
    LeadTurned: _lead_turned,
    PositionSet: _position_set,
    CardsPlayed: _played,
    TakiClosed: _closed,
    CardsDrawn: _drawn,
    PileReshuffled: _reshuffled,
    Plus3Opened: _window_opened,
    Plus3Answered: _answered,
    Plus3Settled: _settled,
    LastCardSaid: _said,
    LastCardOwed: _owed,
    LastCardLapsed: _lapsed,
    LastCardCaught: _unchanged,
    StageCleared: _stage_cleared,
    WinHeld: _win_held,
    TurnPassed: _passed,
    TurnTimedOut: _timed_out,
    WindowTimedOut: _unchanged,
    CallTimedOut: _unchanged,
    StrikesCleared: _strikes_cleared,
    ClockExtended: _extended,
    PlayerLeft: _left,
    GameFinished: _finished,
}


def evolve(state: State | None, event: Event, at: int) -> State | None:
    """Give the table after an event that happened at `at` (ms); None while the table has not started."""
    evolved: State | None = EVOLVERS[type(event)](state, event, at)
    return evolved


def fold(events: Iterable[tuple[Event, int]]) -> State | None:
    """Fold events with their times (ms) into the table."""
    state: State | None = None
    for event, at in events:
        state = EVOLVERS[type(event)](state, event, at)
    return state
