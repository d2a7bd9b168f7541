"""How a turn ends without a card played: the draw and the pass (3.4, 6.4, 7.6, 12.1, 22.19)."""

from __future__ import annotations

from games.engine.cards import Cards
from games.engine.draft import Draft, draw, fill_pile, finish, is_stalemate, owe_call, pass_turn, say, win_waiting
from games.engine.events import CardsDrawn, DrawReason
from games.engine.legality import may_draw, starters
from games.engine.refusals import AlreadyPlayed, MustPlay, MustPlaySecondCard
from games.engine.ruleset import KingDecline, PlayDrawnCard
from games.engine.state import Ended, Owed, State


def refuse_draw(state: State, seat: int) -> None:
    """Refuse a draw that the player to move may not make (22.19, 7.6, 12.1)."""
    if state.owed is Owed.KING or state.owed is Owed.DRAWN:
        raise AlreadyPlayed(owed=state.owed.value)
    if not may_draw(state, state.hands[seat]):
        raise MustPlaySecondCard if state.owed is Owed.PLUS else MustPlay


def draw_for_turn(draft: Draft, seat: int) -> None:
    """Draw the stack, the card after a Plus, or one card, and end the turn (B25, B36, B53)."""
    state = draft.state
    if state.owed is None and not state.plus2 and state.rules.play_drawn_card is PlayDrawnCard.IMMEDIATE:
        if _draw_to_play(draft, seat):
            return
    else:
        draw_owed(draft, seat)
    end_draw(draft, seat)


def draw_owed(draft: Draft, seat: int) -> None:
    """Draw what the turn asks for (3.4, 7.6, B25)."""
    state = draft.state
    if state.plus2:
        draw(draft, seat, state.plus2, DrawReason.PLUS2)
    elif state.owed is Owed.PLUS:
        draw(draft, seat, 1, DrawReason.PLUS)
    else:
        draw(draft, seat, 1, DrawReason.TURN)


def _draw_to_play(draft: Draft, seat: int) -> bool:
    """Draw one card; True if it could be played and so may be (22.19)."""
    fill_pile(draft, 1)
    cards = draft.state.draw_pile[:1]
    owed = Owed.DRAWN if starters(draft.state, cards) else None
    draft.record(CardsDrawn(seat=seat, reason=DrawReason.TURN, cards=Cards(cards), owed=owed))
    return owed is not None


def end_draw(draft: Draft, seat: int) -> None:
    """End a turn by drawing: a held win, a stalemate, or the next player (3.10, 11.5, B27)."""
    if draft.state.tally.waiting and win_waiting(draft):
        return
    if is_stalemate(draft.state):
        finish(draft, Ended.STALEMATE, None)
        return
    after_plus = draft.state.owed is Owed.PLUS
    pass_turn(draft, seat)
    if after_plus:
        owe_call(draft, seat)


def decline(draft: Draft, seat: int, *, say_last: bool = False) -> None:
    """End a turn without a further card, after a King or a drawn card (6.4, 22.19, 22.32)."""
    after_king = draft.state.owed is Owed.KING
    if after_king and draft.state.rules.king_decline is KingDecline.DRAW_ONE:
        draw(draft, seat, 1, DrawReason.KING)
    if say_last:
        say(draft, seat)
    pass_turn(draft, seat)
    if after_king:
        owe_call(draft, seat)
