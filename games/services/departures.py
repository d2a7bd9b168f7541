"""What an account that closes leaves at the tables: its own are called off, its seats given back, its games left."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from eventlog.store import Cursor, cursor
from games import tables
from games.models import Status
from games.services import lobby, play
from games.services.actors import Actor
from httpapi.problems import Conflict
from httpapi.request_ids import current

# In the order of ids, so that two who close at once wait for each other in one direction.
_LOCK: Final = (
    f"SELECT g.id FROM games_game g WHERE {tables.CONCERNING} "  # noqa: S608 (constants)
    "AND g.status IN ('open', 'running') ORDER BY g.id FOR NO KEY UPDATE OF g"
)


def on_closing_account(player: Any, **_: Any) -> None:
    """Receive `account_closes`: nothing waits for a player who is never going to come again."""
    depart(Actor(player.pk, player.display_name, player.kind, current.get()))


def depart(actor: Actor) -> None:
    """Leave every table as the ordinary calls would. Inside the caller's transaction: all of them, or none."""
    with transaction.atomic(), cursor() as raw:
        for (game_id,) in raw.execute(_LOCK, [actor.id, actor.id]).fetchall():
            with suppress(Conflict):  # its time has run out and the clock is about to void it
                _leave(raw, game_id, actor)


def _leave(raw: Cursor, game_id: UUID, actor: Actor) -> None:
    table = tables.read(raw, game_id)
    if table is None:
        raise LookupError(game_id)
    if table.host == actor.id and table.status == Status.OPEN:
        lobby.cancel(game_id, actor, None)
    elif table.seat_of(actor.id) is not None:
        play.leave(game_id, actor, None)  # a refusal tells of a game that is over or was left before
