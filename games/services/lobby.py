"""A table before the game: opened, joined, left, cancelled, started. Each call locks the game's row."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from msgspec import Struct

from accounts.selectors import hold_account
from eventlog.chain import chain
from eventlog.records import Cause, Head, NewEvent, Stamp
from eventlog.store import Cursor, append, cursor
from games import rulesets, tables
from games.engine.events import GameOpened, SeatLeft, SeatTaken, VoidReason
from games.engine.fairness import SEED_BYTES, commitment_of
from games.engine.ruleset import RULESET_VERSION, Ruleset
from games.log import new_event
from games.models import Deadline, DeadlineKind, Game, Seat, Seed, Status, Visibility, new_id
from games.services import open_tables, outages, starting
from games.services.actors import Actor, stamp
from games.services.commit import Progress, write
from games.services.erasure import forget_texts
from games.services.starting import Start
from games.shown import conflict
from games.tables import Table, moment_of
from httpapi.clock import database_now_ms
from httpapi.problems import Conflict, Forbidden, NotFound

OPEN_FOR: Final = timedelta(hours=24)
CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 8
CODES_TRIED: Final = 5


class Wish(Struct, frozen=True, kw_only=True):
    """The table somebody asks for."""

    rules: Ruleset
    preset: str
    name: str
    visibility: Visibility
    min_players: int
    max_players: int
    auto_start: bool
    seat_creator: bool
    sandbox: bool = False


def new_seed() -> bytes:
    """Draw a server seed from the operating system: all chance of one game comes from it and the players' seeds."""
    return os.urandom(SEED_BYTES)


def open_table(actor: Actor, wish: Wish) -> UUID:
    """Open a table: the server seed is drawn now and its commitment published before any client seed is taken."""
    game_id, seed = new_id(), new_seed()
    events = [new_event(_opened(actor, wish, commitment_of(seed)), text=wish.name or None)]
    if wish.seat_creator:
        events.append(_taken(actor, 0, None, Cause.PLAYER))
    with transaction.atomic(), cursor() as raw:
        hold_account(actor.id)
        now = database_now_ms(raw)
        rows = chain(Head.before(game_id), events, stamp(actor, Cause.HOST, now))
        game = _row(game_id, actor, wish, rows[-1].head, now)
        game.commitment = bytes.fromhex(commitment_of(seed))
        _insert(game)
        Seed.objects.create(game=game, value=seed)
        Deadline.objects.create(game=game, kind=DeadlineKind.EXPIRY, at=game.opened_at + OPEN_FOR)
        append(raw, rows)
        if wish.seat_creator:
            _sit(game_id, actor, 0, None)
    return game_id


def _opened(actor: Actor, wish: Wish, commitment: str) -> GameOpened:
    return GameOpened(
        host=actor.id,
        commitment=commitment,
        preset=wish.preset,
        ruleset=wish.rules,
        ruleset_version=RULESET_VERSION,
        min_players=wish.min_players,
        max_players=wish.max_players,
        visibility=wish.visibility.value,
        auto_start=wish.auto_start,
        sandbox=wish.sandbox,
    )


def _row(game_id: UUID, actor: Actor, wish: Wish, head: Head, now: int) -> Game:
    moment = moment_of(now)
    return Game(
        id=game_id,
        host_id=actor.id,
        ruleset_id=rulesets.pin(wish.rules, wish.preset).id,
        mode=wish.rules.mode.value,
        name=wish.name,
        visibility=wish.visibility,
        min_players=wish.min_players,
        max_players=wish.max_players,
        auto_start=wish.auto_start,
        sandbox=wish.sandbox,
        ahead_ms=0 if wish.sandbox else None,
        join_code=new_join_code(),
        opened_at=moment,
        acted_at=moment,
        version=head.version,
        head=head.digest,
    )


