"""Sandbox games: started from a position, their clock moved by hand, void when their time is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from msgspec import Struct

from accounts.requests import OpenGuest
from accounts.scopes import Kind, Scope
from accounts.services import registration, tokens
from eventlog.chain import chain
from eventlog.records import Cause, Head
from eventlog.store import Cursor, cursor
from games import tables
from games.engine.events import GameVoided, SeedRevealed, VoidReason
from games.engine.evolve import evolve
from games.engine.position import Placed
from games.engine.ruleset import Ruleset
from games.log import new_event
from games.models import Game, Status, Visibility
from games.services import lobby, starting
from games.services.actors import Actor, clock_stamp, stamp
from games.services.batches import Advance, correct, write_all
from games.services.chance import StoredChance
from games.services.claims import claim_sandbox
from games.services.commit import deadlines_of, progress, write
from games.services.judging import settled
from games.services.lobby import Wish
from games.services.starting import Start
from games.shown import conflict, nothing_possible
from games.tables import Standing, Table
from httpapi.problems import Conflict, Forbidden, NotFound, invalid_field

LIVES: Final = timedelta(days=1)
"""How long a sandbox game and the tokens of its seats last."""

FURTHEST_MS: Final = 366 * 86_400_000
"""How far a clock can be moved forward altogether."""

BATCH: Final = 100


class Setup(Struct, frozen=True):
    """The game somebody wants: its rules, and the table from which it starts."""

    rules: Ruleset
    preset: str
    placed: Placed


class SandboxSeat(Struct, frozen=True):
    """A seat with the token of its player, who exists for this game alone."""

    name: str
    player: UUID
    token: str
    expires_at: datetime


class Opened(Struct, frozen=True):
    """A sandbox game just started."""

    game_id: UUID
    seats: tuple[SandboxSeat, ...]


def open_game(actor: Actor, setup: Setup, language: str) -> Opened:
    """Open a table, seat a player made for each name, and put the cards on it."""
    with transaction.atomic(), cursor() as raw:
        game_id = lobby.open_table(actor, _wish(setup))
        seats = tuple(_seated(game_id, actor, name, language) for name in setup.placed.names)
        table = tables.read(raw, game_id)
        if table is None:
            raise LookupError(game_id)
        begun = Start(stamp(actor, Cause.HOST, table.now), Cause.HOST)
        starting.start_placed(raw, table, begun, setup.placed.state)
    return Opened(game_id, seats)


def _wish(setup: Setup) -> Wish:
    seats = len(setup.placed.names)
    return Wish(
        rules=setup.rules,
        preset=setup.preset,
        name="",
        visibility=Visibility.UNLISTED,
        min_players=seats,
        max_players=seats,
        auto_start=False,
        seat_creator=False,
        sandbox=True,
    )


def _seated(game_id: UUID, actor: Actor, name: str, language: str) -> SandboxSeat:
    player = registration.open_guest(OpenGuest(display_name=name), language)
    issued = tokens.issue_confined(player, game_id, (Scope.PLAY, Scope.READ), LIVES.days, "sandbox")
    name = player.display_name
    lobby.join(game_id, Actor(player.id, name, Kind.GUEST.value, actor.request_id), None, None)
    return SandboxSeat(name, player.id, issued.text, issued.row.expires_at)


def move_clock(game_id: UUID, actor: Actor, seconds: int, expected: int | None) -> None:
    """Move a game's clock forward and settle what is then due. Inside the caller's transaction."""
    with transaction.atomic(), cursor() as raw:
        tables.lock(raw, game_id)
        table = _movable(raw, game_id, actor, expected)
        ahead = (table.ahead or 0) + seconds * 1000
        if ahead > FURTHEST_MS:
            raise invalid_field("/seconds", "out_of_range", bound=f"<= {(FURTHEST_MS - ahead) // 1000 + seconds}")
        Game.objects.filter(pk=game_id).update(ahead_ms=ahead)
        moved = tables.read(raw, game_id)
        if moved is not None:
            _settle(raw, moved)


def _movable(raw: Cursor, game_id: UUID, actor: Actor, expected: int | None) -> Table:
    table = tables.read(raw, game_id)
    if table is None or not table.sandbox:
        raise NotFound
    if table.host != actor.id and table.seat_of(actor.id) is None:
        raise Forbidden("not_your_sandbox_game")
    if expected is not None and expected != table.version:
        raise conflict(table, actor.id, expected)
    if table.status != Status.RUNNING:
        raise Conflict("game_not_running", params={"status": table.status}, extra=nothing_possible(table))
    return table


def _settle(raw: Cursor, table: Table) -> None:
    """Do what is due; deadlines stand in real time, so those that are left come earlier than before."""
    state = table.state()
    if state is None:
        raise LookupError(f"{table.id}: runs without a table")
    step = settled(state, table, StoredChance(table.id))
    if step.events:
        write(raw, table, progress(step.state, step.new_events()), clock_stamp(table.now))
    else:
        correct(raw, [(table, deadlines_of(state))])


def void_expired() -> int:
    """Void running sandbox games whose time is over, a batch of them; how many."""
    with transaction.atomic(), cursor() as raw:
        advances = [_voided(one.standing()) for one in claim_sandbox(raw, LIVES, BATCH)]
        if advances:
            write_all(raw, advances)
    return len(advances)


def _voided(table: Standing) -> Advance:
    reason = GameVoided(reason=VoidReason.EXPIRED)
    revealed = SeedRevealed(seed=StoredChance(table.id).seed.hex())
    state = evolve(table.state(), reason, table.now)
    if state is None:
        raise LookupError(f"{table.id}: runs without a table")
    what = progress(state, (new_event(reason), new_event(revealed, Cause.SYSTEM)))
    rows = chain(Head(table.id, table.version, table.head), what.events, clock_stamp(table.now))
    return Advance(table, what, rows)
