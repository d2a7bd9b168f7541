"""A second engine, written from the rules alone and as plainly as they read, to be compared with the first.

Cards are codes, the table is changed in place, every option is looked at where its rule stands. It judges and refuses;
`second_table.py` holds the table and what cards do to it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from games.engine.cards import codes_of
from games.engine.commands import CatchLastCard, Command, DrawCards, Leave, Pass, PlayCards, SayLastCard, TimeOut
from tests.games.engine.second_piles import color_of, is_taki
from tests.games.engine.second_table import SecondTable


class No(Exception):
    """A refusal, by its code."""


class SecondEngine(SecondTable):
    """Takes commands; `No` is raised and nothing has changed, or the table moves on."""

    def do(self, command: Command, now: int) -> None:
        self.now = now
        if self.over:
            raise No("game_over")
        if isinstance(command, TimeOut):
            self.expire()
            return
        seat: Any = getattr(command, "seat", None)
        if seat is None or seat in self.left:
            raise No("not_in_game")
        ways: dict[type, Callable[[int, Any], None]] = {
            PlayCards: self._play,
            DrawCards: self._draw,
            Pass: self._pass,
            SayLastCard: self._say,
            CatchLastCard: self._catch,
            Leave: lambda leaver, _: self.leave(leaver),
        }
        ways[type(command)](seat, command)

    # --- plays (2.20, in its order) --------------------------------------------------------------

    def _play(self, seat: int, command: PlayCards) -> None:
        cards = codes_of(command.cards)
        if command.answer and not self.window:
            raise No("window_closed")
        if Counter(cards) - Counter(self.hands[seat]):
            raise No("card_not_in_hand")
        if self.window:
            self._answer(seat, cards, command)
            return
        if seat != self.turn:
            raise No("not_your_turn")
        self._judge_first(seat, cards)
        color = command.color.value if command.color else None
        run_color = command.run_color.value if command.run_color else None
        ends_in = None
        if is_taki(cards[0]) or self.continues(cards[0]):
            ends_in = self._judge_run(seat, cards, color, run_color, command.close)
        elif cards[0] == "change-color" and color is None:
            raise No("color_required")
        elif run_color or (color and cards[0] != "change-color"):
            raise No("color_not_allowed")
        self.act(seat)
        self.settle(seat, cards, (color, ends_in), close=command.close, say_last=command.say_last)

    def _judge_first(self, seat: int, cards: list[str]) -> None:
        first = cards[0]
        if self.plus2 and not self.answers_stack(first):
            raise No("must_answer_plus2")
        if not self.plus2 and not self._may_start(seat, first):
            raise No("card_does_not_match")
        if len(cards) > 1 and (self.plus2 or not (is_taki(first) or self.continues(first))):
            raise No("only_one_card")

    def _may_start(self, seat: int, card: str) -> bool:
        if self.owed == "king":
            return True
        if self.owed == "drawn" and card != self.hands[seat][-1]:
            return False
        return self.matches(card)

    def _judge_run(self, seat: int, cards: list[str], color: str | None, run_color: str | None, close: bool) -> str:
        """The color the run ends in (8.x)."""
        first, last = cards[0], cards[-1]
        continues = self.continues(first)
        names = (
            first == "super-taki"
            and not self.open
            and (self.lead[0] == "any" or self.option("super_taki_color") == "choose")
        )
        if names and run_color is None:
            raise No("color_required")
        now = color_of(first) or self.open or (run_color if names else self.lead[0])
        for at in range(1, len(cards)):
            now = self._next_in_run(cards, at, str(now), turns=not continues)
        if last == "change-color" and color is None:
            raise No("color_required")
        if color and last != "change-color":
            raise No("color_not_allowed")
        if run_color and not names:
            raise No("color_not_allowed")
        if close and is_taki(last):
            raise No("taki_cannot_be_closed")
        kept = Counter(self.hands[seat]) - Counter(cards)
        if self.option("taki_run_length") == "all" and not continues and any(color_of(c) == now for c in kept):
            raise No("must_play_all")
        return str(now)

    def _next_in_run(self, cards: list[str], at: int, now: str, turns: bool) -> str:
        card, mode = cards[at], self.option("colorless_in_run")
        if color_of(card) == now or (card == "super-taki" and mode != "none"):
            return now
        turns = turns and self.option("taki_on_taki_in_run") == "while_only_takis" and all(map(is_taki, cards[:at]))
        if turns and is_taki(card) and color_of(card):
            return str(color_of(card))
        if at == len(cards) - 1 and card == "change-color" and mode != "none":
            return now
        if at == len(cards) - 1 and card in ("king", "plus3", "breaker") and mode == "any":
            return now
        raise No("not_in_taki_color")

    def _answer(self, seat: int, cards: list[str], command: PlayCards) -> None:
        window = self.window
        assert window is not None
        breaks = cards == ["breaker"] and seat in window["awaited"]
        cancels = cards == ["king"] and seat == window["next"] and self.king_answers(window)
        if not (breaks or cancels):
            raise No("awaiting_plus3")
        if command.color or command.run_color:
            raise No("color_not_allowed")
        if breaks:
            self.break_plus3(seat, say_last=command.say_last)
        else:
            self.cancel_plus3(seat, say_last=command.say_last)

    # --- everything else -------------------------------------------------------------------------

    def _draw(self, seat: int, command: DrawCards) -> None:
        if command.answer and not self.window:
            raise No("window_closed")
        if self.window:
            raise No("awaiting_plus3")
        if seat != self.turn:
            raise No("not_your_turn")
        if self.owed in ("king", "drawn"):
            raise No("already_played")
        if not self.plus2:
            if self.owed == "plus" and self.option("plus_must_play") and self.can_play(seat):
                raise No("must_play_second_card")
            if not self.owed and self.option("draw_when_playable") == "forbid" and self.can_play(seat):
                raise No("must_play")
        self.act(seat)
        self.take_turn_cards(seat, may_play=self.option("play_drawn_card") == "immediate")

    def _pass(self, seat: int, command: Pass) -> None:
        if command.answer and not self.window:
            raise No("window_closed")
        if self.window:
            if seat not in self.window["awaited"]:
                raise No("not_waited_for")
            self.strikes[seat] = 0
            self.call(seat, command.say_last)
            self.window["awaited"].discard(seat)
            self.close_if_all_passed()
            return
        if seat != self.turn:
            raise No("not_your_turn")
        if self.plus2:
            raise No("must_answer_plus2")
        if self.owed not in ("king", "drawn"):
            raise No("cannot_pass")
        self.act(seat)
        self.decline(seat, say_last=command.say_last)

    def _say(self, seat: int, _: SayLastCard) -> None:
        if len(self.hands[seat]) != 1:
            raise No("nothing_to_declare")
        if seat in self.said:
            raise No("already_declared")
        self.call(seat, say_last=True)

    def _catch(self, seat: int, command: CatchLastCard) -> None:
        target = command.target
        if self.window:
            raise No("awaiting_plus3")
        due = self.option("last_card_mode") == "catch" and target in self.owes and target != seat
        if not due or self.now - self.owes[target] < self.option("catch_grace_ms"):
            raise No("nothing_to_catch")
        self.penalty(target)
