"""What the seeds and the rules prove of a log: the commitment, the deal, every card's place, every decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from eventlog.records import Cause, StoredEvent
from games.engine import promises
from games.engine.cards import DECK
from games.engine.clock import due
from games.engine.draft import Chance, Draft, finish, is_too_long
from games.engine.events import (
    ClockExtended,
    Event,
    GameFinished,
    GameVoided,
    LeadTurned,
    LeaveReason,
    PileReshuffled,
    PlayerLeft,
    PositionSet,
    SeedRevealed,
    VoidReason,
)
from games.engine.evolve import evolve
from games.engine.expiry import leave_game
from games.engine.fairness import SeededChance, commitment_of
from games.engine.promises import Fault
from games.engine.redecide import Redecided, clock_again, redecide
from games.engine.state import Ended, State
from games.engine.story import Broken, Story

UNREADABLE: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What folding or deciding a log that no game can have written may end in."""


def check_commitment(story: Story, seed: bytes | None) -> None:
    """Prove that the commitment stands first, and that start, revealed seed and the seed that is kept keep to it."""
    _refuse(promises.commitment_fault(story.events))
    if seed is not None and commitment_of(seed) != story.opened().commitment:
        raise Broken(1, "the seed that is kept is not the one committed to")


def _refuse(fault: Fault | None) -> None:
    if fault is not None:
        raise Broken(fault.version, fault.detail)


def check_deal(story: Story, seed: bytes) -> None:
    """Prove that the seeds give this deal. Who was youngest no log tells, so the first player is taken from it."""
    started, place = story.started(), story.start()
    _refuse(promises.placing_fault(story.events))
    if started is None or story.is_placed():
        return
    chance = SeededChance(seed, started.client_seeds)
    _refuse(promises.dealing_fault(story.events, place, chance, story.rows[place].at))
    if story.play() > len(story.events):
        raise Broken(len(story.events), "the deal ends here, and is not whole")


def check_cards(story: Story, seed: bytes | None) -> State | None:
    """Fold the events and give the table they lead to.

    From the lead on every card of the deck, or of the position, is in exactly one place; reshuffles come from the seed.
    """
    state: State | None = None
    whole: bytes | None = None
    chance = _chance(story, seed)
    for row, event in zip(story.rows, story.events, strict=True):
        if isinstance(event, PileReshuffled) and state is not None and chance is not None:
            _check_reshuffle(row, event, state, chance)
        try:
            state = evolve(state, event, row.at)
        except UNREADABLE as fault:
            raise Broken(
                row.version, f"it does not follow from the events before it ({type(fault).__name__})"
            ) from None
        if state is not None and isinstance(event, LeadTurned | PositionSet):
            whole = bytes(sorted(DECK[state.rules.deck])) if isinstance(event, LeadTurned) else all_cards(state)
        if whole is not None and state is not None and all_cards(state) != whole:
            raise Broken(row.version, "a card is lost, or there twice")
    return state


def _chance(story: Story, seed: bytes | None) -> Chance | None:
    started = story.started()
    return None if seed is None or started is None else SeededChance(seed, started.client_seeds)


def _check_reshuffle(row: StoredEvent, event: PileReshuffled, state: State, chance: Chance) -> None:
    if chance.shuffle(state.tally.shuffles + 1, state.discard[: state.lead_at]) != event.cards:
        raise Broken(row.version, "the seeds give another reshuffle")


def all_cards(state: State) -> bytes:
    """Give all cards of a table, in canonical order."""
    return bytes(sorted(b"".join(state.hands) + state.draw_pile + state.discard))


# --- decisions -----------------------------------------------------------------------------------


def check_decisions(story: Story, seed: bytes) -> tuple[int, int]:
    """Decide every command behind the deal again: how many events that were, and how many no rule of play decides."""
    chance = _chance(story, seed)
    at = story.play()
    state = story.fold(at)
    decided = taken = 0
    while state is not None and chance is not None and at < len(story.events):
        row = story.rows[at]
        try:
            again = _DECIDED[row.cause](story, state, at, chance)
        except UNREADABLE as fault:
            raise Broken(
                row.version, f"it does not follow from the events before it ({type(fault).__name__})"
            ) from None
        if again is None:
            raise Broken(row.version, f"{row.cause.word} cannot lead to {row.kind} here by the rules")
        taken += again.events if row.cause in _OTHERS else 0
        decided += 0 if row.cause in _OTHERS else again.events
        state, at = again.state, at + again.events
    return decided, taken


