"""What may be played: matching, runs, and the judgment of one play (rules 2.2.2, 3.1, 8.x)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from games.engine.cards import (
    BREAKER,
    CHANGE_COLOR,
    CODE,
    COLOR,
    COLORS,
    FACES,
    KING,
    LEAD_OF_FACE,
    NOT_OF_COLOR,
    PLUS2S,
    PLUS3,
    SUPER_TAKI,
    SYMBOL,
    TAKIS,
    Color,
    Face,
    Lead,
    Symbol,
    codes_of,
    lead_of,
)
from games.engine.commands import PlayCards
from games.engine.refusals import (
    CardDoesNotMatch,
    ColorNotAllowed,
    ColorRequired,
    MustAnswerPlus2,
    MustPlayAll,
    NotInTakiColor,
    OnlyOneCard,
    TakiCannotBeClosed,
)
from games.engine.ruleset import (
    ColorlessInRun,
    DrawWhenPlayable,
    KingLead,
    LastCardMode,
    LeftOpenAction,
    OtherColor,
    RunLength,
    SuperTakiColor,
    TakiOnTaki,
)
from games.engine.state import Owed, State

NO_FACE: Final[Face] = len(FACES)
_KING_LEAD: Final = lead_of(Color.ANY, Symbol.KING)
_OTHER_COLORS: Final = tuple(bytes(f for f in FACES if COLOR[f] not in {None, color}) for color in COLORS)
_BREAKER_ALONE: Final = bytes([BREAKER])


class Play(Struct, frozen=True, gc=False):
    """A legal play, judged: the table's lead, open TAKI and acting card after it.

    `lead_card` counts from the end of the cards (1: the last; 0: the lead stays). `acts` is the face whose effect
    applies, NO_FACE if none. `open_taki` is the run's color if this is a run that no colorless card ended, `closes`
    that it was declared closed.
    """

    lead: Lead
    acts: Face
    lead_card: int = 1
    open_taki: Color | None = None
    closes: bool = False


_PLAIN: Final = tuple(Play(LEAD_OF_FACE[face], face) for face in FACES)


def starters(state: State, hand: bytes) -> bytes:
    """Give the cards of the hand to move that may start a play, copies and order kept (2.2.2, 3.1, 22.19, 22.28)."""
    if state.plus2:
        king = state.rules.king_cancels_plus2
        return bytes(f for f in hand if f in PLUS2S or (f == KING and king))
    if state.owed is Owed.KING:
        return hand
    if state.owed is Owed.DRAWN:
        hand = hand[-1:]
    playable = hand.translate(None, state.lead.mismatch)
    if state.open_taki and state.rules.open_taki_other_color is OtherColor.FORBID:
        return playable.translate(None, _OTHER_COLORS[state.open_taki.index])
    return playable


def can_play(state: State, hand: bytes) -> bool:
    """Tell whether a card counts as playable; a Breaker never does (5.6, 22.36)."""
    return bool(starters(state, hand).translate(None, _BREAKER_ALONE))


def may_draw(state: State, hand: bytes) -> bool:
    """Tell whether the player to move may draw where no King and no drawn card stands before it (3.3, 7.6, 12.1)."""
    if state.plus2:
        return True
    rules = state.rules
    forbidden = rules.plus_must_play if state.owed is Owed.PLUS else rules.draw_when_playable is DrawWhenPlayable.FORBID
    return not (forbidden and can_play(state, hand))


def can_catch(state: State, seat: int, target: int, now: int) -> bool:
    """Tell whether `seat` may catch `target` at `now` (ms): a call is owed, and the grace is over (10.5, 22.24)."""
    calls = state.calls
    if state.rules.last_card_mode is not LastCardMode.CATCH or target == seat or not calls.owes >> target & 1:
        return False
    return now - calls.since[target] >= state.rules.catch_grace_ms


def continues_run(state: State, face: Face) -> bool:
    """Tell whether this first card goes on with an open TAKI (8.6, 8.9, 22.6)."""
    return state.open_taki is not None and (COLOR[face] is state.open_taki or face == SUPER_TAKI)


def names_run_color(state: State, face: Face) -> bool:
    """Tell whether a run begun with this card takes `run_color` (6.5, 22.30)."""
    if face != SUPER_TAKI or state.open_taki is not None:
        return False
    return state.lead.color is Color.ANY or state.rules.super_taki_color is SuperTakiColor.CHOOSE


def lead_after_king(state: State, beneath: Lead) -> Lead:
    """Give the lead after a lone King (6.3, 22.4)."""
    return _KING_LEAD if state.rules.king_lead is KingLead.ANY else beneath


def judge(state: State, command: PlayCards, rest: bytes) -> Play:
    """Judge a play of the player to move, `rest` being the hand without its cards; refusals in the order of 2.20."""
    cards = command.cards
    first = cards[0]
    _check_first(state, command, first)
    if first in TAKIS or continues_run(state, first):
        return _judge_run(state, command, rest)
    if len(cards) > 1:
        raise OnlyOneCard(card=CODE[first])
    if command.color is None and command.run_color is None and first < SUPER_TAKI:
        return _PLAIN[first]
    return _judge_single(state, command, first)


def _check_first(state: State, command: PlayCards, first: Face) -> None:
    if state.plus2:
        if first not in PLUS2S and not (first == KING and state.rules.king_cancels_plus2):
            raise MustAnswerPlus2(plus2=state.plus2)
        if len(command.cards) > 1:
            raise OnlyOneCard(card=CODE[first])
    elif not _may_start(state, first):
        raise CardDoesNotMatch(card=CODE[first], color=state.lead.color.value, symbol=state.lead.symbol.value)


def _may_start(state: State, first: Face) -> bool:
    """Tell whether this card of the hand to move is one of its starters."""
    if state.owed is None and state.open_taki is None:
        return first not in state.lead.mismatch
    return first in starters(state, state.hands[state.turn])


def _judge_single(state: State, command: PlayCards, first: Face) -> Play:
    if first == CHANGE_COLOR and command.color is None:
        raise ColorRequired(field="color")
    if command.run_color is not None or (command.color is not None and first != CHANGE_COLOR):
        raise ColorNotAllowed(field="color" if command.run_color is None else "run_color")
    if command.color is not None:
        return Play(lead_of(command.color, Symbol.CHANGE_COLOR), first)
    if first == KING:
        return Play(lead_after_king(state, state.lead), first)
    return Play(state.lead, first, lead_card=0, open_taki=state.open_taki)


def _first_color(state: State, command: PlayCards, first: Face) -> Color:
    """Give the color a run starts in (8.9, 8.19, 6.5)."""
    color = COLOR[first]
    if color is not None:
        return color
    if state.open_taki is not None:
        return state.open_taki
    if not names_run_color(state, first):
        return state.lead.color
    if command.run_color is None:
        raise ColorRequired(field="run_color")
    return command.run_color


def run_color_of(state: State, cards: bytes, color: Color) -> Color:
    """Follow a run that starts in `color` and give the color it ends in; NotInTakiColor names a misplaced card."""
    rules = state.rules
    colorless = rules.colorless_in_run
    turns = rules.taki_on_taki_in_run is TakiOnTaki.WHILE_ONLY_TAKIS and not continues_run(state, cards[0])
    only_takis = True
    last = len(cards) - 1
    for at in range(1, len(cards)):
        face = cards[at]
        taki = face in TAKIS
        if COLOR[face] is color or (face == SUPER_TAKI and colorless is not ColorlessInRun.NONE):
            pass
        elif turns and only_takis and taki and face != SUPER_TAKI:
            color = COLOR[face] or color
        elif at != last or not _may_end_run(face, colorless):
            raise NotInTakiColor(card=CODE[face], color=color.value)
        only_takis = only_takis and taki
    return color


def _may_end_run(face: Face, colorless: ColorlessInRun) -> bool:
    if face == CHANGE_COLOR:
        return colorless is not ColorlessInRun.NONE
    return colorless is ColorlessInRun.ANY and face in (KING, PLUS3, BREAKER)


def _judge_run(state: State, command: PlayCards, rest: bytes) -> Play:
    cards = command.cards
    first, last = cards[0], cards[-1]
    color = run_color_of(state, cards, _first_color(state, command, first))
    if (command.color is None) is (last == CHANGE_COLOR):
        if command.color is None:
            raise ColorRequired(field="color")
        raise ColorNotAllowed(field="color")
    if command.run_color is not None and not names_run_color(state, first):
        raise ColorNotAllowed(field="run_color")
    if command.close and last in TAKIS:
        raise TakiCannotBeClosed(card=CODE[last])
    if state.rules.taki_run_length is RunLength.ALL and not continues_run(state, first):
        kept = rest.translate(None, NOT_OF_COLOR[color.index])
        if kept:
            raise MustPlayAll(cards=codes_of(kept), color=color.value)
    return _run_played(state, command, color)


def _run_played(state: State, command: PlayCards, color: Color) -> Play:
    cards = command.cards
    last = cards[-1]
    if last > SUPER_TAKI:
        return _ended_run(state, command, color)
    lead = lead_of(color, SYMBOL[last])
    acts = NO_FACE
    if last not in TAKIS and (command.close or state.plus2 or state.rules.left_open_last_action is LeftOpenAction.ACTS):
        acts = last
    return Play(lead, acts, open_taki=color, closes=command.close)


def _ended_run(state: State, command: PlayCards, color: Color) -> Play:
    """Judge a run whose final card is colorless and ends it (8.18, 22.26)."""
    last = command.cards[-1]
    if command.color is not None:
        return Play(lead_of(command.color, Symbol.CHANGE_COLOR), last)
    before = lead_of(color, SYMBOL[command.cards[-2]])
    if last == KING:
        return Play(lead_after_king(state, before), last)
    return Play(before, last, lead_card=2)
