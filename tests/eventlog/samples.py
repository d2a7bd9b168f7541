"""A small log of its own: lamps, so that nothing here needs a game."""

from collections.abc import Iterator
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace
from uuid_utils.compat import uuid7

from eventlog.chain import Salts, chain
from eventlog.codec import Codec, Kind
from eventlog.records import Cause, Head, NewEvent, Stamp, StoredEvent
from eventlog.upcasters import Fields, Upcasters

STREAM = UUID("01a22bbf-417c-7035-a9b5-3cd7ff2520a8")
PLAYER = UUID("01a22bbf-418b-779f-93c5-60e33371b309")
COMMAND = UUID("01a22bbf-418b-779f-93c5-60e4ea0537c2")
AT = 1_796_029_749_270


class LampLit(Struct, frozen=True, omit_defaults=True):
    """Version 1 knew one color only."""

    lamp: int
    colors: tuple[str, ...]
    note: str | None = None


class LampBroken(Struct, frozen=True):
    """An event that never changed."""

    lamp: int


def several_colors(fields: Fields) -> Fields:
    """Version 1 to 2."""
    color = fields.pop("color")
    return fields | {"colors": [color]}


KINDS = (Kind("lamp_lit", 2, LampLit), Kind("lamp_broken", 1, LampBroken))
CODEC = Codec(KINDS, Upcasters({("lamp_lit", 1): several_colors}))


def lit(lamp: int, **options: object) -> NewEvent:
    """A new event about a lamp."""
    encoded = CODEC.encode(LampLit(lamp, ("amber", "green")))
    event = NewEvent(kind=encoded.kind, kind_version=encoded.kind_version, payload=encoded.payload, seat=lamp % 10)
    return replace(event, **options)


def stamp(command_id: UUID | None = None) -> Stamp:
    """The stamp of a player's command."""
    return Stamp(
        at=AT,
        cause=Cause.PLAYER,
        actor=PLAYER,
        command_id=command_id or uuid7(),
        request_id="a-request",
        fingerprint=bytes(range(32)),
    )


def counted_salts() -> Salts:
    """Salts that are the same in every run."""
    numbers = iter(range(1, 1_000_000))
    return lambda size: next(numbers).to_bytes(size, "big")


def lamps(stream: UUID, commands: int, text: str | None = None) -> list[StoredEvent]:
    """So many commands of two events each; `text` goes with the first event of each."""
    rows: list[StoredEvent] = []
    head = Head.before(stream)
    for number in range(commands):
        events = [lit(2 * number, text=text), lit(2 * number + 1, cause=Cause.CLOCK)]
        rows.extend(chain(head, events, stamp()))
        head = rows[-1].head
    return rows


def fixed_lamps() -> list[StoredEvent]:
    """Four events in which nothing is left to chance."""
    salts = counted_salts()
    first = chain(Head.before(STREAM), [lit(1), lit(2, cause=Cause.CLOCK)], stamp(COMMAND), salts)
    quiet = Stamp(at=AT + 1, cause=Cause.SYSTEM)
    return [*first, *chain(first[-1].head, [lit(3, text="words", seat=None), lit(4)], quiet, salts)]


def each_field_changed(event: StoredEvent) -> Iterator[tuple[str, StoredEvent]]:
    """The event as often as it has proven fields, one of them changed each time."""
    changes: dict[str, object] = {
        "at": event.at + 1,
        "version": event.version + 1,
        "kind_version": event.kind_version + 1,
        "cause": Cause.STAFF,
        "seat": 9,
        "span": 9,
        "stream": uuid7(),
        "actor": uuid7(),
        "command_id": uuid7(),
        "salt": bytes(16),
        "text_hash": bytes(32),
        "fingerprint": bytes(32),
        "kind": "lamp_broken",
        "payload": b'{"lamp":7}',
    }
    for name, value in changes.items():
        yield name, replace(event, **{name: value})
