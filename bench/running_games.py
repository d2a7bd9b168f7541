"""Running games by the thousand, with true logs: dealt and played by the service's own rules, stored in bulk."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, cast
from uuid import UUID

from django.db import transaction
from msgspec import Struct

from accounts.models import Player
from eventlog.chain import chain
from eventlog.records import Cause, Head, NewEvent, Stamp, StoredEvent
from eventlog.store import append, cursor
from games.engine.commands import SeatCommand
from games.engine.decide import Decision, decide
from games.engine.events import GameOpened, SeatTaken
from games.engine.fairness import SeededChance, commitment_of
from games.engine.opening import Seating, start
from games.engine.ruleset import RULESET_VERSION, Ruleset
from games.engine.state import State
from games.log import new_event
from games.models import Deadline, Game, Seat, Seed, Visibility, new_id
from games.rulesets import Pinned, pin
from games.services import lobby
from games.services.commit import moved_params, progress
from games.tables import Standing, moment_of

TOGETHER: Final = 500
PRESET: Final = "taki_116"
WAITED_MS: Final = 1_000


class Plan(Struct, frozen=True):
    """A game to make: who plays it by which rules, when its first turn began (ms), and what was played at that moment."""

    players: Sequence[Player]
    ruleset: Pinned
    began: int
    play: Callable[[State], SeatCommand | None] = lambda _: None


class Made(Struct, frozen=True):
    """A game that is ready to be stored, and its cards."""

    plan: Plan
    game: Game
    seed: bytes
    events: tuple[StoredEvent, ...]
    deadlines: dict[str, int]
    state: State


def some_players(number: int) -> list[Player]:
    """Accounts without a way to sign in."""
    return [
        Player.objects.create(username=f"bench-{os.urandom(6).hex()}", display_name=f"Player {seat}")
        for seat in range(number)
    ]


def pinned(rules: Ruleset) -> Pinned:
    """The rules, stored."""
    return pin(rules, PRESET)


def make(number: int, plan: Callable[[], Plan]) -> None:
    """Make and store so many games."""
    for begun in range(0, number, TOGETHER):
        store([made(plan()) for _ in range(min(TOGETHER, number - begun))])


def store(games: Sequence[Made]) -> list[UUID]:
    """Store games with all that belongs to them; their ids."""
    with transaction.atomic(), cursor() as raw:
        Game.objects.bulk_create([one.game for one in games])
        Seed.objects.bulk_create([Seed(game=one.game, value=one.seed) for one in games])
        Seat.objects.bulk_create([seat for one in games for seat in _seats(one)])
        Deadline.objects.bulk_create(
            [
                Deadline(game=one.game, kind=kind, at=moment_of(at))
                for one in games
                for kind, at in one.deadlines.items()
            ]
        )
        append(raw, [event for one in games for event in one.events])
    return [one.game.id for one in games]


def made(plan: Plan) -> Made:
    """Open, deal and play one game."""
    seed, opened_at = lobby.new_seed(), plan.began - WAITED_MS
    opened = _opening(plan, seed, opened_at)
    chance = SeededChance(seed, (None,) * len(plan.players))
    step = _deal(plan, seed, chance)
    events = chain(opened[-1].head, _told(step), _stamp(plan, Cause.HOST, plan.began))
    while command := plan.play(step.state):
        step = decide(step.state, command, chance, plan.began)
        events += chain(events[-1].head, _told(step), _stamp(plan, Cause.PLAYER, plan.began, command.seat))
    what = progress(step.state, ())
    before = Standing(
        now=plan.began, id=events[0].stream, ruleset=plan.ruleset, status="running", version=0, head=b"", packed=None
    )
    status, _, _, version, turn, awaited, head, packed, *_ = cast(
        "tuple[Any, ...]", moved_params(before, what, events[-1], plan.began)
    )
    game = Game(
        id=events[0].stream,
        host=plan.players[0],
        ruleset_id=plan.ruleset.id,
        mode=plan.ruleset.rules.mode.value,
        visibility=Visibility.PUBLIC,
        min_players=len(plan.players),
        max_players=len(plan.players),
        auto_start=False,
        join_code=lobby.new_join_code(),
        commitment=bytes.fromhex(commitment_of(seed)),
        opened_at=moment_of(opened_at),
        started_at=moment_of(plan.began),
        acted_at=moment_of(plan.began),
        status=status,
        version=version,
        turn=turn,
        awaited=awaited,
        head=head,
        state=packed,
    )
    deadlines = {kind.value: at for kind, at in (what.deadlines or {}).items()}
    return Made(plan, game, seed, (*opened, *events), deadlines, step.state)


def _seats(one: Made) -> list[Seat]:
    return [
        Seat(game=one.game, player=player, number=number, name=player.display_name, kind=player.kind)
        for number, player in enumerate(one.plan.players)
    ]


def _told(step: Decision) -> list[NewEvent]:
    return [new_event(event) for event in step.events]


def _stamp(plan: Plan, cause: Cause, at: int, seat: int | None = 0) -> Stamp:
    return Stamp(at=at, cause=cause, actor=plan.players[seat or 0].id)


def _opening(plan: Plan, seed: bytes, at: int) -> tuple[StoredEvent, ...]:
    opened = GameOpened(
        host=plan.players[0].id,
        commitment=commitment_of(seed),
        preset=PRESET,
        ruleset=plan.ruleset.rules,
        ruleset_version=RULESET_VERSION,
        min_players=len(plan.players),
        max_players=len(plan.players),
        visibility=Visibility.PUBLIC.value,
    )
    rows = chain(Head.before(new_id()), [new_event(opened)], _stamp(plan, Cause.HOST, at))
    for seat, player in enumerate(plan.players):
        taken = new_event(SeatTaken(seat=seat, player=player.id, client_seed=None), text=player.display_name)
        rows += chain(rows[-1].head, [taken], _stamp(plan, Cause.PLAYER, at, seat))
    return rows


def _deal(plan: Plan, seed: bytes, chance: SeededChance) -> Decision:
    seating = Seating(
        players=tuple(player.id for player in plan.players),
        client_seeds=(None,) * len(plan.players),
        birth_years=(None,) * len(plan.players),
        commitment=commitment_of(seed),
        preset=PRESET,
    )
    return start(plan.ruleset.rules, seating, chance, plan.began)
