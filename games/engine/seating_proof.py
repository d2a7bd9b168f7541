"""What must be true of a log whatever the cards are: times, who sat down, who caused what, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from eventlog.records import IMPERSONAL, Cause, StoredEvent
from games.engine.events import (
    ClockExtended,
    Event,
    GameOpened,
    GameStarted,
    GameVoided,
    Plus3Opened,
    PositionSet,
    SeatEvent,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    VoidReason,
    seat_of,
)
from games.engine.ruleset import RULESET_VERSION
from games.engine.story import Broken, Story

_VOIDED_BY: Final = {
    VoidReason.CANCELLED: Cause.HOST,
    VoidReason.EXPIRED: Cause.CLOCK,
    VoidReason.RULING: Cause.STAFF,
}


def check_seating(story: Story) -> str:
    """Prove it, and say what was proven; Broken names the first event that speaks against it."""
    opened = story.opened()
    _check_envelopes(story)
    table = _Lobby(opened, [])
    lobby = min(story.start() + 1, story.end() + 1, len(story.events))
    for row, event in zip(story.rows[:lobby], story.events[:lobby], strict=True):
        if fault := table.fault(row, event):
            raise Broken(row.version, fault)
    _check_seats(story)
    _check_deal_causes(story)
    _check_end(story)
    return f"{len(table.players)} seats, their players and the rules are those of the start"


def seated(story: Story) -> list[UUID]:
    """Give who sits at the table, by seat: as the start has it, or as seats were taken and given back."""
    started = story.started()
    if started is not None:
        return list(started.players)
    players: list[UUID] = []
    for event in story.events:
        if isinstance(event, SeatTaken):
            players.append(event.player)
        elif isinstance(event, SeatLeft):
            del players[event.seat]
    return players


def _check_envelopes(story: Story) -> None:
    for before, row in pairwise(story.rows):
        if row.at < before.at:
            raise Broken(row.version, "its time is before that of the event before it")
    for row, event in zip(story.rows, story.events, strict=True):
        if row.seat not in (None, seat_of(event)):  # null in logs from before it was noted
            raise Broken(row.version, f"it is about another seat than {row.seat}")
        if (row.actor is None) != (row.cause in IMPERSONAL):
            raise Broken(row.version, f"{row.cause.word} is its cause, so it must have {_an_actor(row)}")


def _an_actor(row: StoredEvent) -> str:
    return "an actor" if row.actor is None else "none"


class _Lobby(Struct, frozen=True):
    """A table before its game: how it was opened, and who sits there, by seat."""

    opened: GameOpened
    players: list[UUID]

    def fault(self, row: StoredEvent, event: Event) -> str | None:
        """Take the next event in, and say what is wrong with it."""
        rule = _RULES.get(type(event))
        return f"{row.kind} has no place before the start" if rule is None else rule(self, row, event)

    def opening(self, row: StoredEvent, event: GameOpened) -> str | None:
        """Only the first event opens, by its host."""
        return None if event is self.opened and self.is_host(row) else "the table is not opened once, by its host"

    def taking(self, row: StoredEvent, event: SeatTaken) -> str | None:
        """Seats are taken in order, by the players themselves."""
        if event.seat != len(self.players) or event.player in self.players or event.seat >= self.opened.max_players:
            return f"seat {event.seat} is not the next free one, or its player sits there already"
        self.players.append(event.player)
        return None if _by(row, Cause.PLAYER, event.player) else "a seat is taken by another than its player"

    def leaving(self, row: StoredEvent, event: SeatLeft) -> str | None:
        """A seat is given back by its player or taken back by the host."""
        if self.players[event.seat : event.seat + 1] != [event.player]:
            return f"seat {event.seat} is not that player's"
        del self.players[event.seat]
        own = _by(row, Cause.PLAYER, event.player)
        return None if own or self.is_host(row) else "a seat is given back by another than its player or the host"

    def extending(self, row: StoredEvent, _event: ClockExtended) -> str | None:
        """The clock gives an open table the time back that an outage took."""
        return None if row.cause is Cause.CLOCK else "an open table gets its time from the clock alone"

    def voiding(self, row: StoredEvent, event: GameVoided) -> str | None:
        """The host calls it off, it runs out, or the staff rules."""
        fits = row.cause is _VOIDED_BY[event.reason] and (row.cause is not Cause.HOST or self.is_host(row))
        return None if fits else f"{row.cause.word} does not void a table for that reason"

    def starting(self, row: StoredEvent, event: GameStarted) -> str | None:
        """The start repeats the table: its players, and the rules that they sat down to."""
        full = self.opened.auto_start and len(self.players) == self.opened.max_players
        if event.players != tuple(self.players) or len(self.players) < self.opened.min_players:
            return "started with other players than those who sat down"
        if (event.ruleset, event.preset) != (self.opened.ruleset, self.opened.preset):
            return "started under other rules than the table was opened with"
        if not 0 < self.opened.ruleset_version <= event.ruleset_version <= RULESET_VERSION:
            return "its version of the rules is unknown, or older than that of the opening"
        if self.is_host(row) or (full and row.cause is Cause.SYSTEM):
            return None
        return "started by another than the host, or the service at a full table that starts by itself"

    def is_host(self, row: StoredEvent) -> bool:
        """Whether the host caused it."""
        return _by(row, Cause.HOST, self.opened.host)


_RULES: Final[dict[type[Event], Callable[[_Lobby, StoredEvent, Any], str | None]]] = {
    GameOpened: _Lobby.opening,
    SeatTaken: _Lobby.taking,
    SeatLeft: _Lobby.leaving,
    ClockExtended: _Lobby.extending,
    GameVoided: _Lobby.voiding,
    GameStarted: _Lobby.starting,
}


def _by(row: StoredEvent, cause: Cause, actor: UUID) -> bool:
    return row.cause is cause and row.actor == actor


def _check_seats(story: Story) -> None:
    """Behind the start only seats of the table are spoken of; a mask of others would have no end."""
    start, seats = story.start(), range(len(seated(story)))
    for row, event in zip(story.rows[start:], story.events[start:], strict=True):
        if not all(seat in seats for seat in _seats_in(event)):
            raise Broken(row.version, "it speaks of a seat that is not at this table")


def _seats_in(event: Event) -> Iterable[int]:
    if isinstance(event, Plus3Opened):
        return (event.seat, *event.awaited)
    if isinstance(event, PositionSet):
        return (*event.declared, *event.must_say, *event.by_play, *event.waiting)
    return (event.seat,) if isinstance(event, SeatEvent) else ()


def _check_deal_causes(story: Story) -> None:
    """Whoever starts a game causes its deal."""
    start = story.start()
    for row in story.rows[start : story.play()]:
        begun = story.rows[start]
        if (row.cause, row.actor, row.at) != (begun.cause, begun.actor, begun.at):
            raise Broken(row.version, "it is not of one cause and time with the start")


def _check_end(story: Story) -> None:
    """The seed is revealed by the end, once, and nothing follows it."""
    end = story.end()
    revealed = [place for place, event in enumerate(story.events) if isinstance(event, SeedRevealed)]
    for place in revealed:
        if place != end + 1 or story.rows[place].cause is not Cause.SYSTEM:
            raise Broken(place + 1, "the seed is revealed elsewhere than by the end of the game")
    if end == len(story.events):
        return
    if not revealed:
        raise Broken(end + 1, "the game ends here, and its seed is not revealed with that")
    if len(story.events) > end + 2:
        raise Broken(end + 3, "it follows the end of the game")
