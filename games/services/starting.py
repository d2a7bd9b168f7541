"""The start of a game: seats become final, the cards are dealt from the seed whose commitment is long published."""

from __future__ import annotations

from msgspec import Struct

from accounts.selectors import birth_years
from eventlog.records import Cause, NewEvent, Stamp
from eventlog.store import Cursor
from games.engine.decide import Decision
from games.engine.fairness import SeededChance
from games.engine.opening import Seating
from games.engine.opening import start as deal
from games.engine.placing import place
from games.engine.state import State
from games.log import new_event
from games.models import Game, Seat, Seed
from games.services.commit import progress, write
from games.tables import Table, moment_of


class Start(Struct, frozen=True):
    """A start in the making: the stamp of its write, who causes it, and the events that the write holds before it."""

    stamp: Stamp
    cause: Cause
    before: tuple[NewEvent, ...] = ()


def start(raw: Cursor, table: Table, begun: Start) -> None:
    """Deal to the seats as they are now; the game's row is locked."""
    seating = _seating(table)
    chance = SeededChance(bytes(Seed.objects.get(game_id=table.id).value), seating.client_seeds)
    _write(raw, table, begun, deal(table.ruleset.rules, seating, chance, table.now))


def start_placed(raw: Cursor, table: Table, begun: Start, position: State) -> None:
    """Put the cards of a sandbox game on the table instead of dealing them."""
    _write(raw, table, begun, place(position, _seating(table), table.now))


def _seating(table: Table) -> Seating:
    seats = Seat.objects.filter(game_id=table.id).order_by("number").values_list("player_id", "client_seed")
    players = tuple(player for player, _ in seats)
    years = birth_years(players)
    return Seating(
        players=players,
        client_seeds=tuple(client_seed for _, client_seed in seats),
        birth_years=tuple(years.get(player) for player in players),
        commitment=table.commitment.hex(),
        preset=table.ruleset.preset,
    )


def _write(raw: Cursor, table: Table, begun: Start, opening: Decision) -> None:
    events = (*begun.before, *(new_event(event, begun.cause) for event in opening.events))
    write(raw, table, progress(opening.state, events), begun.stamp)
    Game.objects.filter(pk=table.id).update(started_at=moment_of(table.now))
