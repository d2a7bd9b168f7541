"""One command at a running table: read, decide, write. Two round trips; whoever is overtaken goes again under lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from msgspec import Struct

from accounts.proof import STANDING, Proof
from eventlog import store
from eventlog.records import Cause, StoredEvent
from games import tables
from games.engine.commands import Command, Leave
from games.engine.events import Event
from games.engine.refusals import GameOver, Refusal
from games.engine.state import State
from games.log import event_of, fold
from games.models import Status
from games.services import lobby
from games.services.actors import Actor, clock_stamp, command_id, stamp
from games.services.chance import StoredChance
from games.services.commit import Guard, progress, write
from games.services.judging import Step, decided, seated, settled
from games.shown import (
    EventView,
    GameView,
    Glance,
    conflict,
    event_view,
    game_view,
    moves_for,
    nothing_possible,
    viewer_at,
)
from games.tables import Table
from httpapi.database import one_row
from httpapi.direct import writing
from httpapi.idempotency import Key, Record
from httpapi.problems import Conflict, KeyReused, NotFound, Problem

CREATED: Final = 201
_WITH_KEY: Final = (
    f"{tables.SELECT}, {STANDING}, k.fingerprint, k.status, k.sealed, k.stream, k.version_from, k.version_to "
    "FROM games_game g LEFT JOIN idempotency_keys k ON k.scope_key = %s WHERE g.id = %s"
).encode()
_KEYED: Final = (
    "keyed AS (INSERT INTO idempotency_keys (scope_key, fingerprint, status, stream, version_from, version_to) "
    "SELECT %s::bytea, %s::bytea, %s::smallint, moved.id, %s::integer, %s::integer FROM moved)"
)


class Asked(Struct, frozen=True, kw_only=True):
    """A command as it was asked for. `command` reads the body, which is judged after the key; `token` must still count."""

    game: UUID
    actor: Actor
    command: Callable[[], Command]
    token: Proof | None = None
    expected: int | None = None
    key: Key | None = None


class Moved(Struct, frozen=True):
    """What a command led to, as its player may see it; `repeated`: it had been accepted before."""

    version: int
    events: list[EventView]
    game: GameView
    repeated: bool = False


def move(asked: Asked) -> Moved:
    """Carry a command out once, however often and however simultaneously it is sent; a Problem if it is refused."""
    for way in _WAYS if asked.expected is None else _WAYS_TO_A_VERSION:
        try:
            with way(asked.game):
                outcome = _attempt(asked)
        except store.DuplicateCommandError:
            return _already_in_log(asked)
        except IntegrityError:  # the same key is being used at another table
            continue
        if isinstance(outcome, Problem):
            raise outcome
        if outcome is not None:
            return outcome
    raise Conflict("idempotency_key_in_progress", headers={"Retry-After": "1"})


def leave(game_id: UUID, actor: Actor, expected: int | None) -> GameView | Problem:
    """Give the seat back before the start; leave the game afterwards (15.4). Inside the caller's transaction.

    A refusal that tells of what the clock did is returned, so that the transaction keeps what it tells of.
    """
    with _locked(game_id):
        table = _again(game_id)
        if table.status == Status.OPEN:
            lobby.give_back(game_id, actor, expected)
            table = _again(game_id)
            return game_view(table, Glance(None, table.version, table.now), table.seat_of(actor.id))
        outcome = _advance(Asked(game=game_id, actor=actor, command=_leave, expected=expected), table)
    if outcome is None:
        raise LookupError(f"{game_id}: overtaken under lock")
    return outcome.game if isinstance(outcome, Moved) else outcome


def _leave() -> Leave:
    return Leave(None)


def try_out(asked: Asked) -> int:
    """Judge a command and keep nothing; the version it would have been carried out at.

    What it would lead to stays untold: that would show cards not drawn yet, and who holds a Breaker.
    """
    table = _found(asked, None)[0]
    state = _running(table)
    chance = StoredChance(table.id)
    before = settled(state, table, chance)
    seat = table.seat_of(asked.actor.id)
    command = seated(asked.command(), seat, len(state.hands))
    if asked.expected is not None and (before.events or asked.expected != table.version):
        raise conflict(table, asked.actor.id, asked.expected)
    try:
        decided(before, command, table, chance)
    except Refusal as refusal:
        raise _refused(refusal, before, table, seat) from None
    return table.version


@contextmanager
def _locked(game_id: UUID) -> Iterator[None]:
    with transaction.atomic():
        with store.cursor() as raw:
            tables.lock(raw, game_id)
        yield


@contextmanager
def _unlocked(_game_id: UUID) -> Iterator[None]:
    yield


_WAYS: Final[tuple[Callable[[UUID], AbstractContextManager[None]], ...]] = (_unlocked, _locked, _locked)
# Whoever meant one version alone and was overtaken finds another version, and waits for nobody to be told so.
_WAYS_TO_A_VERSION: Final = (_unlocked, *_WAYS)


def _attempt(asked: Asked) -> Moved | Problem | None:
    """One go: None if somebody else was faster."""
    table, record = _found(asked, asked.key)
    if record is None or asked.key is None:
        return _advance(asked, table)
    if not record.is_of(asked.key) or record.version_from is None or record.version_to is None:
        return KeyReused()
    return _repeat(table, asked.actor, record.version_from, record.version_to)


def _found(asked: Asked, key: Key | None) -> tuple[Table, Record | None]:
    """The game, and what is kept under the key; the token is looked at in the same statement."""
    token = asked.token
    params = (b"" if token is None else token.digest, b"" if key is None else key.scope_key, asked.game)
    row = one_row(_WITH_KEY, params)
    if row is None:
        raise NotFound
    standing, *record = row[tables.COLUMNS :]
    if token is not None:
        token.check(standing)
    return tables.table_of(row), None if record[0] is None else Record(*record)


def _again(game_id: UUID) -> Table:
    """The game as it is by now."""
    row = one_row(tables.BY_ID, (game_id,))
    if row is None:
        raise NotFound
    return tables.table_of(row)


def _running(table: Table) -> State:
    """The cards on a table that has started."""
    state = table.state()
    if state is not None:
        return state
    told = nothing_possible(table)
    if table.status == Status.VOID:
        raise Conflict(GameOver.code, params=GameOver(ended="void").params, extra=told)
    raise Conflict("game_not_running", params={"status": table.status}, extra=told)


def _advance(asked: Asked, table: Table) -> Moved | Problem | None:
    state = _running(table)
    chance = StoredChance(table.id)
    before = settled(state, table, chance)
    seat = table.seat_of(asked.actor.id)
    command = seated(asked.command(), seat, len(state.hands))
    if asked.expected is not None and (before.events or asked.expected != table.version):
        if not _keep_settled(before, table):
            return None
        return conflict(_again(table.id) if before.events else table, asked.actor.id, asked.expected)
    try:
        after = decided(before, command, table, chance)
    except Refusal as refusal:
        return _refused(refusal, before, table, seat) if _keep_settled(before, table) else None
    rows = _store(asked, table, after)
    if rows is None:
        return None
    return _moved(table, after.state, tuple(zip(rows, after.facts(), strict=True)), seat)


def _keep_settled(before: Step, table: Table) -> bool:
    """Store what the clock did although the command that came with it is refused; False if overtaken."""
    if not before.events:
        return True
    with store.cursor() as raw:
        settled_at = clock_stamp(table.now)
        return write(raw, table, progress(before.state, before.new_events()), settled_at) is not None


def _refused(refusal: Refusal, before: Step, table: Table, seat: int | None) -> Problem:
    moves = moves_for(before.state, seat, table.now)
    version = table.version + len(before.events)
    return Conflict(refusal.code, params=refusal.params, extra={"version": version, "legal_moves": moves})


def _store(asked: Asked, table: Table, after: Step) -> tuple[StoredEvent, ...] | None:
    events = after.new_events()
    marked = stamp(asked.actor, Cause.PLAYER, table.now, asked.key)
    what, key = progress(after.state, events), _keyed(asked.key, table, len(events))
    with writing() as way:
        return write(way, table, what, marked, key)


def _keyed(key: Key | None, table: Table, count: int) -> Guard | None:
    if key is None:
        return None
    span = (table.version + 1, table.version + count)
    return Guard(_KEYED, (key.scope_key, key.kept_fingerprint, CREATED, *span))


def _moved(table: Table, state: State, caused: tuple[tuple[StoredEvent, Event], ...], seat: int | None) -> Moved:
    """The answer: a pure function of the log, so that a repeat gives the same bytes."""
    last = caused[-1][0]
    viewer = viewer_at(state, seat)
    events = [event_view(row, event, viewer) for row, event in caused]
    return Moved(last.version, events, game_view(table, Glance(state, last.version, last.at), seat))


def _repeat(table: Table, actor: Actor, first: int, last: int) -> Moved:
    """The answer to a command that stands in the log, as it was given then."""
    state = fold(store.facts(table.id, last))
    if state is None:
        raise LookupError(f"{table.id}: no command before the start has its answer in the log")
    caused = tuple((row, event_of(row)) for row in store.read(table.id, first - 1, last - first + 1))
    moved = _moved(table, state, caused, table.seat_of(actor.id))
    return Moved(moved.version, moved.events, moved.game, repeated=True)


def _already_in_log(asked: Asked) -> Moved:
    """The key is forgotten, but the log still knows its command."""
    rows = asked.key and store.find_command(asked.game, command_id(asked.key))
    if not rows or not asked.key or rows[0].fingerprint != asked.key.fingerprint:
        raise KeyReused
    return _repeat(_again(asked.game), asked.actor, rows[0].version, rows[-1].version)
