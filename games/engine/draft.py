"""A decision being made: events recorded and evolved at once, so that the two cannot drift apart."""

from __future__ import annotations

from typing import Final, Protocol

from games.engine.cards import Cards
from games.engine.events import (
    CardsDrawn,
    DrawReason,
    Event,
    GameFinished,
    LastCardLapsed,
    LastCardOwed,
    LastCardSaid,
    PileReshuffled,
    StrikesCleared,
    TurnPassed,
)
from games.engine.evolve import EVOLVERS
from games.engine.ranking import places
from games.engine.ruleset import LastCardMode
from games.engine.state import Ended, Owed, State, actives, following, seats_after

MOST_EVENTS: Final = 50_000
"""No rule ends a table that draws by choice, so here it ends as a stalemate (22.15)."""


class Chance(Protocol):
    """Where chance comes from; its results stand in the events."""

    def shuffle(self, number: int, cards: bytes) -> bytes:
        """Shuffle; number 0 is the deal, k the k-th reshuffle of the game."""

    def pick(self, count: int) -> int:
        """Draw one of `count` seats."""


class Draft:
    """The events of one command so far and the table after them; `now` is ms since the epoch."""

    __slots__ = ("chance", "events", "now", "state")

    def __init__(self, state: State, chance: Chance, now: int) -> None:
        """Start from a table."""
        self.state = state
        self.chance = chance
        self.now = now
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Append an event and evolve."""
        self.events.append(event)
        self.state = EVOLVERS[type(event)](self.state, event, self.now)


def draw(draft: Draft, seat: int, count: int, reason: DrawReason) -> bytes:
    """Draw up to `count` cards and give them; a short pile is reshuffled once and never yields more (11.1, 11.2)."""
    if len(draft.state.draw_pile) < count:
        fill_pile(draft, count)
    cards = Cards(draft.state.draw_pile[:count])
    draft.record(CardsDrawn(seat=seat, reason=reason, cards=cards))
    return cards


def fill_pile(draft: Draft, count: int) -> None:
    """Reshuffle the discards below the lead if the pile holds fewer than `count` cards (11.1)."""
    state = draft.state
    if len(state.draw_pile) < count and state.lead_at:
        number = state.tally.shuffles + 1
        draft.record(PileReshuffled(cards=Cards(draft.chance.shuffle(number, state.discard[: state.lead_at]))))


def pass_turn(draft: Draft, seat: int, steps: int = 1) -> None:
    """End the turn of `seat`; `steps` counts active seats, 2 skips one (2.3)."""
    draft.record(TurnPassed(to=following(draft.state, seat, steps)))


def finish(draft: Draft, ended: Ended, winner: int | None) -> None:
    """End the game for all (B31, B64, B65)."""
    draft.record(GameFinished(ended=ended, winner=winner, places=places(draft.state, winner)))


def is_too_long(events: int) -> bool:
    """Tell whether a game of so many events ends without a winner (22.15)."""
    return events >= MOST_EVENTS


def win_waiting(draft: Draft) -> bool:
    """Let the player win whose last +2 has been drawn or cancelled, if any still waits (22.21)."""
    waiting = draft.state.tally.waiting
    if waiting:
        finish(draft, Ended.WON, waiting[0])
    return bool(waiting)


def begin_action(draft: Draft, seat: int) -> None:
    """Begin a turn action: strikes end (22.14) and the time for others' calls with them (10.3, 10.4)."""
    state = draft.state
    if state.tally.strikes[seat]:
        clear_strikes(draft, seat)
    if state.calls.owes:
        settle_calls(draft, seat)


def clear_strikes(draft: Draft, seat: int) -> None:
    """Forget the timeouts of a player who acts again (22.14)."""
    if draft.state.tally.strikes[seat]:
        draft.record(StrikesCleared(seat=seat))


def settle_calls(draft: Draft, seat: int) -> None:
    """Punish or let lapse the calls that others still owe, in turn order from `seat` (10.4, 10.5, 22.13)."""
    state = draft.state
    if not state.calls.owes & ~(1 << seat) or state.rules.last_card_ms() is not None:
        return
    for other in seats_after(state, seat):
        if state.calls.owes >> other & 1:
            end_call(draft, other)


def end_call(draft: Draft, seat: int) -> None:
    """End one player's time to call: the penalty, or nothing where nobody caught it (10.4, 10.5)."""
    rules = draft.state.rules
    if rules.last_card_mode is LastCardMode.CATCH:
        draft.record(LastCardLapsed(seat=seat))
    else:
        draw(draft, seat, rules.last_card_penalty, DrawReason.LAST_CARD_PENALTY)


def say(draft: Draft, seat: int) -> None:
    """Make the call that came with a play, if exactly one card is left (10.10, 22.9)."""
    state = draft.state
    if len(state.hands[seat]) == 1 and not state.calls.said >> seat & 1:
        draft.record(LastCardSaid(seat=seat))


def owe_call(draft: Draft, seat: int) -> None:
    """Let the duty to call arise where the action is over with one card left (10.1, 10.8, 22.11, 22.31)."""
    state = draft.state
    calls = state.calls
    if len(state.hands[seat]) != 1 or state.outcome is not None or (calls.said | calls.owes) >> seat & 1:
        return
    if state.owed is not None and state.turn == seat and state.owed is not Owed.DRAWN:
        return
    reached = calls.by_play | (calls.by_stage if state.rules.stage_one_declare else 0)
    if reached >> seat & 1:
        draft.record(LastCardOwed(seat=seat))


def is_stalemate(state: State) -> bool:
    """Tell whether every active player has drawn nothing in succession (11.5, 22.15)."""
    barren = state.tally.barren
    return barren != 0 and all(barren >> seat & 1 for seat in actives(state))
