"""What happens without a player's word: expired clocks, and players who leave (15.2 to 15.8, 22.14, 22.16)."""

from __future__ import annotations

from games.engine.answers import close_if_unawaited
from games.engine.cards import Cards
from games.engine.draft import Draft, end_call, finish, pass_turn, settle_calls, win_waiting
from games.engine.effects import settle_unanswered
from games.engine.events import (
    CallTimedOut,
    LeaveReason,
    PlayerLeft,
    Plus3Settled,
    Policy,
    Settled,
    TurnTimedOut,
    WindowTimedOut,
)
from games.engine.ruleset import LastRemaining, LeaverHand
from games.engine.state import Ended, Owed, State, Window, actives
from games.engine.turns import decline, draw_owed, end_draw


def policy_of(state: State) -> Policy:
    """Give what the clock does for the player to move (15.2)."""
    if state.plus2:
        return Policy.DRAW_STACK
    if state.owed is Owed.KING or state.owed is Owed.DRAWN:
        return Policy.PASS
    return Policy.DRAW


def strikes_in_a_row(state: State, seat: int) -> int:
    """Give the turns timed out since this player last acted or answered (22.14)."""
    return 0 if state.tally.answered >> seat & 1 else state.tally.strikes[seat]


def time_out(draft: Draft, deadline: int) -> None:
    """Act for whoever let the clock run out at `deadline` (ms): the window or the player to move (15.2)."""
    window = draft.state.window
    if window is not None:
        draft.record(WindowTimedOut(seat=window.seat, deadline=deadline, noticed=draft.now))
        settle_unanswered(draft, window.seat, wins=window.wins)
        return
    _time_out_turn(draft, deadline)


def _time_out_turn(draft: Draft, deadline: int) -> None:
    """Act for the player to move, then count the strike (15.3, 22.14)."""
    state = draft.state
    seat = state.turn
    strikes = strikes_in_a_row(state, seat) + 1
    policy = policy_of(state)
    draft.record(TurnTimedOut(seat=seat, deadline=deadline, noticed=draft.now, policy=policy, strikes=strikes))
    settle_calls(draft, seat)
    if policy is Policy.PASS:
        decline(draft, seat)
    else:
        draw_owed(draft, seat)
        end_draw(draft, seat)
    limit = state.rules.timeouts_before_forfeit
    if draft.state.outcome is None and 0 < limit <= strikes:
        leave_game(draft, seat, LeaveReason.TIMEOUTS)


def time_out_calls(draft: Draft) -> None:
    """Settle each call whose time is over (10.3, `last_card_deadline = seconds:N`)."""
    limit = draft.state.rules.last_card_ms()
    if limit is None:
        return
    for seat in range(len(draft.state.hands)):
        calls = draft.state.calls
        if calls.owes >> seat & 1 and calls.since[seat] + limit <= draft.now:
            draft.record(CallTimedOut(seat=seat, deadline=calls.since[seat] + limit, noticed=draft.now))
            end_call(draft, seat)


def leave_game(draft: Draft, seat: int, reason: LeaveReason = LeaveReason.LEFT) -> None:
    """Take a player out: the seat stays, turn order stays right (15.4 to 15.8)."""
    before = draft.state
    frozen = before.rules.leaver_hand is LeaverHand.FROZEN
    cards = Cards() if frozen else Cards(before.hands[seat])
    draft.record(PlayerLeft(seat=seat, reason=reason, cards=cards))
    if before.plus2 and before.turn == seat and win_waiting(draft):
        return
    if len(actives(draft.state)) == 1:
        _end_with_one(draft, before.window)
    elif before.window is not None:
        _leave_window(draft, before.window, seat)
    elif before.turn == seat:
        pass_turn(draft, seat)


def _leave_window(draft: Draft, window: Window, seat: int) -> None:
    """Void the +3 of a leaver, or count the leaver as passing (15.6, 15.7)."""
    if window.seat != seat:
        close_if_unawaited(draft, window)
        return
    draft.record(Plus3Settled(seat=seat, outcome=Settled.VOID))
    pass_turn(draft, seat)


def _end_with_one(draft: Draft, window: Window | None) -> None:
    """End the game with its last player: a held +3 win stands, else the forfeit (4.10, 15.8, 22.33)."""
    (last,) = actives(draft.state)
    if window is not None and window.wins and window.seat == last:
        settle_unanswered(draft, last, wins=True)
    elif draft.state.rules.last_remaining is LastRemaining.NO_WINNER:
        finish(draft, Ended.NO_WINNER, None)
    else:
        finish(draft, Ended.FORFEIT, last)
