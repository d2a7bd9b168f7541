"""What a command leads to at a table: first what the clock owes, then the command; pure but for the seed."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from eventlog.records import Cause, NewEvent
from games.engine.clock import ALWAYS_UP, Downtime, due, settle_due
from games.engine.commands import CatchLastCard, Command
from games.engine.decide import Decision, decide
from games.engine.draft import Draft, finish, is_too_long
from games.engine.events import Event, SeedRevealed
from games.engine.state import Ended, State
from games.log import new_event
from games.services import outages
from games.services.chance import StoredChance
from games.tables import Standing
from httpapi.problems import invalid_field


class Step(Struct, frozen=True):
    """The table after some events, and these events with their causes (None: that of the command)."""

    state: State
    events: tuple[tuple[Event, Cause | None], ...]

    def facts(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(event for event, _ in self.events)

    def new_events(self) -> tuple[NewEvent, ...]:
        """The events ready for the log."""
        return tuple(new_event(event, cause) for event, cause in self.events)


def settled(state: State, table: Standing, chance: StoredChance, downtime: Downtime | None = None) -> Step:
    """Do what the clock owes by the table's moment; without events if it owes nothing.

    `downtime` is what a sweep knows of outages; a command asks for it itself, and only where something is due.
    """
    step = Step(state, ())
    waiting = due(state)
    if not waiting or waiting[0].at > table.now:
        return step
    known = _downtime(table, waiting[0].at, downtime)
    decision = settle_due(state, chance, table.now, known)
    return step if decision is None else _ended(_after(step, decision, Cause.CLOCK), table, chance)


def _downtime(table: Standing, deadline: int, known: Downtime | None) -> Downtime:
    """The outages that count; none in the sandbox, where a clock moved forward would look like one."""
    if table.ahead is not None:
        return ALWAYS_UP
    return known or outages.as_a_player_sees(deadline, table.now)


def decided(before: Step, command: Command, table: Standing, chance: StoredChance) -> Step:
    """Let a command follow; raises the engine's Refusal."""
    decision = decide(before.state, command, chance, table.now)
    return _ended(_after(before, decision, None), table, chance)


def _after(before: Step, decision: Decision, cause: Cause | None) -> Step:
    return Step(decision.state, before.events + tuple((event, cause) for event in decision.events))


def _ended(step: Step, table: Standing, chance: StoredChance) -> Step:
    """Reveal the seed where the game has come to its end, by the rules or by its length."""
    if step.state.outcome is None and is_too_long(table.version + len(step.events)):
        draft = Draft(step.state, chance, table.now)
        finish(draft, Ended.STALEMATE, None)
        step = _after(step, Decision(draft.state, tuple(draft.events)), Cause.SYSTEM)
    if step.state.outcome is None:
        return step
    return Step(step.state, (*step.events, (SeedRevealed(seed=chance.seed.hex()), Cause.SYSTEM)))


def seated(command: Command, seat: int | None, seats: int) -> Command:
    """The command with its seat; a target that is no seat of this table is a fault of the request (22.17)."""
    if isinstance(command, CatchLastCard) and command.target >= seats:
        raise invalid_field("/target", "out_of_range", bound=f"< {seats}")
    return replace(command, seat=seat)
