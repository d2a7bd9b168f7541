"""Checkpoints as rows. Whoever may insert one can write nonsense, so a row counts only as far as it is signed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

import msgspec

from eventlog import store
from eventlog.checkpoints import Checkpoint, parse
from eventlog.signing import is_key, is_signed

_SELECT: Final = "SELECT number, signed, signature FROM eventlog_checkpoint"
_BEHIND_ALL: Final = 2**31
_STEP: Final = 200


def read(number: int, signed: str, signature: bytes) -> Checkpoint | None:
    """A row as the checkpoint it says it is, signed or not; None if it cannot be read as one of its number."""
    try:
        checkpoint = parse(signed.encode(), bytes(signature))
    except (ValueError, msgspec.MsgspecError):
        return None
    keys = (checkpoint.header.key, checkpoint.heir)
    return checkpoint if checkpoint.header.number == number and all(map(is_key, keys)) else None


@lru_cache(maxsize=2048)
def _signed(number: int, signed: str, signature: bytes) -> Checkpoint | None:
    checkpoint = read(number, signed, signature)
    if checkpoint is None or not is_signed(checkpoint.signed, checkpoint.signature, checkpoint.header.key):
        return None
    return checkpoint


def everything(step: int = 1_000) -> Iterator[Checkpoint]:
    """All checkpoints that can be read, oldest first, whoever has signed them, or nobody."""
    return filter(None, (checkpoint for _, checkpoint in all_rows(step)))


def all_rows(step: int = 1_000) -> Iterator[tuple[int, Checkpoint | None]]:
    """All rows, oldest first, by number; None in the place of one that cannot be read. Signatures are not looked at."""
    above = 0
    while found := _rows("number > %s ORDER BY number LIMIT %s", [above, step]):
        yield from ((number, read(number, signed, signature)) for number, signed, signature in found)
        above = found[-1][0]


def newest_first(below: int | None, count: int, key: str | None = None) -> list[Checkpoint]:
    """So many signed checkpoints before a number, or the last ones; of one key, if one is named."""
    return list(islice(_newest_first(_BEHIND_ALL if below is None else below, key), count))


def oldest_first(above: int, count: int, key: str | None = None) -> list[Checkpoint]:
    """So many signed checkpoints after a number; of one key, if one is named."""
    return list(islice(_oldest_first(above, key), count))


def _newest_first(below: int, key: str | None) -> Iterator[Checkpoint]:
    while found := _rows(
        "number < %s AND (%s::text IS NULL OR key = %s) ORDER BY number DESC LIMIT %s", [below, key, key, _STEP]
    ):
        yield from filter(None, (_signed(*row) for row in found))
        below = found[-1][0]


def _oldest_first(above: int, key: str | None) -> Iterator[Checkpoint]:
    while found := _rows(
        "number > %s AND (%s::text IS NULL OR key = %s) ORDER BY number LIMIT %s", [above, key, key, _STEP]
    ):
        yield from filter(None, (_signed(*row) for row in found))
        above = found[-1][0]


def find(number: int) -> Checkpoint | None:
    """One checkpoint, if it is there and signed."""
    return next((found for row in _rows("number = %s", [number]) if (found := _signed(*row))), None)


def is_taken(number: int) -> bool:
    """Whether there is a row of this number, or of its list, whatever it holds."""
    return bool(_rows("number = %s", [number])) or number in lists_from(number)


def lists_from(number: int) -> list[int]:
    """The numbers, from this one on, under which heads are listed."""
    statement = "SELECT DISTINCT number FROM eventlog_mention WHERE number >= %s ORDER BY number"
    with store.cursor() as cursor:
        return [found for (found,) in cursor.execute(statement, [number])]


def last() -> Checkpoint | None:
    """The newest that is signed."""
    return next(iter(newest_first(None, 1)), None)


def terms() -> list[tuple[Checkpoint, Checkpoint]]:
    """The first and the last checkpoint that each key signed, the oldest key first."""
    with store.cursor() as cursor:
        keys = [key for (key,) in cursor.execute("SELECT DISTINCT key FROM eventlog_checkpoint")]
    found = [(first, newest_first(None, 1, key)[0]) for key in keys for first in oldest_first(0, 1, key)]
    return sorted((term for term in found if _follows_another(term[0])), key=lambda term: term[0].header.number)


def _follows_another(checkpoint: Checkpoint) -> bool:
    if checkpoint.header.number == 1:
        return True
    before = find(checkpoint.header.number - 1)
    return before is not None and before.digest == checkpoint.header.previous


def last_of(publics: Collection[str]) -> Checkpoint | None:
    """The last checkpoint that follows from one which a key at hand has signed, each by the key that the one before names.

    Before a key at hand has signed: the last one by keys that were named from the first on, if it names one at hand.
    """
    newest = [found for key in publics for found in newest_first(None, 1, key)]
    if newest:
        return _followed(max(newest, key=lambda each: each.header.number), named=True)
    first = find(1)
    named = None if first is None else _followed(first, named=True)
    return named if named is not None and named.heir in publics else last_whole()


def last_whole() -> Checkpoint | None:
    """The last checkpoint that goes back to the first without a gap, whoever has signed it."""
    first = find(1)
    return None if first is None else _followed(first, named=False)


def _followed(checkpoint: Checkpoint, *, named: bool) -> Checkpoint:
    for each in _oldest_first(checkpoint.header.number, None):
        header = each.header
        if (header.number, header.previous) != (checkpoint.header.number + 1, checkpoint.digest):
            break
        if named and header.key != checkpoint.heir:
            break
        checkpoint = each
    return checkpoint


def _rows(condition: str, params: Sequence[object]) -> list[tuple[int, str, bytes]]:
    with store.cursor() as cursor:
        return cursor.execute(f"{_SELECT} WHERE {condition}".encode(), params).fetchall()
