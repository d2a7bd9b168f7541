"""A game's row made again from its log, which is the truth."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from msgspec import Struct

from eventlog import store
from eventlog.chain import verify
from eventlog.records import StoredEvent
from games import tables
from games.engine.events import KINDS, GameVoided
from games.log import fold
from games.models import Deadline, DeadlineKind, Game, Status
from games.services.commit import Progress, moved_params, progress
from games.tables import Table, moment_of

CHANGING = ("status", "finished_at", "acted_at", "version", "turn", "awaited", "head", "state")


class BrokenLog(Exception):
    """A log that does not verify: nothing is made from it."""


class Rebuilt(Struct, frozen=True):
    """How a row stands after it was made again, and which of its fields had been wrong."""

    version: int
    mended: tuple[str, ...]


def rebuild(game_id: UUID) -> Rebuilt:
    """Make the row and its deadlines again; LookupError if there is no such game."""
    with transaction.atomic(), store.cursor() as raw:
        tables.lock(raw, game_id)
        table = tables.read(raw, game_id)
        rows = store.read(game_id)
        if table is None or not rows:
            raise LookupError(f"no game {game_id}")
        if broken := verify(rows):
            raise BrokenLog(str(broken))
        what = _progress(rows)
        return Rebuilt(rows[-1].version, _written(table, what, rows[-1]))


def _progress(rows: list[StoredEvent]) -> Progress:
    state = fold(rows)
    if state is not None:
        return progress(state, ())
    void = any(row.kind == KINDS[GameVoided][0] for row in rows)
    return Progress(status=Status.VOID if void else Status.OPEN, state=None, events=(), deadlines={} if void else None)


def _written(table: Table, what: Progress, last: StoredEvent) -> tuple[str, ...]:
    """Write what differs and say what it was."""
    values = dict(zip(CHANGING, moved_params(table, what, last, last.at), strict=False))
    values["acted_at"] = moment_of(last.at)
    values["finished_at"] = None if values["finished_at"] is None else moment_of(last.at)
    known = Game.objects.values(*CHANGING).get(pk=table.id)
    mended = {name: value for name, value in values.items() if _plain(known[name]) != value}
    if mended:
        Game.objects.filter(pk=table.id).update(**mended)
    return (*mended, *_clocks_written(table, what.deadlines))


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def _clocks_written(table: Table, deadlines: object) -> tuple[str, ...]:
    if not isinstance(deadlines, dict):
        return ()
    wanted = {DeadlineKind(kind): moment_of(table.real(at)) for kind, at in deadlines.items()}
    stored = Deadline.objects.filter(game_id=table.id)
    found = {DeadlineKind(kind): at for kind, at in stored.values_list("kind", "at")}
    if found.keys() == wanted.keys() and all(found[kind] <= at for kind, at in wanted.items()):
        return ()  # one that stands earlier than it runs out is corrected by the sweep
    stored.delete()
    Deadline.objects.bulk_create(Deadline(game_id=table.id, kind=kind, at=at) for kind, at in wanted.items())
    return ("deadlines",)
