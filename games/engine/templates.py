"""The legal moves of one seat as templates: complete, sound, unique, and linear in the hand (api: section 5)."""

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
    PLUS3,
    SUPER_TAKI,
    TAKIS,
    Color,
    Face,
)
from games.engine.legality import can_catch, continues_run, may_draw, names_run_color, starters
from games.engine.ruleset import ColorlessInRun, KingOnPlus3, LastCardMode, Ruleset, RunLength, TakiOnTaki
from games.engine.state import Owed, State, Window


class Turned(Struct, frozen=True, gc=False):
    """A run that other TAKIs turn to this color (22.29): the other TAKIs stand first, the last colored one decides."""

    color: Color
    cards: tuple[str, ...]
    required: tuple[str, ...]


class Run(Struct, frozen=True, gc=False, omit_defaults=True):
    """What may follow the first card of a run: codes, one entry for each physical card beside it."""

    color: Color
    begins: bool
    cards: tuple[str, ...]
    required: tuple[str, ...]
    may_end_with: tuple[str, ...]
    turns_to: tuple[Turned, ...] = ()


class PlayMove(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="play"):
    """Play this card, alone or as the first of a run; `needs` names fields that the command must carry."""

    card: str
    needs: tuple[str, ...] = ()
    run: Run | None = None
    answer: bool = False


class DrawMove(Struct, frozen=True, gc=False, tag_field="type", tag="draw"):
    """Draw `count` cards."""

    count: int


class PassMove(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="pass"):
    """Pass."""

    answer: bool = False


class SayLastMove(Struct, frozen=True, gc=False, tag_field="type", tag="say_last"):
    """Call "last card"."""


class CatchMove(Struct, frozen=True, gc=False, tag_field="type", tag="catch"):
    """Catch `target`."""

    target: int


Template = PlayMove | DrawMove | PassMove | SayLastMove | CatchMove

PLAIN: Final = tuple(PlayMove(CODE[face], ("color",) if face == CHANGE_COLOR else ()) for face in FACES)
_ANSWER: Final = {face: PlayMove(CODE[face], answer=True) for face in (BREAKER, KING)}
_DRAW_ONE: Final = DrawMove(1)
_PASS: Final = PassMove()
_PASS_ANSWER: Final = PassMove(answer=True)
_SAY_LAST: Final = SayLastMove()
_CATCH: Final = tuple(CatchMove(seat) for seat in range(10))
_NOT_IN_RUN: Final = tuple(
    bytes(face for face in FACES if COLOR[face] is not color and face != SUPER_TAKI) for color in COLORS
)
_NOT_OF: Final = tuple(bytes(face for face in FACES if COLOR[face] is not color) for color in COLORS)
_NOT_TAKIS: Final = bytes(face for face in FACES if face not in TAKIS)
_ONE: Final = tuple(bytes([face]) for face in FACES)
_ENDS: Final = {
    ColorlessInRun.DEFAULT: (CHANGE_COLOR,),
    ColorlessInRun.NONE: (),
    ColorlessInRun.ANY: (CHANGE_COLOR, KING, PLUS3, BREAKER),
}


def legal_moves(state: State, seat: int, now: int) -> list[Template]:
    """Give the templates of a seat at `now` (ms); empty when the game is over or the seat is out."""
    if state.outcome is not None or seat in state.tally.left:
        return []
    moves: list[Template] = []
    if state.window is not None:
        _answers(state, state.window, seat, moves)
    elif seat == state.turn:
        _plays(state, seat, moves)
    hand = state.hands[seat]
    if len(hand) == 1 and not state.calls.said >> seat & 1:
        moves.append(_SAY_LAST)
    if state.rules.last_card_mode is LastCardMode.CATCH and state.window is None:
        moves.extend(_CATCH[s] for s in range(len(state.hands)) if can_catch(state, seat, s, now))
    return moves


def _answers(state: State, window: Window, seat: int, moves: list[Template]) -> None:
    hand = state.hands[seat]
    awaited = window.awaited >> seat & 1
    if awaited and BREAKER in hand:
        moves.append(_ANSWER[BREAKER])
    allowed = state.rules.king_on_plus3 is not KingOnPlus3.FORBID and not window.wins
    if allowed and seat == window.next_seat and KING in hand:
        moves.append(_ANSWER[KING])
    if awaited:
        moves.append(_PASS_ANSWER)


def _plays(state: State, seat: int, moves: list[Template]) -> None:
    hand = state.hands[seat]
    runs = state.open_taki is not None
    for face in dict.fromkeys(starters(state, hand)):
        if face in TAKIS or (runs and continues_run(state, face)):
            _add_runs(state, hand, face, moves)
        else:
            moves.append(PLAIN[face])
    if state.owed is Owed.KING or state.owed is Owed.DRAWN:
        moves.append(_PASS)
    elif may_draw(state, hand):
        moves.append(DrawMove(state.plus2) if state.plus2 else _DRAW_ONE)


def _add_runs(state: State, hand: bytes, face: Face, moves: list[Template]) -> None:
    """Add the template of a run with this first card, or one for each color it may name."""
    others = hand.replace(_ONE[face], b"", 1)
    code = CODE[face]
    if state.open_taki is not None and continues_run(state, face):
        cards = b"" if state.plus2 else others
        moves.append(PlayMove(code, run=_run(state.rules, cards, state.open_taki, begins=False)))
    elif names_run_color(state, face):
        moves.extend(PlayMove(code, ("run_color",), _run(state.rules, others, color, begins=True)) for color in COLORS)
    else:
        color = COLOR[face] or state.lead.color
        moves.append(PlayMove(code, run=_run(state.rules, others, color, begins=True)))


def _codes(cards: bytes) -> tuple[str, ...]:
    return tuple([CODE[face] for face in cards])


def _run(rules: Ruleset, others: bytes, color: Color, *, begins: bool) -> Run:
    colorless = rules.colorless_in_run
    colored = others.translate(None, _NOT_OF[color.index])
    cards = colored if colorless is ColorlessInRun.NONE else others.translate(None, _NOT_IN_RUN[color.index])
    must = begins and rules.taki_run_length is RunLength.ALL
    turns = begins and rules.taki_on_taki_in_run is TakiOnTaki.WHILE_ONLY_TAKIS
    return Run(
        color,
        begins,
        _codes(cards),
        _codes(colored) if must else (),
        tuple([CODE[face] for face in _ENDS[colorless] if face in others]),
        _turns(rules, others, color, must=must) if turns else (),
    )


def _turns(rules: Ruleset, others: bytes, started: Color, *, must: bool) -> tuple[Turned, ...]:
    """Give the colors that TAKIs of other colors can turn the run to, its own again included (22.29)."""
    takis = others.translate(None, _NOT_TAKIS)
    colors = {color for face in takis if (color := COLOR[face]) is not None}
    if not colors - {started}:
        return ()
    supers = takis if rules.colorless_in_run is not ColorlessInRun.NONE else takis.replace(_ONE[SUPER_TAKI], b"")
    turned = []
    for color in COLORS:
        if color in colors:
            own = others.translate(None, _NOT_OF[color.index])
            cards = own + bytes(face for face in supers if COLOR[face] is not color)
            turned.append(Turned(color, _codes(cards), _codes(own) if must else ()))
    return tuple(turned)
