"""(state, command, chance, now) -> events, or a refusal. Checks stand in the order of rules 2.20."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from games.engine.answers import answer_with_breaker, answer_with_king, answer_with_pass, may_break, may_cancel
from games.engine.cards import CODE, without
from games.engine.commands import (
    CallTimeOut,
    CatchLastCard,
    Command,
    DrawCards,
    Leave,
    Pass,
    PlayCards,
    SayLastCard,
    TimeOut,
)
from games.engine.draft import Chance, Draft, begin_action, draw, say
from games.engine.effects import settle_play
from games.engine.events import DrawReason, Event, LastCardCaught, LastCardSaid
from games.engine.expiry import leave_game, time_out, time_out_calls
from games.engine.legality import can_catch, judge
from games.engine.refusals import (
    AlreadyDeclared,
    AwaitingPlus3,
    CannotPass,
    CardNotInHand,
    ColorNotAllowed,
    GameOver,
    MustAnswerPlus2,
    NothingToCatch,
    NothingToDeclare,
    NotInGame,
    NotWaitedFor,
    NotYourTurn,
    WindowClosed,
)
from games.engine.state import Owed, State, Window
from games.engine.turns import decline, draw_for_turn, refuse_draw

__all__ = ["Chance", "Decision", "decide"]


class Decision(Struct, frozen=True):
    """What a command leads to: the table after it and the events in order."""

    state: State
    events: tuple[Event, ...]


def decide(state: State, command: Command, chance: Chance, now: int) -> Decision:
    """Decide a command at `now` (ms); a Refusal is raised and nothing has changed, or the events are given."""
    draft = Draft(state, chance, now)
    DECIDERS[type(command)](draft, command)
    return Decision(draft.state, tuple(draft.events))


def _check_running(state: State) -> None:
    if state.outcome is not None:
        raise GameOver(ended=state.outcome.ended.value)


def _seated(state: State, seat: int | None) -> int:
    """Give the seat of a player still in the game; the first two checks of 2.20."""
    _check_running(state)
    if seat is None or seat in state.tally.left:
        raise NotInGame
    return seat


def _decide_play(draft: Draft, command: PlayCards) -> None:
    state = draft.state
    seat = _seated(state, command.seat)
    window = state.window
    if command.answer and window is None:
        raise WindowClosed
    rest = without(state.hands[seat], command.cards)
    if rest is None:
        raise CardNotInHand(cards=[CODE[face] for face in command.cards])
    if window is not None:
        _answer(draft, command, window, seat)
        return
    if seat != state.turn:
        raise NotYourTurn(turn=state.turn)
    play = judge(state, command, rest)
    begin_action(draft, seat)
    settle_play(draft, command, seat, play, rest)


def _answer(draft: Draft, command: PlayCards, window: Window, seat: int) -> None:
    breaks = may_break(window, seat, command.cards)
    if not breaks and not may_cancel(draft.state, window, seat, command.cards):
        raise AwaitingPlus3(seat=window.seat)
    if command.color is not None or command.run_color is not None:
        raise ColorNotAllowed(field="run_color" if command.color is None else "color")
    if breaks:
        answer_with_breaker(draft, window, command, seat)
    else:
        answer_with_king(draft, window, command, seat)


def _decide_draw(draft: Draft, command: DrawCards) -> None:
    state = draft.state
    seat = _seated(state, command.seat)
    if command.answer and state.window is None:
        raise WindowClosed
    if state.window is not None:
        raise AwaitingPlus3(seat=state.window.seat)
    if seat != state.turn:
        raise NotYourTurn(turn=state.turn)
    refuse_draw(state, seat)
    begin_action(draft, seat)
    draw_for_turn(draft, seat)


def _decide_pass(draft: Draft, command: Pass) -> None:
    state = draft.state
    seat = _seated(state, command.seat)
    window = state.window
    if command.answer and window is None:
        raise WindowClosed
    if window is not None:
        if not window.awaited >> seat & 1:
            raise NotWaitedFor
        if command.say_last:
            say(draft, seat)
        answer_with_pass(draft, window, seat)
        return
    if seat != state.turn:
        raise NotYourTurn(turn=state.turn)
    if state.plus2:
        raise MustAnswerPlus2(plus2=state.plus2)
    if state.owed is not Owed.KING and state.owed is not Owed.DRAWN:
        raise CannotPass
    begin_action(draft, seat)
    decline(draft, seat, say_last=command.say_last)


def _decide_say(draft: Draft, command: SayLastCard) -> None:
    state = draft.state
    seat = _seated(state, command.seat)
    if len(state.hands[seat]) != 1:
        raise NothingToDeclare(cards=len(state.hands[seat]))
    if state.calls.said >> seat & 1:
        raise AlreadyDeclared
    draft.record(LastCardSaid(seat=seat))


def _decide_catch(draft: Draft, command: CatchLastCard) -> None:
    state = draft.state
    seat = _seated(state, command.seat)
    if state.window is not None:
        raise AwaitingPlus3(seat=state.window.seat)
    if not can_catch(state, seat, command.target, draft.now):
        raise NothingToCatch(target=command.target)
    draft.record(LastCardCaught(seat=seat, target=command.target))
    draw(draft, command.target, state.rules.last_card_penalty, DrawReason.LAST_CARD_PENALTY)


def _decide_leave(draft: Draft, command: Leave) -> None:
    leave_game(draft, _seated(draft.state, command.seat))


def _decide_time_out(draft: Draft, command: TimeOut) -> None:
    _check_running(draft.state)
    time_out(draft, draft.now if command.deadline is None else command.deadline)


def _decide_call_time_out(draft: Draft, _command: CallTimeOut) -> None:
    _check_running(draft.state)
    time_out_calls(draft)


DECIDERS: Final[dict[type[Command], Callable[[Draft, Any], None]]] = {
    PlayCards: _decide_play,
    DrawCards: _decide_draw,
    Pass: _decide_pass,
    SayLastCard: _decide_say,
    CatchLastCard: _decide_catch,
    Leave: _decide_leave,
    TimeOut: _decide_time_out,
    CallTimeOut: _decide_call_time_out,
}
