"""Golden files: what each version of each kind looked like when it was stored, and what today's code makes of it.

A file is never edited: a changed shape is a new version with a new file (docs/events.md).
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from eventlog.codec import Codec

FOLDER = Path(__file__).parent


class Golden(Struct, frozen=True, forbid_unknown_fields=True):
    """One file: the stored event, and the data that today's version of its kind has after decoding it."""

    kind: str
    kind_version: int
    payload: dict[str, object]
    today: dict[str, object]


def goldens(area: str) -> list[Golden]:
    """The golden files of one folder, each named after its kind and version."""
    found = []
    for path in sorted((FOLDER / area).glob("*.json")):
        golden = msgspec.json.decode(path.read_bytes(), type=Golden)
        assert path.stem == f"{golden.kind}.{golden.kind_version}", f"{path} holds another event than its name says"
        found.append(golden)
    return found


def lacking(codec: Codec, found: list[Golden]) -> list[str]:
    """Kinds and versions, old ones included, without a golden file."""
    needed = {(kind.name, version) for kind in codec.kinds for version in range(1, kind.version + 1)}
    return [
        f"{kind}.{version}" for kind, version in sorted(needed - {(each.kind, each.kind_version) for each in found})
    ]


def reread(codec: Codec, golden: Golden) -> dict[str, object]:
    """What today's code reads from the stored bytes, as data; equal to `today` as long as nothing broke."""
    event = codec.decode(golden.kind, golden.kind_version, canonical(golden.payload))
    return msgspec.json.decode(codec.encode(event).payload, type=dict[str, object])


def canonical(fields: dict[str, object]) -> bytes:
    """The bytes in which the log holds this data."""
    return msgspec.json.encode(fields, order="sorted")
