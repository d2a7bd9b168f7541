"""Games whose clock ran out in the past, in whatever position a test needs, with true logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection

from bench.players import Chosen, RandomPlayer, mover
from bench.running_games import Plan, made, pinned, store
from eventlog.models import Event
from eventlog.records import Cause
from games import selectors
from games.engine.ruleset import Ruleset
from games.engine.state import State
from games.engine.templates import legal_moves
from games.models import Deadline, DeadlineKind
from games.services.commit import deadlines_of
from tests.games.people import Person

MINUTE: Final = 60_000
LONG: Final = Ruleset(turn_timeout_seconds=3600)
HOUR: Final = 60 * MINUTE
TRIES: Final = 400


def now() -> int:
    """The database's clock (ms)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def overdue(players: Sequence[Person], number: int = 1, rules: Ruleset = LONG, late_ms: int = MINUTE) -> list[str]:
    """Games whose first turn ran out so long ago; negative: that still run so long."""
    ruleset, began = pinned(rules), now() - rules.turn_timeout_seconds * 1000 - late_ms
    accounts = [player.player for player in players]
    return [str(game) for game in store([made(Plan(accounts, ruleset, began)) for _ in range(number)])]


def in_position(players: Sequence[Person], rules: Ruleset, wanted: Callable[[State], bool], ago_ms: int) -> str:
    """A game that was played to such a position and has lain untouched since."""
    ruleset, began = pinned(rules), now() - ago_ms
    accounts = [player.player for player in players]
    for seed in range(TRIES):
        one = made(Plan(accounts, ruleset, began, _played_until(wanted, seed)))
        if one.state.outcome is None and wanted(one.state):
            return str(store([one])[0])
    raise AssertionError("no game came to this position")


def _played_until(wanted: Callable[[State], bool], seed: int) -> Callable[[State], Chosen | None]:
    player = RandomPlayer(seed)
    left = [300]

    def play(state: State) -> Chosen | None:
        left[0] -= 1
        if state.outcome is not None or wanted(state) or not left[0]:
            return None
        seat = mover(state)
        return player.choose(legal_moves(state, seat, 0), seat)

    return play


def told(game: str, after: int = 0) -> list[tuple[str, str, dict[str, Any]]]:
    """The log behind a version: kind, cause in words, and the payload."""
    rows = Event.objects.filter(stream=game, version__gt=after).order_by("version")
    return [(row.kind, Cause(row.cause).word, json.loads(row.payload)) for row in rows]


def timeouts(game: str) -> list[dict[str, Any]]:
    """What the log holds of turns that ran out."""
    return [payload for kind, _, payload in told(game) if kind == "turn_timed_out"]


def deadline(game: str) -> int | None:
    """When a game's turn runs out (ms), by its row in the deadlines: never later than the truth."""
    row = Deadline.objects.filter(game_id=game, kind="turn").first()
    return None if row is None else round(row.at.timestamp() * 1000)


def true_deadline(game: str) -> int | None:
    """When a game's turn really runs out (ms)."""
    state = selectors.table(UUID(game)).state()
    return None if state is None else deadlines_of(state).get(DeadlineKind.TURN)


def is_whole(game: str) -> bool:
    """The numbers of the game's events have no gap."""
    versions = list(Event.objects.filter(stream=game).order_by("version").values_list("version", flat=True))
    return versions == list(range(1, len(versions) + 1))
