"""The clock of all tables: claims what is due, batch by batch, and settles each game once.

The claim locks the games' rows, never the deadlines' first: a move locks them in the same order. Tables that a player
moves at that moment are skipped, for their command settles them itself.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import Final
from uuid import UUID

from django.db import transaction

from eventlog.chain import chain
from eventlog.records import Head
from eventlog.store import Cursor, cursor
from games import tables
from games.models import DeadlineKind
from games.services import lobby, outages
from games.services.actors import clock_stamp
from games.services.batches import Advance, write_all
from games.services.chance import StoredChance
from games.services.commit import deadlines_of, progress
from games.services.judging import settled
from games.tables import Table
from httpapi.clock import database_now_ms

logger = logging.getLogger(__name__)

BATCH: Final = 100
_CLAIM: Final = (
    "SELECT g.id FROM games_deadline d JOIN games_game g ON g.id = d.game_id "
    "WHERE d.kind = ANY(%s::text[]) AND d.at <= clock_timestamp() AND g.id <> ALL(%s::uuid[]) "
    "ORDER BY d.at LIMIT %s FOR NO KEY UPDATE OF g SKIP LOCKED"
)
_CLAIM_ONE: Final = "SELECT id FROM games_game WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED"
_REST: Final = "DELETE FROM games_deadline WHERE game_id = %s"
_SET: Final = "INSERT INTO games_deadline (game_id, kind, at) VALUES (%s, %s, to_timestamp(%s::bigint / 1000.0))"
_POSTPONE: Final = "UPDATE games_deadline SET at = clock_timestamp() + interval '1 minute' WHERE game_id = %s"


def sweep(kinds: Collection[DeadlineKind]) -> int:
    """Settle every turn, window or call that is due now; the number of games settled.

    Where nobody can play because no web process is up, nothing is due.
    """
    with cursor() as raw:
        if outages.is_down(database_now_ms(raw)):
            return 0
    names = [kind.value for kind in kinds]
    done: list[UUID] = []
    while claimed := _settle_batch(names, done):
        done += claimed
    return len(done)


def expire_tables() -> int:
    """Void the open tables that nobody started in time; their number."""
    with cursor() as raw:
        due = raw.execute(
            "SELECT game_id FROM games_deadline WHERE kind = %s AND at <= clock_timestamp() ORDER BY at LIMIT 1000",
            [DeadlineKind.EXPIRY.value],
        ).fetchall()
    return sum(lobby.expire(game_id) for (game_id,) in due)


def _settle_batch(kinds: list[str], done: list[UUID]) -> list[UUID]:
    """One transaction over up to BATCH games. One bad game must not stop the others: then each goes alone."""
    claimed: list[UUID] = []
    try:
        with transaction.atomic(), cursor() as raw:
            claimed = [row[0] for row in raw.execute(_CLAIM, [kinds, done, BATCH]).fetchall()]
            _settle(raw, claimed)
    except Exception:
        if not claimed:
            raise
        logger.exception("a batch of %d overdue games failed; each goes alone", len(claimed))
        _settle_each(claimed)
    return claimed


def _settle_each(games: Iterable[UUID]) -> None:
    for game in games:
        try:
            with transaction.atomic(), cursor() as raw:
                if raw.execute(_CLAIM_ONE, [game]).fetchone():
                    _settle(raw, [game])
        except Exception:
            logger.exception("game %s cannot be settled by the clock; next try in a minute", game)
            with cursor() as raw:
                raw.execute(_POSTPONE, [game])


def _settle(raw: Cursor, games: list[UUID]) -> None:
    if not games:
        return
    advances = []
    for table in tables.read_many(raw, games):
        advance = _advance(table)
        if advance is None:
            _correct(raw, table)
        else:
            advances.append(advance)
    if advances:
        write_all(raw, advances)


def _advance(table: Table) -> Advance | None:
    """What the clock owes a table; None if its row in the deadlines was not true."""
    state = table.state()
    if state is None or table.is_over:
        return None
    step = settled(state, table, StoredChance(table.id))
    if not step.events:
        return None
    what = progress(step.state, step.new_events())
    rows = chain(Head(table.id, table.version, table.head), what.events, clock_stamp(table.now))
    return Advance(table, what, rows)


def _correct(raw: Cursor, table: Table) -> None:
    """Write down the deadlines that really run, so that a stale one is not found again and again."""
    raw.execute(_REST, [table.id])
    state = None if table.is_over else table.state()
    for kind, at in ({} if state is None else deadlines_of(state)).items():
        raw.execute(_SET, [table.id, kind.value, at])
