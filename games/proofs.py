"""What must be true of a game's log beyond its digests: commitment before client seeds, deal and reshuffles, state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from uuid import UUID

from msgspec import Struct

from eventlog import checks
from eventlog.chain import verify
from eventlog.records import Break, Head, StoredEvent
from games.engine import promises
from games.engine.draft import Chance
from games.engine.events import Event, GameStarted, PileReshuffled
from games.engine.evolve import evolve
from games.engine.fairness import SeededChance
from games.engine.promises import Fault
from games.engine.state import State, pack
from games.log import events_of
from games.models import Game
from games.tables import STATE_FORMAT


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
        return promises.seed_of(self.events)

    def is_placed(self) -> bool:
        """Whether a position took the place of the deal, as only in the sandbox."""
        return promises.is_placed(self.events)

    def fold(self) -> State | None:
        """The table that the events lead to."""
        state: State | None = None
        for row, event in zip(self.rows, self.events, strict=True):
            state = evolve(state, event, row.at)
        return state


def commitment_fault(story: Story) -> Fault | None:
    """The commitment stands first, before every client seed; the start and the revealed seed keep to it."""
    return promises.commitment_fault(story.events)


def deal_fault(story: Story, seed: bytes | None) -> Fault | None:
    """Deal, opening lead and every reshuffle come from the revealed seed and the client seeds.

    The cards of a sandbox game are placed, not dealt: there only the reshuffles do.
    """
    if seed is None:
        return promises.placing_fault(story.events)
    state: State | None = None
    chance: Chance | None = None
    for at, (row, event) in enumerate(zip(story.rows, story.events, strict=True)):
        if isinstance(event, GameStarted):
            chance = SeededChance(seed, event.client_seeds)
            if fault := _start_fault(story, at, chance):
                return fault
        if isinstance(event, PileReshuffled) and state is not None and chance is not None:
            below = state.discard[: state.lead_at]
            if chance.shuffle(state.tally.shuffles + 1, below) != event.cards:
                return Fault(row.version, "the seeds give another reshuffle")
        state = evolve(state, event, row.at)
    return None


def _start_fault(story: Story, at: int, chance: Chance) -> Fault | None:
    if story.is_placed():
        return promises.placing_fault(story.events)
    return promises.dealing_fault(story.events, at, chance, story.rows[at].at)


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
