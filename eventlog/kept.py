"""Checkpoints that somebody kept outside, one answer of the interface a line; pure."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from eventlog.checkpoints import Checkpoint, Fault, Mention, chain_faults, list_fault, parse, read_list


class KeptFault(Exception):
    """A file that holds no checkpoints: where, and why."""


class Kept(Struct, frozen=True):
    """Kept checkpoints in order, what their lists mention by name of stream, and lists that are not those signed."""

    checkpoints: Sequence[Checkpoint]
    mentions: Mapping[str, Sequence[Mention]]
    faults: Sequence[Fault]

    def all_faults(self, trusted: Collection[str]) -> Iterator[Fault]:
        """What is wrong with them by themselves; without trusted keys the first one's is believed."""
        yield from self.faults
        yield from chain_faults(self.checkpoints, trusted)


class _Line(Struct, frozen=True):
    signed: str
    signature: str
    heads: str | None = None


_DECODER = msgspec.json.Decoder(_Line)


def read_kept(content: Iterable[bytes]) -> Kept:
    """Read the lines of a file; KeptFault names the first that is no checkpoint. Lists may be left out."""
    found: dict[int, Checkpoint] = {}
    lists: dict[int, dict[str, Mention]] = {}
    faults: list[Fault] = []
    for at, text in enumerate(content, 1):
        if not text.strip():
            continue
        checkpoint, listed = _read(text, at)
        number = checkpoint.header.number
        if found.setdefault(number, checkpoint).signed != checkpoint.signed:
            faults.append(Fault(number, "two different ones of this number are kept"))
        elif listed is not None and (fault := list_fault(checkpoint.header, listed)):
            faults.append(fault)
        elif listed is not None:
            lists[number] = read_list(listed, number)
    if not found:
        raise KeptFault("it is empty")
    return Kept([found[number] for number in sorted(found)], _by_name(lists), faults)


def _by_name(lists: Mapping[int, Mapping[str, Mention]]) -> dict[str, list[Mention]]:
    mentions: dict[str, list[Mention]] = {}
    for _, listed in sorted(lists.items()):
        for name, mention in listed.items():
            mentions.setdefault(name, []).append(mention)
    return mentions


def _read(text: bytes, at: int) -> tuple[Checkpoint, bytes | None]:
    try:
        line = _DECODER.decode(text)
        signature = base64.b64decode(line.signature, validate=True)
        return parse(line.signed.encode(), signature), None if line.heads is None else line.heads.encode()
    except ValueError as fault:
        raise KeptFault(f"line {at}: {fault}") from None
