"""What a play does once judged: settlement in the order of 2.2.5, and one function for each acting card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.engine.cards import BREAKER, FACES, KING, PLUS2S, PLUS3, SYMBOL, Cards, Face, Symbol
from games.engine.commands import PlayCards
from games.engine.draft import Draft, draw, finish, owe_call, pass_turn, say, win_waiting
from games.engine.events import (
    CardsPlayed,
    DrawReason,
    Plus3Opened,
    Plus3Settled,
    Settled,
    StageCleared,
    TakiClosed,
    WinHeld,
)
from games.engine.legality import NO_FACE, Play
from games.engine.ruleset import KingOnPlus3, Plus3LastCard, Plus3Window, ReverseTwoPlayers, WinOnPlus2
from games.engine.state import Ended, Owed, State, at_last_stage, is_duel, seats_after

CARDS_ADDED: Final = 2
CARDS_OF_PLUS3: Final = 3

_OWES: Final = (*({Symbol.KING: Owed.KING, Symbol.PLUS: Owed.PLUS}.get(SYMBOL[face]) for face in FACES), None)
_REVERSES: Final = bytes(face for face in FACES if SYMBOL[face] is Symbol.REVERSE)
_VOID_ON_WIN: Final = frozenset({Symbol.STOP, Symbol.REVERSE, Symbol.PLUS2})


def settle_play(draft: Draft, command: PlayCards, seat: int, play: Play, rest: bytes) -> None:
    """Carry out a judged play of the player to move; `rest` is the hand after it (2.2.5)."""
    on_stack = draft.state.plus2 > 0
    acts = play.acts
    if not rest:
        acts = _acting_at_the_end(draft.state, command.cards, play, seat)
    _record_play(draft, command.cards, seat, play, acts)
    if on_stack and acts not in PLUS2S and win_waiting(draft):
        return
    if acts == BREAKER:
        draw(draft, seat, CARDS_OF_PLUS3, DrawReason.BREAKER)
    if not draft.state.hands[seat]:
        if _plus_emptied_hand(draft.state, command.cards[-1], seat):
            draw(draft, seat, 1, DrawReason.PLUS)
            acts = NO_FACE
        elif empty_hand(draft, seat, acts):
            return
    if command.say_last:
        say(draft, seat)
    EFFECTS[acts](draft, seat)
    owe_call(draft, seat)


def _acting_at_the_end(state: State, cards: bytes, play: Play, seat: int) -> Face:
    """Give the acting card of a play that empties the hand: effects on others are void once it wins (2.2.3)."""
    if play.acts == NO_FACE or not at_last_stage(state, seat):
        return play.acts
    held = state.rules.win_on_plus2 is WinOnPlus2.AFTER_STACK_RESOLVED
    symbol = SYMBOL[cards[-1]]
    if symbol in _VOID_ON_WIN and not (symbol is Symbol.PLUS2 and held):
        return NO_FACE
    return play.acts


def _record_play(draft: Draft, cards: bytes, seat: int, play: Play, acts: Face) -> None:
    state = draft.state
    draft.record(
        CardsPlayed(
            seat=seat,
            cards=Cards(cards),
            lead=play.lead,
            lead_card=play.lead_card,
            open_taki=play.open_taki,
            plus2=state.plus2 + CARDS_ADDED if acts in PLUS2S else 0,
            owed=_OWES[acts],
            direction=-state.direction if acts in _REVERSES else 0,
        )
    )
    if play.closes:
        draft.record(TakiClosed(seat=seat))


def _plus_emptied_hand(state: State, last: Face, seat: int) -> bool:
    """Tell whether a Plus as last card keeps the hand from being empty, closed or not (7.1, 7.4, 22.7)."""
    return SYMBOL[last] is Symbol.PLUS and at_last_stage(state, seat) and not state.rules.win_on_plus


def empty_hand(draft: Draft, seat: int, acts: Face) -> bool:
    """Settle an emptied hand: the next stage, a win held back, or the win; True if the game is over."""
    state = draft.state
    rules = state.rules
    if not at_last_stage(state, seat):
        clear_stage(draft, seat)
        return False
    if acts in PLUS2S and rules.win_on_plus2 is WinOnPlus2.AFTER_STACK_RESOLVED:
        draft.record(WinHeld(seat=seat))
        return False
    if acts == PLUS3 and rules.plus3_last_card is Plus3LastCard.BREAKABLE:
        return False
    win(draft, seat)
    return True


def clear_stage(draft: Draft, seat: int) -> None:
    """Pass to the next stage and draw its cards at once (14.2, 14.12)."""
    stage = draft.state.tally.stages[seat]
    draft.record(StageCleared(seat=seat, cleared=stage, reached=stage - 1))
    draw(draft, seat, stage - 1, DrawReason.STAGE)


def win(draft: Draft, seat: int) -> None:
    """Let a player win; in a tournament they are through Stage 1 (14.10)."""
    if draft.state.tally.stages:
        draft.record(StageCleared(seat=seat, cleared=1, reached=0))
    finish(draft, Ended.WON, seat)


# --- acting cards --------------------------------------------------------------------------------


def _ends_turn(draft: Draft, seat: int) -> None:
    """Number, TAKI, Change Color, +2, Breaker: the turn passes (B27)."""
    pass_turn(draft, seat)


def _stops(draft: Draft, seat: int) -> None:
    """STOP: the next player is skipped; between two the same player plays again (B32, 2.4)."""
    pass_turn(draft, seat, 2)


def _reverses(draft: Draft, seat: int) -> None:
    """CHANGE DIRECTION, already turned: the turn passes; between two perhaps back (B37, 2.5)."""
    skips = draft.state.rules.reverse_two_players is ReverseTwoPlayers.SKIP and is_duel(draft.state)
    pass_turn(draft, seat, 2 if skips else 1)


def _keeps_turn(_draft: Draft, _seat: int) -> None:
    """King and Plus: the same player goes on (B51, B52)."""


def _opens_window(draft: Draft, seat: int) -> None:
    """+3: the others draw unless somebody answers (B54 to B56, 4.1 to 4.3)."""
    state = draft.state
    others = seats_after(state, seat)
    wins = not state.hands[seat] and not any(type(event) is StageCleared for event in draft.events)
    awaited = tuple(s for s in others if _is_asked(state, s, is_next=s == others[0], wins=wins))
    if awaited:
        draft.record(Plus3Opened(seat=seat, next_seat=others[0], awaited=awaited, wins=wins))
    else:
        settle_unanswered(draft, seat, wins=wins)


def _is_asked(state: State, seat: int, *, is_next: bool, wins: bool) -> bool:
    """Tell whether a player is awaited in the window (4.3, 22.22)."""
    rules = state.rules
    if rules.plus3_window is Plus3Window.ALL_PLAYERS:
        return True
    hand = state.hands[seat]
    king = is_next and not wins and rules.king_on_plus3 is not KingOnPlus3.FORBID and KING in hand
    return BREAKER in hand or king


def settle_unanswered(draft: Draft, seat: int, *, wins: bool) -> None:
    """Close the window of `seat` unanswered: the others draw three each, or the held win stands (4.1, 4.10)."""
    if wins:
        draft.record(Plus3Settled(seat=seat, outcome=Settled.WON))
        win(draft, seat)
        return
    draft.record(Plus3Settled(seat=seat, outcome=Settled.DRAWN))
    for other in seats_after(draft.state, seat):
        draw(draft, other, CARDS_OF_PLUS3, DrawReason.PLUS3)
    pass_turn(draft, seat)


_EFFECT_OF: Final[dict[Symbol, Callable[[Draft, int], None]]] = {
    Symbol.STOP: _stops,
    Symbol.REVERSE: _reverses,
    Symbol.KING: _keeps_turn,
    Symbol.PLUS: _keeps_turn,
    Symbol.PLUS3: _opens_window,
}
EFFECTS: Final = (*(_EFFECT_OF.get(SYMBOL[face], _ends_turn) for face in FACES), _ends_turn)
"""By face, and for NO_FACE: what the acting card does to the turn; every other card ends it."""
