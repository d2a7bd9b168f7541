"""The time that an open table has: it runs out, or an outage gives some of it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from eventlog.records import Cause, NewEvent
from eventlog.store import Cursor
from games.engine.clock import Downtime
from games.engine.events import ClockExtended, GameVoided, SeedRevealed, VoidReason
from games.log import new_event
from games.models import DeadlineKind, Seed, Status
from games.services.commit import Progress
from games.tables import Standing

_DEADLINES: Final = (
    "SELECT game_id, (extract(epoch FROM at) * 1000)::bigint FROM games_deadline "
    "WHERE kind = 'expiry' AND game_id = ANY(%s::uuid[])"
)


def deadlines(raw: Cursor, game_ids: Sequence[UUID]) -> dict[UUID, int]:
    """When each of these open tables runs out (ms)."""
    return dict(raw.execute(_DEADLINES, [list(game_ids)]).fetchall())


def owed(table: Standing, deadline: int, downtime: Downtime) -> Progress | None:
    """What the clock owes an open table that runs out at `deadline`: more time, or its end; None if nothing."""
    limit = table.now if downtime.known_until is None else min(table.now, downtime.known_until)
    events: tuple[NewEvent, ...] = ()
    while deadline <= limit:
        outage = downtime.outage_at(deadline)
        if outage is None:
            return voiding(table.id, VoidReason.EXPIRED, events)
        moved = outage.ended + downtime.grace_ms
        extended = ClockExtended(
            extra_ms=moved - deadline,
            deadline=deadline,
            noticed=table.now,
            down_from=outage.began,
            down_until=outage.ended,
        )
        events, deadline = (*events, new_event(extended)), moved
    if not events:
        return None
    return Progress(status=Status.OPEN, state=None, events=events, deadlines={DeadlineKind.EXPIRY: deadline})


def voiding(game_id: UUID, reason: VoidReason, before: tuple[NewEvent, ...] = ()) -> Progress:
    """The end of a table before its game, the seed revealed."""
    seed = bytes(Seed.objects.values_list("value", flat=True).get(game_id=game_id))
    events = (*before, new_event(GameVoided(reason=reason)), new_event(SeedRevealed(seed=seed.hex()), Cause.SYSTEM))
    return Progress(status=Status.VOID, state=None, events=events, deadlines={})