_OTHERS: Final = (Cause.STAFF, Cause.SYSTEM)


def _by_player(story: Story, state: State, at: int, chance: Chance) -> Redecided | None:
    """A command of a seat, by the account that holds it, before any deadline that had passed by then."""
    row, started = story.rows[at], story.started()
    players = () if started is None else started.players
    if row.actor not in players:
        raise Broken(row.version, "its actor holds no seat")
    waiting = due(state)
    if waiting and waiting[0].at <= row.at:
        raise Broken(row.version, "a deadline had passed, and the clock has not acted before it")
    return redecide(state, _of_one_command(story, at), chance, row.at, players.index(row.actor))


def _by_clock(story: Story, state: State, at: int, chance: Chance) -> Redecided | None:
    """What was due by then; in the sandbox games run out as well."""
    row, event = story.rows[at], story.events[at]
    if isinstance(event, GameVoided):
        expires = event.reason is VoidReason.EXPIRED and story.opened().sandbox
        return _taken(state, event, row.at) if expires else None
    return clock_again(state, _of_one_command(story, at), chance, row.at)


def _by_staff(story: Story, state: State, at: int, chance: Chance) -> Redecided | None:
    """Rulings: the end of a game that counts nowhere, more time, a player sent away."""
    row, event = story.rows[at], story.events[at]
    voids = isinstance(event, GameVoided) and event.reason is VoidReason.RULING
    grants = isinstance(event, ClockExtended) and event.deadline is None and min(event.extra_ms, event.calls_ms) >= 0
    if state.outcome is None and (voids or grants):
        return _taken(state, event, row.at)
    if state.outcome is None and isinstance(event, PlayerLeft) and event.seat not in state.tally.left:
        draft = Draft(state, chance, row.at)
        leave_game(draft, event.seat, LeaveReason.RULING)
        return _drafted(story, at, draft)
    return None


def _by_system(story: Story, state: State, at: int, chance: Chance) -> Redecided | None:
    """The end of a game that is too long, and the seed after the end."""
    row, event = story.rows[at], story.events[at]
    if isinstance(event, SeedRevealed) and state.outcome is not None:
        return _taken(state, event, row.at)
    if isinstance(event, GameFinished) and state.outcome is None and is_too_long(row.version - 1):
        draft = Draft(state, chance, row.at)
        finish(draft, Ended.STALEMATE, None)
        return _drafted(story, at, draft)
    return None


def _by_nobody(*_: object) -> None:
    """After the deal a host is a player like the others."""


_DECIDED: Final[dict[Cause, Callable[[Story, State, int, Chance], Redecided | None]]] = {
    Cause.PLAYER: _by_player,
    Cause.CLOCK: _by_clock,
    Cause.HOST: _by_nobody,
    Cause.STAFF: _by_staff,
    Cause.SYSTEM: _by_system,
}


def _taken(state: State, event: Event, at: int) -> Redecided | None:
    evolved = evolve(state, event, at)
    return None if evolved is None else Redecided(evolved, 1)


def _drafted(story: Story, at: int, draft: Draft) -> Redecided | None:
    same = draft.events == list(story.events[at : at + len(draft.events)])
    return Redecided(draft.state, len(draft.events)) if same else None


def _of_one_command(story: Story, at: int) -> list[Event]:
    """Give the events of the command that goes on at `at`, as far as the same cause led to them."""
    end, row = at + 1, story.rows[at]
    while end < len(story.rows) and story.rows[end].span is None and _alike(story.rows[end], row):
        end += 1
    return list(story.events[at:end])


def _alike(one: StoredEvent, other: StoredEvent) -> bool:
    return (one.cause, one.actor, one.at) == (other.cause, other.actor, other.at)
