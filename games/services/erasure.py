"""Names leave the tables with the account that bore them; the log's proof stands without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from eventlog import store
from eventlog.models import Event
from games.engine.events import KINDS, SeatTaken
from games.models import Seat


def forget_names(player: UUID, pseudonym: str) -> None:
    """Put the pseudonym of a deleted account on all its seats and erase its name from the log's texts."""
    seats = Seat.objects.filter(player_id=player)
    forget_texts(player, list(seats.values_list("game_id", flat=True)))
    seats.update(name=pseudonym)


def forget_texts(player: UUID, games: Iterable[UUID]) -> None:
    """Erase a player's name from the events by which seats of these games were taken."""
    taken = Event.objects.filter(stream__in=games, kind=KINDS[SeatTaken][0], actor=player)
    for stream, version in taken.values_list("stream", "version"):
        store.erase_text(stream, version)


def on_saved_account(instance: Any, **_: Any) -> None:
    """Receive Django's `post_save` of accounts: a deleted one is a shell that is saved once more."""
    if instance.deleted_at is not None:
        forget_names(instance.pk, instance.display_name)
