"""What must be true of a game's log beyond its digests, and of the rows beside it, against what the service knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from uuid import UUID

from msgspec import Struct

from eventlog import checks, store
from eventlog.chain import verify
from eventlog.records import Break, Head, StoredEvent
from games import row_proof
from games.engine.card_proofs import UNREADABLE, check_cards, check_commitment, check_deal, check_decisions
from games.engine.promises import Fault
from games.engine.seating_proof import check_seating
from games.engine.state import pack
from games.engine.story import Broken, Story
from games.log import events_of
from games.models import Game, Seed
from games.row_proof import NoRow
from games.tables import STATE_FORMAT, Table


class GameFlaw(Enum):
    """Which proof of a game fails."""

    COMMITMENT = "commitment"
    TABLE = "table"
    DEAL = "deal"
    REPLAY = "replay"
    DECISIONS = "decisions"
    ROW = "row"


class Known(Struct, frozen=True):
    """The game's row, and the server seed, which no answer shows before the end."""

    table: Table
    seed: bytes | None


def seed_of(game_id: UUID) -> bytes | None:
    """Give the server seed that is kept; None if it is gone."""
    value = Seed.objects.filter(game_id=game_id).values_list("value", flat=True).first()
    return None if value is None else bytes(value)


def faults(rows: Sequence[StoredEvent], known: Known) -> Iterator[tuple[GameFlaw, Fault | None]]:
    """Make each proof in turn, ending with the first that fails: the others lean on it."""
    try:
        story = Story(rows, events_of(rows))
    except UNREADABLE as fault:
        yield GameFlaw.REPLAY, Fault(1, f"the events cannot be read ({type(fault).__name__})")
        return
    proofs: dict[GameFlaw, Callable[[Story, Known], object]] = {
        GameFlaw.COMMITMENT: _commitment,
        GameFlaw.TABLE: lambda story, _: check_seating(story),
        GameFlaw.DEAL: lambda story, known: check_deal(story, _seed(known)),
        GameFlaw.REPLAY: _state,
        GameFlaw.DECISIONS: lambda story, known: check_decisions(story, _seed(known)),
        GameFlaw.ROW: _row,
    }
    for flaw, proof in proofs.items():
        found = _made(proof, story, known)
        yield flaw, found
        if found is not None:
            return


def _made(proof: Callable[[Story, Known], object], story: Story, known: Known) -> Fault | None:
    try:
        proof(story, known)
    except Broken as broken:
        return Fault(broken.version, broken.detail)
    except UNREADABLE as fault:
        return Fault(1, f"the events do not follow from each other ({type(fault).__name__})")
    return None


def _seed(known: Known) -> bytes:
    if known.seed is None:
        raise Broken(1, "the seed that it commits to is gone")
    return known.seed


def _commitment(story: Story, known: Known) -> None:
    """The commitment stands first, and start, revealed seed and the seed that is kept keep to it."""
    check_commitment(story, _seed(known))


def _state(story: Story, known: Known) -> None:
    """Every card is in one place all the time, and the row's table is the one that its log leads to."""
    state = check_cards(story, known.seed)
    if len(story.rows) != known.table.version:
        first = min(len(story.rows), known.table.version) + 1
        raise Broken(first, f"the row is at {known.table.version}, the log at {len(story.rows)}")
    expected = None if state is None else bytes([STATE_FORMAT]) + pack(state)
    if known.table.packed != expected:
        raise Broken(known.table.version, "the row's state is not the one that the log leads to")


def _row(story: Story, known: Known) -> None:
    if fault := row_proof.row_fault(story, known.table):
        raise Broken(len(story.rows), fault)


def check_log(stream: UUID, rows: Sequence[StoredEvent]) -> Break | None:
    """For `verify_log`: all of the above, and what no view shows of the row, in one snapshot."""
    try:
        with store.cursor() as raw:
            table = row_proof.read(raw, stream)
    except NoRow as none:
        return Break(stream, 1, GameFlaw.ROW, str(none))
    if broken := verify(rows, Head(stream, table.version, table.head)):
        return broken
    for flaw, fault in faults(rows, Known(table, seed_of(stream))):
        if fault is not None:
            return Break(stream, fault.version, flaw, fault.detail)
    hidden = row_proof.hidden_fault(Story(rows, events_of(rows)), stream)
    return None if hidden is None else Break(stream, len(rows), GameFlaw.ROW, hidden)


def all_games() -> Sequence[UUID]:
    """The games that must have a log."""
    return list(Game.objects.values_list("pk", flat=True))


def register() -> None:
    """Have `verify_log` make these proofs."""
    checks.register(check_log)
    checks.expect(all_games)
