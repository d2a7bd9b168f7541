"""The game's words in the log: the codec over every kind of event, and folding stored rows into a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, cast

from eventlog.codec import Codec, Kind
from eventlog.records import Cause, Fact, NewEvent, StoredEvent
from eventlog.upcasters import Upcasters
from games.engine import cards
from games.engine.events import KINDS, Event, seat_of
from games.engine.evolve import evolve
from games.engine.state import State

UPCASTERS: Final = Upcasters()
"""Steps from old shapes of events to new ones; a changed kind gets its step here and a golden file in the tests."""

CODEC: Final = Codec(
    kinds=[Kind(name, version, type_) for type_, (name, version) in KINDS.items()],
    upcasters=UPCASTERS,
    enc_hook=cards.enc_hook,
    dec_hook=cards.dec_hook,
)


def new_event(event: Event, cause: Cause | None = None, text: str | None = None) -> NewEvent:
    """An event ready for the log; `cause` where it differs from that of the command, `text` for free text."""
    encoded = CODEC.encode(event)
    return NewEvent(
        kind=encoded.kind,
        kind_version=encoded.kind_version,
        payload=encoded.payload,
        seat=seat_of(event),
        cause=cause,
        text=text,
    )


def event_of(row: StoredEvent | Fact) -> Event:
    """The event a row holds, as today's code knows it."""
    return cast("Event", CODEC.decode(row.kind, row.kind_version, row.payload))


def fold(rows: Iterable[StoredEvent | Fact]) -> State | None:
    """Replay rows from the beginning of a game; None if it has not started."""
    state: State | None = None
    for row in rows:
        state = evolve(state, event_of(row), row.at)
    return state


def events_of(rows: Sequence[StoredEvent]) -> tuple[Event, ...]:
    """The events of several rows, in order."""
    return tuple(event_of(row) for row in rows)
