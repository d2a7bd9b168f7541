"""The clock of all tables: claims what is due, batch by batch, and settles each game once.

The claim locks the games' rows, never the deadlines' first: a move locks them in the same order. Tables that a player
moves at that moment are skipped, for their command settles them itself.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from msgspec.structs import replace

from eventlog.chain import chain
from eventlog.records import Head
from eventlog.store import Cursor, cursor
from games.engine.clock import Downtime
from games.engine.ruleset import LONGEST_TURN_SECONDS
from games.models import DeadlineKind, Status
from games.services import open_tables, outages
from games.services.actors import clock_stamp
from games.services.batches import Advance, correct, write_all
from games.services.chance import StoredChance
from games.services.claims import Claim, Claimed, claim, claim_again, first_claim, postpone
from games.services.commit import Progress, deadlines_of, progress
from games.services.judging import settled
from games.tables import Standing

logger = logging.getLogger(__name__)

BATCH: Final = 100
SWEEP_SECONDS: Final = 5.0
"""A sweep gives way to the other one after this long; the next takes up what is left."""


def sweep(kinds: Collection[DeadlineKind]) -> int:
    """Settle every turn, window, call or open table that is due now; how many it claimed.

    A game that has just been settled by another, or was only put right, counts too.

    While the database is away nothing is: the next sweep begins anew.
    """
    try:
        return _sweep(kinds)
    except (OperationalError, InterfaceError) as error:
        logger.warning("the clock does not reach the database: %s", str(error).partition("\n")[0])
        return 0


def _sweep(kinds: Collection[DeadlineKind]) -> int:
    with cursor() as raw:
        moment = outages.moment(raw)
        until = min(moment.now, moment.known_until)
        if moment.first_deadline is None or moment.first_deadline > until:
            return 0
        # A game that was put off is due since long before its row says.
        noted = outages.noted_since(raw, min(moment.first_deadline, moment.now - LONGEST_TURN_SECONDS * 1000))
    downtime = replace(noted, known_until=moment.known_until)
    give_way = time.monotonic() + SWEEP_SECONDS
    wanted, number = first_claim(kinds, until, BATCH), 0
    while (claimed := _settle_batch(wanted, downtime)) and time.monotonic() < give_way:
        number += len(claimed)
        wanted = wanted.behind(claimed[-1])
    return number + len(claimed)


def _settle_batch(wanted: Claim, downtime: Downtime) -> Sequence[Claimed]:
    """One transaction over a batch. One bad game must not stop the others: then each goes alone."""
    claimed: Sequence[Claimed] = ()
    try:
        with transaction.atomic(), cursor() as raw:
            claimed = claim(raw, wanted)
            _settle(raw, claimed, downtime)
    except Exception as error:
        if not claimed or _is_lost():
            raise
        logger.warning("a batch of %d overdue games failed; each goes alone\n%s", len(claimed), _told(error))
        for one in claimed:
            _settle_alone(one, downtime)
    return claimed


def _settle_alone(one: Claimed, downtime: Downtime) -> None:
    try:
        with transaction.atomic(), cursor() as raw:
            _settle(raw, claim_again(raw, one), downtime)
    except (OperationalError, InterfaceError) as error:
        if _is_lost():
            raise
        logger.warning("game %s has to wait for the next sweep (%s)", one.game_id, type(error).__name__)
    except Exception as error:  # noqa: BLE001 (whatever is wrong with this game, the others go on)
        wrong = type(error).__name__  # where it arose was told of the batch
        logger.error("game %s cannot be settled (%s); next try in a minute", one.game_id, wrong)  # noqa: TRY400 (see _told)
        with cursor() as raw:
            postpone(raw, one.game_id)


def _is_lost() -> bool:
    return connection.connection is None or bool(connection.connection.closed)


def _told(error: Exception) -> str:
    """Where an error arose; its message might quote hidden cards."""
    return "".join((*traceback.format_tb(error.__traceback__), type(error).__name__))


def _settle(raw: Cursor, claimed: Sequence[Claimed], downtime: Downtime) -> None:
    tables = [one.standing() for one in claimed]
    opened = [table.id for table in tables if table.status == Status.OPEN]
    run_out = open_tables.deadlines(raw, opened) if opened else {}
    advances, moved_on = [], []
    for table in tables:
        what = _owed(table, run_out, downtime)
        if what.events:
            rows = chain(Head(table.id, table.version, table.head), what.events, clock_stamp(table.now))
            advances.append(Advance(table, what, rows))
        elif what.deadlines is not None:
            moved_on.append((table, what.deadlines))
    if moved_on:
        correct(raw, moved_on)
    if advances:
        write_all(raw, advances)


def _owed(table: Standing, run_out: dict[UUID, int], downtime: Downtime) -> Progress:
    """What the clock owes a table; without events where its row in the deadlines was not true: then those that are.

    That is so of every table that was played at since its row was written.
    """
    if table.status == Status.OPEN:
        nothing = Progress(status=Status.OPEN, state=None, events=(), deadlines=None)
        deadline = run_out.get(table.id)
        return nothing if deadline is None else open_tables.owed(table, deadline, downtime) or nothing
    state = None if table.is_over else table.state()
    if state is None:
        return Progress(status=Status(table.status), state=None, events=(), deadlines={})
    step = settled(state, table, StoredChance(table.id), downtime)
    if not step.events:
        return Progress(status=Status.RUNNING, state=state, events=(), deadlines=deadlines_of(state))
    return progress(step.state, step.new_events())
