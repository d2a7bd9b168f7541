"""Events as lines of a record that anyone can verify without this service (docs/events.md)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import msgspec

from eventlog.chain import covered
from eventlog.digest import EPOCH, Fact
from eventlog.records import Cause, StoredEvent


class Line(Fact, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event with its digest. With `previous` in the place of `digest` it is the object that was hashed."""

    digest: str


_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_DECODER: Final = msgspec.json.Decoder(Line)
_CAUSES: Final = {cause.word: cause for cause in Cause}


def line(event: StoredEvent) -> bytes:
    """The event as one line of JSON, without the line's end."""
    fields = msgspec.structs.asdict(covered(event, b""))
    del fields["previous"]
    return _ENCODER.encode(Line(**fields, digest=event.digest.hex()))


def parse(text: bytes) -> StoredEvent:
    """The event that a line shows, ready for `chain.verify`; ValueError if it shows none."""
    shown = _DECODER.decode(text)
    if shown.cause not in _CAUSES:
        raise ValueError(f"unknown cause {shown.cause}")
    return StoredEvent(
        stream=shown.stream,
        version=shown.version,
        kind=shown.kind,
        kind_version=shown.kind_version,
        at=(datetime.fromisoformat(shown.at) - EPOCH) // timedelta(milliseconds=1),
        cause=_CAUSES[shown.cause],
        actor=shown.actor,
        seat=shown.seat,
        span=shown.span,
        command_id=shown.command_id,
        fingerprint=None if shown.fingerprint is None else bytes.fromhex(shown.fingerprint),
        request_id=None,
        salt=bytes.fromhex(shown.salt),
        payload=bytes(shown.data),
        text_hash=None if shown.text_hash is None else bytes.fromhex(shown.text_hash),
        digest=bytes.fromhex(shown.digest),
    )
