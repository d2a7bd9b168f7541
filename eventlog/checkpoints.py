"""Checkpoints: signed lists of the heads of streams, each chained to the one before (docs/checkpoints.md); pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from eventlog.digest import instant
from eventlog.records import GENESIS, Head
from eventlog.signing import SigningKey, is_signed

FORMAT: Final = "log-checkpoint-1"


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is signed, in canonical JSON. Byte strings are lower-case hex.

    `list` is the SHA-256 of the list of heads, `previous` that of the header before (64 zeros before the first).
    `key` made the signature; `next_key` makes those of the following checkpoints, if it is not to be the same.
    """

    at: str
    format: str
    key: str
    list: str
    next_key: str | None
    number: int
    previous: str
    streams: int


class Checkpoint(Struct, frozen=True):
    """A header as it was signed, and its signature."""

    header: Header
    signed: bytes
    signature: bytes

    @property
    def digest(self) -> str:
        """By what the next checkpoint remembers this one, and all before it."""
        return hashlib.sha256(self.signed).hexdigest()

    @property
    def heir(self) -> str:
        """The key that must sign the next one."""
        return self.header.next_key or self.header.key


class Mention(Struct, frozen=True):
    """A head that a checkpoint holds; the stream may be known by its name alone."""

    number: int
    version: int
    digest: bytes


class Fault(Struct, frozen=True):
    """What is wrong with a checkpoint."""

    number: int
    detail: str

    def __str__(self) -> str:
        """One line for people."""
        return f"checkpoint {self.number}: {self.detail}"


_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_DECODER: Final = msgspec.json.Decoder(Header)


def name_of(stream: UUID) -> str:
    """How lists name a stream: by the SHA-256 of its id, so that a list tells the ids to nobody who has them not."""
    return hashlib.sha256(str(stream).encode("ascii")).hexdigest()


def list_of(heads: Iterable[Head]) -> bytes:
    """The list as it is hashed and published: a line for each stream, by name."""
    lines = sorted(f"{name_of(head.stream)} {head.version} {head.digest.hex()}\n" for head in heads)
    return "".join(lines).encode("ascii")


def read_list(text: bytes, number: int) -> dict[str, Mention]:
    """The mentions in the list of checkpoint `number`, by name; ValueError if it is no list."""
    found = {}
    for line in text.decode("ascii").splitlines():
        name, version, digest = line.split(" ")
        found[name] = Mention(number, int(version), bytes.fromhex(digest))
    return found


def parse(signed: bytes, signature: bytes) -> Checkpoint:
    """A checkpoint as it was published; ValueError if it is none, or of a format that is not known here."""
    header = _DECODER.decode(signed)
    if header.format != FORMAT:
        raise ValueError(f"{header.format} is not known here")
    return Checkpoint(header, signed, signature)


class Keys(Struct, frozen=True):
    """Who signs a checkpoint, and who shall sign the next one if that is to be another."""

    signs: SigningKey
    heir: str | None = None


def make(last: Checkpoint | None, at: int, heads: Sequence[Head], keys: Keys) -> Checkpoint:
    """The checkpoint of these heads that follows `last`; `at` is in ms."""
    header = Header(
        at=instant(at),
        format=FORMAT,
        key=keys.signs.public,
        list=hashlib.sha256(list_of(heads)).hexdigest(),
        next_key=keys.heir,
        number=1 if last is None else last.header.number + 1,
        previous=GENESIS.hex() if last is None else last.digest,
        streams=len(heads),
    )
    signed = _ENCODER.encode(header)
    return Checkpoint(header, signed, keys.signs.sign(signed))


# --- proofs --------------------------------------------------------------------------------------


def chain_faults(checkpoints: Iterable[Checkpoint], trusted: Collection[str] = ()) -> Iterator[Fault]:
    """What is wrong with checkpoints given in order; some may be missing between them.

    Each run without a gap must hold a signature of a key that is trusted, or named by the run before: from there hashes
    prove what is older, and keys named by their predecessors what is younger. A key that gave way to another counts no
    more. Without trusted keys the first run is believed.
    """
    good, retired = set(trusted), set[str]()
    for run in _runs(checkpoints):
        yield from _faults_of_run(run, good - retired)
        keys = {checkpoint.header.key for checkpoint in run}
        if good and not keys & (good - retired):
            yield Fault(run[0].header.number, f"signed by {run[0].header.key}, which no trusted key vouches for")
            continue
        good.add(run[-1].heir)
        retired |= keys - {run[-1].heir}


def _runs(checkpoints: Iterable[Checkpoint]) -> Iterator[list[Checkpoint]]:
    run: list[Checkpoint] = []
    for checkpoint in checkpoints:
        if run and checkpoint.header.number != run[-1].header.number + 1:
            yield run
            run = []
        run.append(checkpoint)
    if run:
        yield run


def _faults_of_run(run: Sequence[Checkpoint], trusted: Collection[str]) -> Iterator[Fault]:
    before: Checkpoint | None = None
    seen = set[str]()
    for checkpoint in run:
        number, key = checkpoint.header.number, checkpoint.header.key
        if not is_signed(checkpoint.signed, checkpoint.signature, key):
            yield Fault(number, f"its signature is not by {key}")
        if number == 1 and checkpoint.header.previous != GENESIS.hex():
            yield Fault(number, "the first one follows another")
        if before is not None and checkpoint.header.previous != before.digest:
            yield Fault(number, f"it does not follow checkpoint {before.header.number} as that one is here")
        # A key that nobody named may still be the one that replaces a lost key, if it is trusted; an old one may not.
        if before is not None and key != before.heir and (key in seen or key not in trusted):
            yield Fault(number, f"signed by {key}, but checkpoint {number - 1} names {before.heir}")
        seen.add(key)
        before = checkpoint


def list_fault(header: Header, text: bytes) -> Fault | None:
    """Whether this is the list that was signed."""
    if hashlib.sha256(text).hexdigest() == header.list and text.count(b"\n") == header.streams:
        return None
    return Fault(header.number, "its list of heads is not the one that was signed")


def mention_fault(digests: Mapping[int, bytes], mention: Mention) -> str | None:
    """Whether a log, as digests by version, still holds a head that a checkpoint mentions; else what is wrong."""
    found = digests.get(mention.version)
    if found == mention.digest:
        return None
    if found is None:
        return f"checkpoint {mention.number} holds {mention.version} events, the log ends at {max(digests, default=0)}"
    return f"checkpoint {mention.number} holds another digest of event {mention.version}: it was written anew since"
