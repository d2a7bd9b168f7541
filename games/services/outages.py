"""Times in which nobody could play: web processes beat while they reach the database; what no beat covers is an outage.

A deadline that fell into one is moved to `OUTAGE_GRACE_SECONDS` behind its end, without a strike; 0 switches that off.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from msgspec import Struct
from msgspec.structs import replace

from eventlog import store
from eventlog.store import Cursor
from games.engine.clock import ALWAYS_UP, Downtime, Outage

BEAT_SECONDS: Final = 0.5
LEASE_MS: Final = 1_500
"""A beat holds this long: its process may be a second late. A deadline so soon after a crash counts as met by all."""

_FRESH: Final = "clock_timestamp() - interval '400 ms'"
# One beat serves all processes. Whoever beats first after an outage notes it; the lock makes the others see the new beat.
_BEAT: Final = (
    f"WITH last AS (SELECT at FROM games_heartbeat WHERE id = 1 AND at < {_FRESH} FOR UPDATE), "  # noqa: S608 (constants alone)
    "noted AS (INSERT INTO games_outage (began, ended) SELECT last.at + lease.span, clock_timestamp() "
    "FROM last, (SELECT %s::int * interval '1 ms' AS span) AS lease WHERE last.at + lease.span < clock_timestamp()) "
    "INSERT INTO games_heartbeat (id, at) SELECT 1, clock_timestamp() "
    "WHERE EXISTS (SELECT FROM last) OR NOT EXISTS (SELECT FROM games_heartbeat WHERE id = 1) "
    "ON CONFLICT (id) DO UPDATE SET at = greatest(games_heartbeat.at, EXCLUDED.at)"
)
_MS: Final = "(extract(epoch FROM {}) * 1000)::bigint"
_NOW: Final = _MS.format("clock_timestamp()")
_LAST_BEAT: Final = f"(SELECT {_MS.format('at')} FROM games_heartbeat WHERE id = 1)"  # noqa: S608 (constants alone)
_FIRST: Final = f"SELECT {_NOW}, {_LAST_BEAT}, (SELECT {_MS.format('min(at)')} FROM games_deadline)"  # noqa: S608 (constants alone)
_OUTAGES: Final = (
    f"SELECT {_LAST_BEAT}, array_agg({_MS.format('began')} ORDER BY began), array_agg({_MS.format('ended')} ORDER BY began) "  # noqa: S608 (constants alone)
    "FROM games_outage WHERE ended >= to_timestamp(%s::bigint / 1000.0)"
)


class Moment(Struct, frozen=True):
    """The database's clock (ms), up to where it is known that players could act, and the first of all deadlines."""

    now: int
    known_until: int
    first_deadline: int | None


def grace_ms() -> int:
    """How much time a deadline gets behind the end of an outage."""
    return int(settings.OUTAGE_GRACE_SECONDS) * 1000


def beat() -> None:
    """Tell that a web process reaches the database now; notes the outage that this ends."""
    with store.cursor() as raw:
        raw.execute(_BEAT, [LEASE_MS])


def moment(raw: Cursor) -> Moment:
    """The present, for a sweep: where no web process has beaten since a deadline, nobody knows yet what it falls into."""
    now, last_beat, first_deadline = _one(raw, _FIRST, [])
    known = now if last_beat is None or not grace_ms() else last_beat + LEASE_MS
    return Moment(now, known, first_deadline)


def noted_since(raw: Cursor, deadline: int) -> Downtime:
    """The outages that have ended and may hold this deadline or a later one."""
    if not grace_ms():
        return ALWAYS_UP
    _, began, ended = _one(raw, _OUTAGES, [deadline])
    return Downtime(tuple(map(Outage, began or (), ended or ())), grace_ms())


def as_a_player_sees(deadline: int, now: int) -> Downtime:
    """The same for a command: that it is here shows that players can act, so an outage that nobody noted ends now."""
    if not grace_ms():
        return ALWAYS_UP
    with store.cursor() as raw:
        last_beat, began, ended = _one(raw, _OUTAGES, [deadline])
    noted = Downtime(tuple(map(Outage, began or (), ended or ())), grace_ms())
    if last_beat is None or last_beat + LEASE_MS >= now:
        return noted
    return replace(noted, outages=(*noted.outages, Outage(last_beat + LEASE_MS, now)))


def _one(raw: Cursor, query: str, params: list[object]) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = raw.execute(query, params).fetchone()
    if row is None:
        raise LookupError("an aggregate gave no row")
    return row
