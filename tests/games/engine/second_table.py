"""What cards and turns do to the table of the second engine (see `second_engine.py`)."""

from tests.games.engine.second_piles import SecondPiles, Window, color_of, is_taki, symbol_of


class SecondTable(SecondPiles):
    # --- a play (2.2.5) --------------------------------------------------------------------------

    def settle(
        self, seat: int, cards: list[str], colors: tuple[str | None, str | None], close: bool, say_last: bool
    ) -> None:
        on_stack = self.plus2 > 0
        acting = self._lay(seat, cards, colors, close)
        if on_stack and acting == "king" and self.waiting:
            self.end("won", self.waiting[0])
            return
        if acting == "breaker":
            self.draw(seat, 3)
        if not self.hands[seat]:
            acting = self._emptied(seat, cards[-1], acting)
            if self.over:
                return
        if acting == "plus2":
            self.plus2 += 2
        if acting == "reverse":
            self.direction = -self.direction
        self.call(seat, say_last)
        self._effect(seat, acting)
        self.owe(seat)

    def _lay(self, seat: int, cards: list[str], colors: tuple[str | None, str | None], close: bool) -> str | None:
        """Cards leave the hand; lead and open TAKI; the symbol that acts."""
        named, run = colors
        joins_stack = self.plus2 > 0
        for card in cards:
            self.hands[seat].remove(card)
        self.discard += cards
        self.barren.clear()
        last = cards[-1]
        if run and color_of(last) is None and last != "super-taki":
            self.lead, self.lead_at, self.open = (run, symbol_of(cards[-2])), len(self.discard) - 2, None
            self._lay_colorless(last, named)
        elif run:
            self.lead, self.lead_at = (run, symbol_of(last)), len(self.discard) - 1
            self.open = None if close else run
            if is_taki(last) or not (close or joins_stack or self.option("left_open_last_action") == "acts"):
                self._count(seat)
                return None
        elif color_of(last):
            self.lead, self.lead_at = (str(color_of(last)), symbol_of(last)), len(self.discard) - 1
            self.open = None
        else:
            self._lay_colorless(last, named)
        self._count(seat)
        return symbol_of(last)

    def _lay_colorless(self, card: str, named: str | None) -> None:
        if card == "change-color":
            self.lead, self.open = (str(named), "change-color"), None
            self.lead_at = len(self.discard) - 1
        if card == "king":
            self.open, self.plus2 = None, 0
            self.lead_at = len(self.discard) - 1
            if self.option("king_lead") == "any":
                self.lead = ("any", "king")

    def _count(self, seat: int) -> None:
        if len(self.hands[seat]) != 1:
            self.lapse(seat)
        self.by_play.discard(seat)
        self.by_stage.discard(seat)
        if len(self.hands[seat]) == 1:
            self.by_play.add(seat)

    def _emptied(self, seat: int, last: str, acting: str | None) -> str | None:
        """An empty hand: a Plus that does not win, the next stage, a win held back, or the win."""
        if not self.is_last_stage(seat):
            self.next_stage(seat)
            return "plus3 of a new stage" if acting == "plus3" else acting
        if symbol_of(last) == "plus" and not self.option("win_on_plus"):
            if not self.draw(seat, 1):
                self.barren.add(seat)
            return None
        if acting == "plus2" and self.option("win_on_plus2") == "after_stack_resolved":
            self.waiting.append(seat)
            return acting
        if acting == "plus3" and self.option("plus3_last_card") == "breakable":
            return acting
        self.win(seat)
        return acting

    def next_stage(self, seat: int) -> None:
        self.stages[seat] -= 1
        came = self.draw(seat, self.stages[seat])
        if came == 1 and self.stages[seat] == 1:
            self.by_stage.add(seat)

    def _effect(self, seat: int, acting: str | None) -> None:
        if acting in ("king", "plus"):
            self.owed = acting
        elif acting == "stop":
            self.pass_turn(seat, skip=True)
        elif acting == "reverse":
            self.pass_turn(seat, skip=len(self.active()) == 2 and self.option("reverse_two_players") == "skip")
        elif acting and acting.startswith("plus3"):
            self._open_window(seat, wins=acting == "plus3" and not self.hands[seat])
        else:
            self.pass_turn(seat)

    # --- +3 (4.x) --------------------------------------------------------------------------------

    def _open_window(self, seat: int, wins: bool) -> None:
        self.owed = None
        window: Window = {"seat": seat, "next": self.after(seat)[0], "wins": wins, "awaited": set()}
        for other in self.after(seat):
            king = other == window["next"] and "king" in self.hands[other] and self.king_answers(window)
            if king or "breaker" in self.hands[other] or self.option("plus3_window") == "all_players":
                window["awaited"].add(other)
        self.window = window
        self.close_if_all_passed()

    def king_answers(self, window: Window) -> bool:
        return self.option("king_on_plus3") != "forbid" and not window["wins"]

    def close_if_all_passed(self) -> None:
        if self.window and not self.window["awaited"]:
            self.close_unanswered()

    def close_unanswered(self) -> None:
        assert self.window
        seat, wins = self.window["seat"], self.window["wins"]
        self.window = None
        if wins:
            self.win(seat)
            return
        for other in self.after(seat):
            self.draw(other, 3)
        self.pass_turn(seat)

    def break_plus3(self, seat: int, say_last: bool) -> None:
        assert self.window
        thrower = self.window["seat"]
        self.strikes[seat] = 0
        self.hands[seat].remove("breaker")
        self.discard.append("breaker")
        self.barren.clear()
        self._count(seat)
        self.window = None
        if not self.hands[seat]:
            if self.is_last_stage(seat):
                self.win(seat)
                return
            self.next_stage(seat)
        self.call(seat, say_last)
        self.draw(thrower, 3)
        self.pass_turn(thrower)
        self.owe(seat)

    def cancel_plus3(self, seat: int, say_last: bool) -> None:
        assert self.window
        thrower = self.window["seat"]
        self.act(seat)
        self.window = None
        self.turn = seat
        self._lay(seat, ["king"], (None, None), close=False)
        self.owed = "king"
        if not self.hands[seat]:
            if self.is_last_stage(seat):
                self.win(seat)
                return
            self.next_stage(seat)
        self.call(seat, say_last)
        if self.option("king_on_plus3") == "self_only":
            for other in self.after(thrower):
                if other != seat:
                    self.draw(other, 3)

    # --- turns without a card played -------------------------------------------------------------

    def take_turn_cards(self, seat: int, may_play: bool) -> None:
        count, after_plus, on_stack = self.plus2 or 1, self.owed == "plus", self.plus2 > 0
        came = self.draw(seat, count)
        if not came:
            self.barren.add(seat)
        self.plus2 = 0
        if on_stack and self.waiting:
            self.end("won", self.waiting[0])
            return
        if may_play and came and not after_plus and not on_stack and self.matches(self.hands[seat][-1]):
            self.owed = "drawn"
            return
        if self.barren >= set(self.active()):
            self.end("stalemate", None)
            return
        self.pass_turn(seat)
        if after_plus:
            self.owe(seat)

    def decline(self, seat: int, say_last: bool) -> None:
        after_king = self.owed == "king"
        if after_king and self.option("king_decline") == "draw_one":
            self.draw(seat, 1)
        self.call(seat, say_last)
        self.pass_turn(seat)
        if after_king:
            self.owe(seat)

    def expire(self) -> None:
        """The clock (15.2, 22.14)."""
        if self.window:
            self.close_unanswered()
            return
        seat = self.turn
        self.strikes[seat] += 1
        self.settle_calls(seat)
        if self.owed in ("king", "drawn"):
            self.decline(seat, say_last=False)
        else:
            self.take_turn_cards(seat, may_play=False)
        limit = self.option("timeouts_before_forfeit")
        if not self.over and limit and self.strikes[seat] >= limit:
            self.leave(seat)

    def leave(self, seat: int) -> None:
        """Leaving (15.4 to 15.8, 22.16, 22.21, 22.22)."""
        if self.option("leaver_hand") == "to_draw_pile" and self.hands[seat]:
            self.pile += self.hands[seat]
            self.hands[seat] = []
            self.barren.clear()
        self.lapse(seat)
        self.by_play.discard(seat)
        self.by_stage.discard(seat)
        self.left.append(seat)
        if seat in self.waiting:
            self.waiting.remove(seat)
        if self.window:
            self._leave_window(seat, self.window)
        elif seat == self.turn:
            resolves = self.plus2 > 0
            self.plus2 = 0
            if resolves and self.waiting:
                self.end("won", self.waiting[0])
                return
            if len(self.active()) > 1:
                self.pass_turn(seat)
        self._end_if_alone()

    def _leave_window(self, seat: int, window: Window) -> None:
        window["awaited"].discard(seat)
        if seat == window["seat"]:
            self.window = None
            if len(self.active()) > 1:
                self.pass_turn(seat)
        elif len(self.active()) > 1 or window["wins"]:
            self.close_if_all_passed()

    def _end_if_alone(self) -> None:
        active = self.active()
        if self.over or len(active) > 1:
            return
        if self.option("last_remaining") == "no_winner":
            self.end("no_winner", None)
        else:
            self.end("forfeit", active[0])
