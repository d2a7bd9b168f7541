"""A player who picks evenly among the templates offered, and within a run an arbitrary legal one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from games.engine.cards import CHANGE_COLOR, COLORS, FACE, TAKIS
from games.engine.commands import CatchLastCard, DrawCards, Pass, PlayCards, SayLastCard
from games.engine.state import State
from games.engine.templates import CatchMove, DrawMove, PassMove, PlayMove, Run, SayLastMove, Template, Turned

Chosen = PlayCards | DrawCards | Pass | SayLastCard | CatchLastCard
"""What can be chosen among the moves offered."""

CALLS: Final = 0.75
"""How often the call is sent along with a play."""


def mover(state: State) -> int:
    """Give a seat that is waited for: the player to move, or the lowest seat asked in a window."""
    window = state.window
    if window is None:
        return state.turn
    return (window.awaited & -window.awaited).bit_length() - 1


class RandomPlayer:
    """Chooses commands; the same seed gives the same choices."""

    def __init__(self, seed: int) -> None:
        """Start from a seed."""
        self.random = Random(seed)

    def choose(self, moves: Sequence[Template], seat: int) -> Chosen:
        """Pick one of the moves, each with the same chance, and make a command of it."""
        move = moves[int(self.random.random() * len(moves))]
        if type(move) is PlayMove:
            return self._play(move, seat)
        if type(move) is DrawMove:
            return DrawCards(seat)
        if type(move) is PassMove:
            return Pass(seat, say_last=self.random.random() < CALLS, answer=move.answer)
        if type(move) is CatchMove:
            return CatchLastCard(seat, move.target)
        if type(move) is SayLastMove:
            return SayLastCard(seat)
        raise TypeError(type(move))

    def _play(self, move: PlayMove, seat: int) -> PlayCards:
        first = FACE[move.card]
        run = move.run
        if run is None:
            color = COLORS[int(self.random.random() * 4)] if first == CHANGE_COLOR else None
            return PlayCards(
                seat,
                bytes((first,)),
                color,
                None,
                close=False,
                say_last=self.random.random() < CALLS,
                answer=move.answer,
            )
        cards = bytes((first, *self.rest_of(run)))
        last = cards[-1]
        return PlayCards(
            seat,
            cards,
            COLORS[int(self.random.random() * 4)] if last == CHANGE_COLOR else None,
            run.color if move.needs else None,
            close=last not in TAKIS and self.random.random() < 0.5,
            say_last=self.random.random() < CALLS,
        )

    def rest_of(self, run: Run) -> list[int]:
        """Give legal cards to follow the first of a run, as faces in order."""
        if run.turns_to and self.random.random() < 0.5:
            rest = self._turned(self.random.choice(run.turns_to))
        else:
            rest = self._arranged(run.cards, run.required)
        if run.may_end_with and self.random.random() < 0.5:
            rest.append(FACE[self.random.choice(run.may_end_with)])
        return rest

    def _arranged(self, cards: Sequence[str], required: Sequence[str]) -> list[int]:
        rest = [FACE[code] for code in required]
        if len(cards) > len(rest):
            optional = [FACE[code] for code in cards]
            for face in rest:
                optional.remove(face)
            rest += self.random.sample(optional, int(self.random.random() * (len(optional) + 1)))
        if len(rest) > 1:
            self.random.shuffle(rest)
        return rest

    def _turned(self, way: Turned) -> list[int]:
        """Turn the run: TAKIs of other colors, then one of the new color, then what is left of it (22.29)."""
        own = f"{way.color.value}-taki"
        others = [code for code in way.cards if code.endswith("taki") and not code.startswith(way.color.value)]
        head = self.random.sample(others, int(self.random.random() * (len(others) + 1)))
        rest = list(way.cards)
        for code in (own, *others):
            rest.remove(code)
        required = list(way.required)
        if required:
            required.remove(own)
        return [FACE[code] for code in (*head, own)] + self._arranged(rest, required)
