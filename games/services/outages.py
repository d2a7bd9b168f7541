"""Times in which nobody could play: web processes beat each second, and a gap between beats is an outage.

A deadline that fell into one is moved to `OUTAGE_GRACE_SECONDS` behind its end, without a strike; 0 switches that off.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings

from eventlog import store

GAP_MS: Final = 5_000
"""A longer silence of all web processes is an outage; a restart takes less."""

# Whoever beats first after the gap notes it; the lock makes the others see the new beat.
_BEAT: Final = (
    "WITH last AS (SELECT at FROM games_heartbeat WHERE id = 1 FOR UPDATE), "
    "noted AS (INSERT INTO games_outage (began, ended) SELECT at, clock_timestamp() FROM last "
    "WHERE at < clock_timestamp() - %s::int * interval '1 ms') "
    "INSERT INTO games_heartbeat (id, at) VALUES (1, clock_timestamp()) "
    "ON CONFLICT (id) DO UPDATE SET at = greatest(games_heartbeat.at, EXCLUDED.at)"
)
_MS: Final = "(extract(epoch FROM {}) * 1000)::bigint"
_ENDED: Final = (
    f"SELECT max({_MS.format('ended')}) FROM games_outage "  # noqa: S608 (constants alone)
    "WHERE ended >= to_timestamp(%s::bigint / 1000.0) AND began <= to_timestamp(%s::bigint / 1000.0)"
)
_LAST_BEAT: Final = f"SELECT {_MS.format('at')} FROM games_heartbeat WHERE id = 1"  # noqa: S608 (constants alone)


def grace_ms() -> int:
    """How much time a deadline gets behind the end of an outage."""
    return int(settings.OUTAGE_GRACE_SECONDS) * 1000


def beat() -> None:
    """Tell that a web process reaches the database now; notes the outage that this ends."""
    with store.cursor() as raw:
        raw.execute(_BEAT, [GAP_MS])


def end_of_outage(deadline: int, now: int) -> int | None:
    """The end (ms) of the outage that a deadline fell into: `now` if it still lasts; None if it fell into none."""
    if not grace_ms():
        return None
    with store.cursor() as raw:
        last = raw.execute(_LAST_BEAT).fetchone()
        if last is not None and last[0] <= deadline and now - last[0] > GAP_MS:
            return now
        ended = raw.execute(_ENDED, [deadline, deadline]).fetchone()
    return None if ended is None else ended[0]


def is_down(now: int) -> bool:
    """Whether no web process reaches the database, so that nobody can play just now."""
    if not grace_ms():
        return False
    with store.cursor() as raw:
        last = raw.execute(_LAST_BEAT).fetchone()
    return last is not None and now - last[0] > GAP_MS
