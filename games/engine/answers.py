"""Answers in the window of a +3: pass, Breaker, King (4.x, 5.4, 5.7, 22.1, 22.2)."""

from __future__ import annotations

from typing import Final

from games.engine.cards import BREAKER, KING, Cards
from games.engine.commands import PlayCards
from games.engine.draft import Draft, clear_strikes, draw, owe_call, pass_turn, say, settle_calls
from games.engine.effects import CARDS_OF_PLUS3, clear_stage, settle_unanswered, win
from games.engine.events import Answer, CardsPlayed, DrawReason, Plus3Answered, Plus3Settled, Settled, TurnPassed
from games.engine.legality import lead_after_king
from games.engine.ruleset import KingOnPlus3
from games.engine.state import Owed, State, Window, at_last_stage, seats_after

_BREAKER_ONLY: Final = bytes([BREAKER])
_KING_ONLY: Final = bytes([KING])


def may_break(window: Window, seat: int, cards: bytes) -> bool:
    """Tell whether this is a Breaker of an awaited player (22.1)."""
    return cards == _BREAKER_ONLY and bool(window.awaited >> seat & 1)


def may_cancel(state: State, window: Window, seat: int, cards: bytes) -> bool:
    """Tell whether this is a King of the next player that the rules let answer (4.5, 22.1, 22.22)."""
    allowed = state.rules.king_on_plus3 is not KingOnPlus3.FORBID and not window.wins
    return cards == _KING_ONLY and seat == window.next_seat and allowed


def answer_with_pass(draft: Draft, window: Window, seat: int) -> None:
    """Pass; the last awaited pass closes the window (4.2). Strikes end with it, unseen (22.14)."""
    draft.record(Plus3Answered(seat=seat, answer=Answer.PASS))
    close_if_unawaited(draft, window)


def close_if_unawaited(draft: Draft, window: Window) -> None:
    """Settle the window once nobody is awaited any more (4.2, 15.7)."""
    still_open = draft.state.window
    if still_open and not still_open.awaited:
        settle_unanswered(draft, window.seat, wins=window.wins)


def answer_with_breaker(draft: Draft, window: Window, command: PlayCards, seat: int) -> None:
    """Break the +3: its player draws three instead, unless the Breaker wins (B55, 5.4, 5.7, 22.22)."""
    state = draft.state
    clear_strikes(draft, seat)
    draft.record(Plus3Answered(seat=seat, answer=Answer.BREAKER))
    draft.record(
        CardsPlayed(seat=seat, cards=Cards(command.cards), lead=state.lead, lead_card=0, open_taki=state.open_taki)
    )
    draft.record(Plus3Settled(seat=window.seat, outcome=Settled.BROKEN, by=seat))
    if _emptied(draft, seat):
        return
    if command.say_last:
        say(draft, seat)
    draw(draft, window.seat, CARDS_OF_PLUS3, DrawReason.BREAKER)
    pass_turn(draft, window.seat)
    owe_call(draft, seat)


def answer_with_king(draft: Draft, window: Window, command: PlayCards, seat: int) -> None:
    """Cancel the +3 as the next player, whose turn then goes on (4.5, 22.2, 22.12, 22.23)."""
    clear_strikes(draft, seat)
    settle_calls(draft, seat)
    alone = draft.state.rules.king_on_plus3 is KingOnPlus3.SELF_ONLY
    draft.record(Plus3Answered(seat=seat, answer=Answer.KING))
    outcome = Settled.DRAWN if alone else Settled.CANCELLED
    draft.record(Plus3Settled(seat=window.seat, outcome=outcome, by=seat))
    draft.record(TurnPassed(to=seat))
    state = draft.state
    lead = lead_after_king(state, state.lead)
    draft.record(CardsPlayed(seat=seat, cards=Cards(command.cards), lead=lead, owed=Owed.KING))
    if _emptied(draft, seat):
        return
    if command.say_last:
        say(draft, seat)
    if alone:
        for other in seats_after(draft.state, window.seat):
            if other != seat:
                draw(draft, other, CARDS_OF_PLUS3, DrawReason.PLUS3)


def _emptied(draft: Draft, seat: int) -> bool:
    """Settle a hand emptied by an answer; True if that won the game (5.4, 6.1)."""
    if draft.state.hands[seat]:
        return False
    if at_last_stage(draft.state, seat):
        win(draft, seat)
        return True
    clear_stage(draft, seat)
    return False