def new_join_code() -> str:
    """Draw a join code; one in 10^6 is taken where a million tables are kept."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _insert(game: Game) -> None:
    """Write the row, with another code as long as the one that was drawn is taken."""
    for tries_left in reversed(range(CODES_TRIED)):
        try:
            with transaction.atomic():
                game.save(force_insert=True)
        except IntegrityError:
            if not tries_left:
                raise
            game.join_code = new_join_code()
        else:
            return


def find_by_code(code: str) -> UUID:
    """The table with this join code; letters may be small, spaces and hyphens may stand between them."""
    wanted = "".join(letter for letter in code.upper() if letter.isalnum())
    game_id: UUID | None = Game.objects.filter(join_code=wanted).values_list("pk", flat=True).first()
    if game_id is None:
        raise NotFound("wrong_join_code")
    return game_id


@transaction.atomic
def join(game_id: UUID, actor: Actor, client_seed: str | None, expected: int | None) -> None:
    """Take the next seat; the game starts with it if the table starts by itself when full."""
    hold_account(actor.id)
    with _open(game_id, actor, expected) as (raw, table):
        if table.seat_of(actor.id) is not None:
            raise Conflict("already_seated", params={"seat": table.seat_of(actor.id)})
        number = len(table.players)
        if number >= table.max_players:
            raise Conflict("game_full", params={"max_players": table.max_players})
        _sit(game_id, actor, number, client_seed)
        taken = _taken(actor, number, client_seed)
        marked = stamp(actor, Cause.PLAYER, table.now)
        if table.auto_start and number + 1 == table.max_players:
            starting.start(raw, table, Start(marked, Cause.SYSTEM, (taken,)))
        else:
            _note(raw, table, marked, (taken,))


def _sit(game_id: UUID, actor: Actor, number: int, client_seed: str | None) -> None:
    Seat.objects.create(
        game_id=game_id, player_id=actor.id, number=number, name=actor.name, kind=actor.kind, client_seed=client_seed
    )


def _taken(actor: Actor, number: int, client_seed: str | None, cause: Cause | None = None) -> NewEvent:
    return new_event(SeatTaken(seat=number, player=actor.id, client_seed=client_seed), cause, actor.name)


def give_back(game_id: UUID, actor: Actor, expected: int | None) -> None:
    """Give one's own seat back before the start."""
    with _open(game_id, actor, expected) as (raw, table):
        number = table.seat_of(actor.id)
        if number is None:
            raise Conflict("not_seated")
        _empty(raw, table, number, stamp(actor, Cause.PLAYER, table.now))


def remove(game_id: UUID, actor: Actor, number: int, expected: int | None) -> None:
    """Let the host take a seat from a player before the start."""
    with _open(game_id, actor, expected) as (raw, table):
        _refuse_others(table, actor)
        if number >= len(table.players):
            raise NotFound
        _empty(raw, table, number, stamp(actor, Cause.HOST, table.now))


def _empty(raw: Cursor, table: Table, number: int, marked: Stamp) -> None:
    """Free a seat; the higher ones move down by one. The name of who is gone is nobody's business any more."""
    player = table.players[number].id
    forget_texts(player, [table.id])
    Seat.objects.filter(game_id=table.id, player_id=player).delete()
    Seat.objects.filter(game_id=table.id, number__gt=number).update(number=F("number") - 1)
    _note(raw, table, marked, (new_event(SeatLeft(seat=number, player=player)),))


def cancel(game_id: UUID, actor: Actor, expected: int | None) -> None:
    """Let the host call the game off before the start."""
    with _open(game_id, actor, expected) as (raw, table):
        _refuse_others(table, actor)
        _void(raw, table, stamp(actor, Cause.HOST, table.now), VoidReason.CANCELLED)


def start(game_id: UUID, actor: Actor, expected: int | None) -> None:
    """Let the host start the game with the players seated now."""
    with _open(game_id, actor, expected) as (raw, table):
        _refuse_others(table, actor)
        if len(table.players) < table.min_players:
            raise Conflict("too_few_players", params={"seated": len(table.players), "min_players": table.min_players})
        starting.start(raw, table, Start(stamp(actor, Cause.HOST, table.now), Cause.HOST))


def _void(raw: Cursor, table: Table, marked: Stamp, reason: VoidReason) -> None:
    write(raw, table, open_tables.voiding(table.id, reason), marked)


def _note(raw: Cursor, table: Table, marked: Stamp, events: tuple[NewEvent, ...]) -> None:
    write(raw, table, Progress(status=Status.OPEN, state=None, events=events, deadlines=None), marked)


def _refuse_others(table: Table, actor: Actor) -> None:
    if table.host != actor.id:
        raise Forbidden("not_the_host")


@contextmanager
def _open(game_id: UUID, actor: Actor, expected: int | None) -> Iterator[tuple[Cursor, Table]]:
    """A table that is still open, locked; its version judged."""
    with transaction.atomic(), cursor() as raw:
        tables.lock(raw, game_id)
        table = tables.read(raw, game_id)
        if table is None:
            raise NotFound
        if expected is not None and expected != table.version:
            raise conflict(table, actor.id, expected)
        if table.status != Status.OPEN:
            raise Conflict("game_not_open", params={"status": table.status})
        if _has_run_out(raw, table):
            raise Conflict("game_not_open", params={"status": Status.VOID})
        yield raw, table


def _has_run_out(raw: Cursor, table: Table) -> bool:
    """Whether the clock will void this table; it does so itself, since a refusal keeps nothing."""
    if moment_of(table.now) < table.opened_at + OPEN_FOR:
        return False
    deadline = open_tables.deadlines(raw, [table.id]).get(table.id)
    if deadline is None:
        return False
    owed = open_tables.owed(table, deadline, outages.as_a_player_sees(deadline, table.now))
    return owed is not None and owed.status is Status.VOID
