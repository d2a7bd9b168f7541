"""What must be true of a game's log beyond its digests: commitment before client seeds, deal and reshuffles, state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import cast
from uuid import UUID

from msgspec import Struct

from eventlog import checks
from eventlog.chain import verify
from eventlog.records import Break, Head, StoredEvent
from games.engine.draft import Chance
from games.engine.events import (
    Event,
    GameOpened,
    GameStarted,
    PileReshuffled,
    PositionSet,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
)
from games.engine.evolve import evolve
from games.engine.fairness import SeededChance, commitment_of
from games.engine.opening import deal_again
from games.engine.state import State, pack
from games.log import events_of
from games.models import Game
from games.tables import STATE_FORMAT


class Fault(Struct, frozen=True):
    """The first event at which a proof fails, and why."""

    version: int
    detail: str


class GameFlaw(Enum):
    """Which proof of a game fails."""

    COMMITMENT = "commitment"
    DEAL = "deal"
    STATE = "state"


class Story(Struct, frozen=True):
    """A whole log with its events read, from the opening on."""

    rows: Sequence[StoredEvent]
    events: tuple[Event, ...]

    @classmethod
    def of(cls, rows: Sequence[StoredEvent]) -> Story:
        """Read the events of all rows."""
        return cls(rows, events_of(rows))

    def seed(self) -> bytes | None:
        """The server seed, once it is revealed."""
        for event in reversed(self.events):
            if isinstance(event, SeedRevealed):
                return bytes.fromhex(event.seed)
        return None

    def is_placed(self) -> bool:
        """Whether a position took the place of the deal, as only in the sandbox."""
        return any(isinstance(event, PositionSet) for event in self.events)

    def fold(self) -> State | None:
        """The table that the events lead to."""
        state: State | None = None
        for row, event in zip(self.rows, self.events, strict=True):
            state = evolve(state, event, row.at)
        return state


def commitment_fault(story: Story) -> Fault | None:
    """The commitment stands first, before every client seed; the start and the revealed seed keep to it."""
    opened = story.events[0]
    if not isinstance(opened, GameOpened):
        return Fault(1, "the log does not begin with game_opened")
    given: list[str | None] = []
    for row, event in zip(story.rows, story.events, strict=True):
        if isinstance(event, SeatTaken):
            given.append(event.client_seed)
        elif isinstance(event, SeatLeft):
            del given[event.seat]
        elif detail := _broken_promise(event, opened.commitment, given):
            return Fault(row.version, detail)
    return None


def _broken_promise(event: Event, commitment: str, given: list[str | None]) -> str | None:
    if isinstance(event, GameStarted) and event.commitment != commitment:
        return "started under another commitment than it was opened under"
    if isinstance(event, GameStarted) and list(event.client_seeds) != given:
        return "started with other client seeds than were given"
    if isinstance(event, SeedRevealed) and commitment_of(bytes.fromhex(event.seed)) != commitment:
        return "the revealed seed is not the one committed to"
    return None


def deal_fault(story: Story, seed: bytes | None) -> Fault | None:
    """Deal, opening lead and every reshuffle come from the revealed seed and the client seeds.

    The cards of a sandbox game are placed, not dealt: there only the reshuffles do.
    """
    if seed is None:
        return placing_fault(story)
    state: State | None = None
    chance: Chance | None = None
    for at, (row, event) in enumerate(zip(story.rows, story.events, strict=True)):
        if isinstance(event, GameStarted):
            chance = SeededChance(seed, event.client_seeds)
            if fault := placing_fault(story) if story.is_placed() else _dealing_fault(story, at, chance):
                return fault
        if isinstance(event, PileReshuffled) and state is not None and chance is not None:
            below = state.discard[: state.lead_at]
            if chance.shuffle(state.tally.shuffles + 1, below) != event.cards:
                return Fault(row.version, "the seeds give another reshuffle")
        state = evolve(state, event, row.at)
    return None


def _dealing_fault(story: Story, at: int, chance: Chance) -> Fault | None:
    """The events from `game_started`, which stands at this place, to the opening lead."""
    started = cast("GameStarted", story.events[at])
    dealt = deal_again(started, chance, story.rows[at].at)
    for row, expected, stored in zip(story.rows[at:], dealt, story.events[at:], strict=False):
        if expected != stored:
            return Fault(row.version, "the seeds give another deal")
    return None


def placing_fault(story: Story) -> Fault | None:
    """A position stands only right after the start of a game that was opened as a sandbox."""
    opened = story.events[0]
    for before, row, event in zip((None, *story.events), story.rows, story.events, strict=False):
        if not isinstance(event, PositionSet):
            continue
        if not isinstance(opened, GameOpened) or not opened.sandbox:
            return Fault(row.version, "cards were placed in a game that is no sandbox game")
        if not isinstance(before, GameStarted):
            return Fault(row.version, "a position stands elsewhere than after the start")
    return None


def state_fault(story: Story, version: int, packed: bytes | None) -> Fault | None:
    """The row's table is the one its log leads to."""
    if len(story.rows) != version:
        return Fault(min(len(story.rows), version) + 1, f"the row is at {version}, the log at {len(story.rows)}")
    state = story.fold()
    expected = None if state is None else bytes([STATE_FORMAT]) + pack(state)
    return None if packed == expected else Fault(version, "the row's state is not the one that the log leads to")


def check_log(stream: UUID, rows: Sequence[StoredEvent]) -> Break | None:
    """For `verify_log`: all of the above, against the row of the game."""
    row = Game.objects.filter(pk=stream).values_list("version", "head", "state").first()
    if row is None:
        return Break(stream, 1, GameFlaw.STATE, "there is no game to this log")
    version, head, packed = row
    if broken := verify(rows, Head(stream, version, bytes(head))):
        return broken
    story = Story.of(rows)
    proofs: tuple[tuple[GameFlaw, Callable[[], Fault | None]], ...] = (
        (GameFlaw.COMMITMENT, lambda: commitment_fault(story)),
        (GameFlaw.DEAL, lambda: deal_fault(story, story.seed())),
        (GameFlaw.STATE, lambda: state_fault(story, version, None if packed is None else bytes(packed))),
    )
    for flaw, proof in proofs:
        if fault := proof():
            return Break(stream, fault.version, flaw, fault.detail)
    return None


def all_games() -> Sequence[UUID]:
    """The games that must have a log."""
    return list(Game.objects.values_list("pk", flat=True))


def register() -> None:
    """Have `verify_log` make these proofs."""
    checks.register(check_log)
    checks.expect(all_games)
