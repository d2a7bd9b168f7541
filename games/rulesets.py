"""Rulesets as games pin them: each is stored once and known to every process after its first use."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Raw, Struct

from games.engine import cards
from games.engine.ruleset import RULESET_VERSION, Ruleset
from games.models import PinnedRuleset


class Content(Struct, frozen=True):
    """What is stored, and shown as `ruleset` in every view."""

    preset: str
    version: int
    options: Ruleset


class AlteredRuleset(Exception):
    """A stored ruleset that is not the one that was pinned: nothing may be played by it."""


class Pinned(Struct, frozen=True):
    """A stored ruleset; `shown` is its JSON, ready to stand in a view."""

    id: int
    preset: str
    version: int
    rules: Ruleset
    shown: Raw


_ENCODER: Final = msgspec.json.Encoder(enc_hook=cards.enc_hook)
_DECODER: Final = msgspec.json.Decoder(Content, dec_hook=cards.dec_hook)


def pin(rules: Ruleset, preset: str) -> Pinned:
    """Store a ruleset unless an equal one is stored already."""
    content = _ENCODER.encode(Content(preset, RULESET_VERSION, rules))
    digest = hashlib.sha256(content).digest()
    stored = PinnedRuleset.objects.filter(digest=digest)
    if not stored.exists():  # else each table would use up a number
        PinnedRuleset.objects.bulk_create([PinnedRuleset(digest=digest, content=content)], ignore_conflicts=True)
    return _read(stored.get())


@lru_cache(maxsize=1024)
def pinned(ruleset_id: int) -> Pinned:
    """Give a stored ruleset by its number; asks the database, and checks its digest, the first time."""
    return _read(PinnedRuleset.objects.get(pk=ruleset_id))


def check_content(row: PinnedRuleset) -> bytes:
    """Give a stored ruleset as it was pinned; AlteredRuleset if its digest is another's."""
    content = bytes(row.content)
    if hashlib.sha256(content).digest() != bytes(row.digest):
        raise AlteredRuleset(f"ruleset {row.pk} was altered: its digest is that of another one")
    return content


def _read(row: PinnedRuleset) -> Pinned:
    content = check_content(row)
    read = _DECODER.decode(content)
    return Pinned(row.pk, read.preset, read.version, read.options, Raw(content))
