"""The book of what callers were told against what the database holds: nothing twice, nothing lost, nothing untold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

from django.core.management import CommandError, call_command
from msgspec import Struct

from bench.reliability.asks import Accepted, Book
from eventlog.store import cursor

# The first event of each command has its span, and the id of the request that brought it: `<key>.<attempt>`.
_COMMANDS: Final = (
    "SELECT substring(request_id FROM '^(.*)\\.[0-9]+$'), split_part(request_id, '.', 2)::int, stream::text, version, "
    "span FROM eventlog_event WHERE span IS NOT NULL AND request_id ~ '^[A-Za-z0-9_-]+\\.[0-9]+$'"
)
_COUNTS: Final = (
    "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM tokens), (SELECT count(*) FROM games_game), "
    "(SELECT count(*) FROM idempotency_keys)"
)
_AT_TABLES: Final = ("games", "tournaments")


class Command(Struct, frozen=True):
    """A command in the log."""

    attempt: int
    stream: str
    version: int
    span: int


class Counts(Struct, frozen=True):
    """How many there are."""

    players: int
    tokens: int
    games: int
    keys: int


def counts() -> Counts:
    """As the database has it."""
    return Counts(*_rows(_COUNTS)[0])


def commands() -> dict[str, list[Command]]:
    """Every command in the log that came with a key of ours."""
    found: defaultdict[str, list[Command]] = defaultdict(list)
    for key, *columns in _rows(_COMMANDS):
        found[key].append(Command(*columns))
    return dict(found)


def _rows(query: str) -> list[tuple[Any, ...]]:
    with cursor() as raw:
        return raw.execute(query.encode()).fetchall()


class Verdict(Struct, frozen=True):
    """What is wrong, by kind; all empty if nothing is."""

    double: tuple[str, ...]
    lost: tuple[str, ...]
    untold: tuple[str, ...]
    miscounted: tuple[str, ...]


def verdict(book: Book, before: Counts) -> Verdict:
    """Hold the book against the log and the tables; the effects of a call are looked for under its key."""
    kept = commands()
    at_tables = {key: one for key, one in book.accepted.items() if one.ask.path.startswith(_AT_TABLES)}
    return Verdict(
        double=tuple(f"{key}: {len(found)} times" for key, found in kept.items() if len(found) > 1),
        lost=tuple(f"{key}: {one.ask.path}" for key, one in at_tables.items() if not _is_there(one, kept.get(key, []))),
        untold=tuple(f"{key}: {found[0].stream}" for key, found in kept.items() if key not in at_tables),
        miscounted=tuple(_miscounted(book, before)),
    )


def _is_there(accepted: Accepted, found: list[Command]) -> bool:
    if not found:
        return False
    if accepted.span is None:
        return True
    first, last = accepted.span
    at = found[0]
    return (at.version, at.version + at.span - 1) == (first, last) and at.stream in accepted.ask.path


def _miscounted(book: Book, before: Counts) -> Iterator[str]:
    paths = [one.ask.path for one in book.accepted.values()]
    players = sum(path in ("players", "players/guest") for path in paths)
    expected = Counts(
        players=players,
        tokens=players + paths.count("tokens"),
        games=sum(path in _AT_TABLES for path in paths),
        keys=len(paths),
    )
    now = counts()
    for name in Counts.__struct_fields__:
        made = getattr(now, name) - getattr(before, name)
        if made != getattr(expected, name):
            yield f"{made:,} {name} came to be, callers were told of {getattr(expected, name):,}"


def verified() -> tuple[bool, str]:
    """Recompute the whole log: whether it holds, and what the command says at its end."""
    words = StringIO()
    try:
        call_command("verify_log", stdout=words)
    except CommandError as broken:
        return False, str(broken)
    return True, ", ".join(words.getvalue().splitlines()[-2:])
