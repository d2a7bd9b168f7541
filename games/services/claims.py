"""Games that the clock claims: locked for one transaction, in the order of their deadlines."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from eventlog.digest import EPOCH
from eventlog.store import Cursor
from games import tables
from games.models import DeadlineKind
from games.rulesets import pinned
from games.tables import Standing, moment_of

_ROW: Final = f"{tables.NOW}, g.id, g.ruleset_id, g.status, g.version, g.head, g.state, g.ahead_ms"
# Of a game that was moved since the statement began the lock gives the row as it is now, but its deadline as it was:
# nothing but the order of the claim may hang on that.
_CLAIM: Final = (
    f"SELECT d.at, {_ROW} FROM games_deadline d JOIN games_game g ON g.id = d.game_id "  # noqa: S608 (constants alone)
    "WHERE d.kind = ANY(%s::text[]) AND d.at >= %s AND (d.at, d.game_id) > (%s, %s) AND d.at <= %s "
    "ORDER BY d.at, d.game_id LIMIT %s FOR NO KEY UPDATE OF g SKIP LOCKED"
)
_CLAIM_ONE: Final = f"SELECT %s::timestamptz, {_ROW} FROM games_game g WHERE g.id = %s FOR NO KEY UPDATE SKIP LOCKED"  # noqa: S608 (constants alone)
_CLAIM_OLD: Final = (
    f"SELECT g.opened_at, {_ROW} FROM games_game g "  # noqa: S608 (constants alone)
    "WHERE g.sandbox AND g.status = 'running' AND g.opened_at < clock_timestamp() - %s::interval "
    "ORDER BY g.opened_at LIMIT %s FOR NO KEY UPDATE SKIP LOCKED"
)
_POSTPONE: Final = (
    "WITH held AS (SELECT id FROM games_game WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED) "
    "UPDATE games_deadline d SET at = clock_timestamp() + interval '1 minute' "
    "FROM held WHERE d.game_id = held.id AND d.at <= clock_timestamp()"
)


class Claimed(Struct, frozen=True):
    """A game whose row is locked: its deadline as the claim found it, its id, and the row as it came."""

    at: datetime
    game_id: UUID
    row: tuple[Any, ...]

    def standing(self) -> Standing:
        """The row, read; fails where a game cannot be understood."""
        now, game_id, ruleset_id, status, version, head, packed, ahead = self.row
        return Standing(
            now=now,
            id=game_id,
            ruleset=pinned(ruleset_id),
            status=status,
            version=version,
            head=head,
            packed=packed,
            ahead=ahead,
        )


class Claim(Struct, frozen=True):
    """The next deadlines of these kinds that are not later than `until`, behind the place where the last batch ended."""

    kinds: list[str]
    until: datetime
    limit: int
    after: tuple[datetime, UUID] = (EPOCH, UUID(int=0))

    def behind(self, last: Claimed) -> Claim:
        """What follows. A sweep passes each place once, so it ends whatever becomes of the games."""
        return replace(self, after=(last.at, last.game_id))


def first_claim(kinds: Collection[DeadlineKind], until: int, limit: int) -> Claim:
    """Where a sweep begins; `until` in ms."""
    return Claim([kind.value for kind in kinds], moment_of(until), limit)


def claim(raw: Cursor, wanted: Claim) -> list[Claimed]:
    """Lock the games that nobody else works on."""
    at, game_id = wanted.after
    params = [wanted.kinds, at, at, game_id, wanted.until, wanted.limit]
    return [Claimed(row[0], row[2], row[1:]) for row in raw.execute(_CLAIM, params, binary=True)]


def claim_again(raw: Cursor, one: Claimed) -> list[Claimed]:
    """Lock a single game anew; none if somebody else works on it by now."""
    return [Claimed(row[0], row[2], row[1:]) for row in raw.execute(_CLAIM_ONE, [one.at, one.game_id], binary=True)]


def claim_sandbox(raw: Cursor, older_than: timedelta, limit: int) -> list[Claimed]:
    """Lock running games of the sandbox that were opened so long ago, the oldest first."""
    return [Claimed(row[0], row[2], row[1:]) for row in raw.execute(_CLAIM_OLD, [older_than, limit], binary=True)]


def postpone(raw: Cursor, game_id: UUID) -> None:
    """Try a game again in a minute: no sweep can settle it as it is."""
    raw.execute(_POSTPONE, [game_id])
