"""A stage board as read: the folded table, and the moments of the log at which stages changed. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from eventlog.models import Event
from games import selectors
from games.engine.ranking import places
from games.engine.ruleset import Mode
from games.engine.state import Ended, State
from games.tables import Table
from httpapi.clock import to_ms
from httpapi.problems import NotFound
from tournaments.chart.picture import Line, Picture
from tournaments.courses import Change, Course, Frame, courses
from tournaments.models import Departure, StageReached


class Board(Struct, frozen=True):
    """A tournament at the version of its table."""

    table: Table
    state: State | None
    timeline: tuple[StageReached, ...]
    departures: Mapping[int, datetime]

    def courses(self, until: int) -> tuple[Course, ...]:
        """The way of each seat up to `until` (ms) or the end of the game; none before the start."""
        table = self.table
        if self.state is None or table.started_at is None:
            return ()
        ended = until if table.finished_at is None else to_ms(table.finished_at)
        return courses(
            Frame(self.state.tally.stages, to_ms(table.started_at), ended),
            (Change(to_ms(row.at), row.seat, row.cleared, row.reached) for row in self.timeline),
            {seat: to_ms(at) for seat, at in self.departures.items()},
        )

    def standing(self) -> dict[int, int]:
        """The place of each seat by 14.11, final once the game is over; none before the start and in a void game."""
        outcome = None if self.state is None else self.state.outcome
        if self.state is None or (outcome is not None and outcome.ended is Ended.VOID):
            return {}
        winner = None if outcome is None else outcome.winner
        return {place.seat: place.place for place in places(self.state, winner)}


def tournament_at(game_id: UUID) -> Table:
    """The table of a tournament; other games are none."""
    table = selectors.table(game_id)
    if table.mode != Mode.TOURNAMENT.value:
        raise NotFound
    return table


def board(table: Table) -> Board:
    """What the log tells about the stages at this table, up to its version."""
    state = table.state()
    if state is None:
        return Board(table, None, (), {})
    known = {"game_id": table.id, "version__lte": table.version}
    timeline = StageReached.objects.filter(**known).order_by("version")
    gone = Departure.objects.filter(**known).values_list("seat", "at") if state.tally.left else ()
    return Board(table, state, tuple(timeline), dict(gone))


def last_event_at(table: Table) -> int:
    """The time (ms) of the event that made the table's version."""
    at: int = Event.objects.values_list("at", flat=True).get(stream=table.id, version=table.version)
    return at


def picture(table: Table) -> Picture:
    """The chart of a tournament: the same for all who may see it, and for one version always the same."""
    seen = board(table)
    until = last_event_at(table)
    state, ways, standing = seen.state, seen.courses(until), seen.standing()
    outcome = None if state is None else state.outcome
    return Picture(
        name=table.name,
        status=table.status,
        stages=table.ruleset.rules.tournament_stages,
        began=None if table.started_at is None else to_ms(table.started_at),
        until=until,
        ended=None if outcome is None else outcome.ended.value,
        winner=None if outcome is None else outcome.winner,
        lines=tuple(
            Line(
                seat,
                player.name,
                0 if state is None else len(state.hands[seat]),
                standing.get(seat),
                ways[seat] if ways else None,
            )
            for seat, player in enumerate(table.players)
        ),
    )
