"""The start of a game: seats become final, the cards are dealt from the seed whose commitment is long published."""

from __future__ import annotations

from accounts.selectors import birth_years
from eventlog.records import Cause, NewEvent, Stamp
from eventlog.store import Cursor
from games.engine.fairness import SeededChance
from games.engine.opening import Seating
from games.engine.opening import start as deal
from games.log import new_event
from games.models import Game, Seat, Seed
from games.services.commit import progress, write
from games.tables import Table, moment_of


def start(raw: Cursor, table: Table, marked: Stamp, before: tuple[NewEvent, ...], cause: Cause) -> None:
    """Deal to the seats as they are now, in a write that also holds the events `before`; the game's row is locked."""
    seats = Seat.objects.filter(game_id=table.id).order_by("number").values_list("player_id", "client_seed")
    players = tuple(player for player, _ in seats)
    client_seeds = tuple(client_seed for _, client_seed in seats)
    years = birth_years(players)
    seating = Seating(
        players=players,
        client_seeds=client_seeds,
        birth_years=tuple(years.get(player) for player in players),
        commitment=table.commitment.hex(),
        preset=table.ruleset.preset,
    )
    chance = SeededChance(bytes(Seed.objects.get(game_id=table.id).value), client_seeds)
    decision = deal(table.ruleset.rules, seating, chance, table.now)
    events = (*before, *(new_event(event, cause) for event in decision.events))
    write(raw, table, progress(decision.state, events), marked)
    Game.objects.filter(pk=table.id).update(started_at=moment_of(table.now))
