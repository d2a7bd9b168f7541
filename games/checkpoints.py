"""Checkpoints as everybody may read and keep them: games by the hash of their id, heads, signatures, keys."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from eventlog import checkpoint_rows, checkpoint_store
from eventlog.checkpoints import Checkpoint, Mention
from eventlog.signing import pem_of
from httpapi.paging import Position
from httpapi.problems import NotFound

HIGHEST = 2**31 - 1


class CheckpointShown(Struct, frozen=True):
    """A checkpoint without its list. `signed` is what was signed, byte for byte; the fields before it stand in it."""

    number: int
    at: str
    games: int
    key: str
    digest: str
    signed: str
    signature: str


class CheckpointWhole(CheckpointShown, frozen=True):
    """A checkpoint with its list: a line for each game, its SHA-256 is `list` in what was signed."""

    heads: str


class KeyShown(Struct, frozen=True):
    """A key and the checkpoints it signs. `named_by`: the checkpoint in which the key before it hands over."""

    key: str
    pem: str
    first: int
    since: str | None
    last: int | None
    until: str | None
    named_by: int | None


class KeysShown(Struct, frozen=True):
    """All keys, the newest first."""

    results: tuple[KeyShown, ...]


class Covered(Struct, frozen=True):
    """The last checkpoint that holds a game, and how many of its events it proves."""

    number: int
    events: int


def listed(position: Position[tuple[int]] | None, count: int) -> Sequence[Checkpoint]:
    """Checkpoints from a position on, newest first; backward the other way round."""
    if position is None:
        return checkpoint_rows.newest_first(None, count)
    read = checkpoint_rows.oldest_first if position.backward else checkpoint_rows.newest_first
    return read(position.key[0], count)


def shown(checkpoint: Checkpoint) -> CheckpointShown:
    """One checkpoint of a list."""
    return CheckpointShown(**_facts(checkpoint))


def whole(text: str) -> CheckpointWhole:
    """One checkpoint with its list of heads; NotFound if there is none of this number."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST)) else 0
    checkpoint = checkpoint_rows.find(min(number, HIGHEST))
    if checkpoint is None:
        raise NotFound
    return CheckpointWhole(**_facts(checkpoint), heads=checkpoint_store.heads_in(number).decode())


def _facts(checkpoint: Checkpoint) -> dict[str, Any]:
    header = checkpoint.header
    return {
        "number": header.number,
        "at": header.at,
        "games": header.streams,
        "key": header.key,
        "digest": checkpoint.digest,
        "signed": checkpoint.signed.decode(),
        "signature": base64.b64encode(checkpoint.signature).decode(),
    }


def keys() -> KeysShown:
    """Every key that ever signed, and the one that is to follow if it has not signed yet."""
    terms = checkpoint_rows.terms()
    found = [_key(first, final, terms[-1][1]) for first, final in terms]
    if terms and (heir := terms[-1][1].heir) not in {first.header.key for first, _ in terms}:
        number = terms[-1][1].header.number
        found.append(KeyShown(heir, pem_of(heir), number + 1, None, None, None, number))
    return KeysShown(tuple(reversed(found)))


def _key(first: Checkpoint, final: Checkpoint, last: Checkpoint) -> KeyShown:
    key, signs = first.header.key, final is last and last.heir == final.header.key
    before = checkpoint_rows.find(first.header.number - 1)
    return KeyShown(
        key=key,
        pem=pem_of(key),
        first=first.header.number,
        since=first.header.at,
        last=None if signs else final.header.number,
        until=None if signs else final.header.at,
        named_by=before.header.number if before is not None and before.heir == key else None,
    )


def mentions_of(game_id: UUID) -> list[Mention]:
    """Every head of a game that a signed checkpoint holds, oldest first; what stands under another number counts for nothing."""
    mentions = checkpoint_store.mentions([game_id])[game_id]
    return [mention for mention in mentions if checkpoint_rows.find(mention.number) is not None]


def covered(mentions: Sequence[Mention]) -> Covered | None:
    """The last of them."""
    return Covered(mentions[-1].number, mentions[-1].version) if mentions else None
