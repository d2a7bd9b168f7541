"""The rows beside a game's log: each says what the log says, or is found."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from eventlog.store import Cursor
from games import tables
from games.engine.seating_proof import seated
from games.engine.state import State
from games.engine.story import Story, client_seeds
from games.models import Game, Seat, Status
from games.rulesets import AlteredRuleset, check_content
from games.tables import Table, awaited_in, moment_of, status_of


class NoRow(Exception):
    """A game whose row cannot be read, and why."""


def read(raw: Cursor, game_id: UUID) -> Table:
    """Read the row; NoRow if there is none, or its rules are not those that were pinned."""
    try:
        table = tables.read(raw, game_id)
    except AlteredRuleset as fault:
        raise NoRow(str(fault)) from None
    if table is None:
        raise NoRow("there is no game to this log")
    return table


def row_fault(story: Story, table: Table) -> str | None:
    """What the row and its seats, as views show them, say otherwise than the log; None if nothing."""
    state, opened = story.fold(), story.opened()
    start, end = story.start(), story.end()
    playing = state is not None and state.outcome is None
    expected: dict[str, object] = {
        "host": opened.host,
        "mode": opened.ruleset.mode.value,
        "visibility": opened.visibility,
        "min_players": opened.min_players,
        "max_players": opened.max_players,
        "auto_start": opened.auto_start,
        "sandbox": opened.sandbox,
        "commitment": bytes.fromhex(opened.commitment),
        "status": _status(story, state),
        "turn": state.turn if playing and state is not None else None,
        "started_at": moment_of(story.rows[start].at) if start < len(story.rows) else None,
        "finished_at": moment_of(story.rows[end].at) if end < len(story.rows) else None,
    }
    wrong = [name for name, value in expected.items() if getattr(table, name) != value]
    if (table.ruleset.rules, table.ruleset.preset) != (opened.ruleset, opened.preset):
        wrong.append("ruleset")
    if [player.id for player in table.players] != seated(story):
        wrong.append("players")
    if (table.ahead is None) is opened.sandbox:
        wrong.append("ahead_ms")
    return _told(wrong)


def _status(story: Story, state: State | None) -> str:
    if state is not None:
        return status_of(state).value
    return (Status.OPEN if story.end() == len(story.events) else Status.VOID).value


def hidden_fault(story: Story, game_id: UUID) -> str | None:
    """The same for what no view shows: who is awaited, the client seeds of the seats, the rules as they are stored."""
    return _told(list(_hidden(story, game_id)))


def _hidden(story: Story, game_id: UUID) -> Iterator[str]:
    row = Game.objects.select_related("ruleset").get(pk=game_id)
    state = story.fold()
    if row.awaited != (0 if state is None else awaited_in(state)):
        yield "awaited"
    if row.acted_at != moment_of(story.rows[-1].at):
        yield "acted_at"
    seats = Seat.objects.filter(game_id=game_id).order_by("number").values_list("number", "client_seed")
    if list(seats) != list(enumerate(client_seeds(story.events))):
        yield "client seeds"
    try:
        check_content(row.ruleset)
    except AlteredRuleset:
        yield "stored rules"


def _told(wrong: list[str]) -> str | None:
    return f"the row says otherwise than the log: {', '.join(wrong)}" if wrong else None
