"""Every way out of a running game: all that a viewer can ask for, what is logged, and what Redis is told."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import redis
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from msgspec import Struct

from games.engine.cards import CODE
from tests.games.people import Answer, Json, Person

# Ids, times, digests and commitments differ between any two games; what stands for them has one width.
_CHANGING: Final = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}"), "TIME"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r'"request_id":"[0-9a-f]{16}"'), "REQUEST"),
)
# Of time alone, and of no fixed width: what is left of a deadline, how long somebody was at a stage.
_PASSING: Final = (
    (re.compile(r'"(remaining_ms|ms)":\d+'), "MS"),
    (re.compile(r"\d+\.\d+ ms|\(\d\.\d{3}\)| [0-9a-f]{16} "), "TOOK"),
    (re.compile(r"\b\d+:\d\d(:\d\d)?\b|\b\d+ ?(s|min|h)\b"), "SPENT"),
)
_NUMBERS: Final = re.compile(r"\d+(\.\d+)?")
_OF_THE_CALL: Final = {"X-Request-ID", "X-Server-Time", "RateLimit", "Date"}
CODES: Final = re.compile(rf"(?<![\w-])({'|'.join(sorted(set(CODE)))})(?![\w-])")
"""A card's code, wherever it stands by itself."""


class Seen(Struct, frozen=True):
    """One answer as it can be compared between twins. `way` names the call and who made it."""

    way: str
    status: int
    headers: dict[str, str]
    text: str


def masked(text: str) -> str:
    for pattern, name in (*_CHANGING, *_PASSING):
        text = pattern.sub(name, text)
    return text


def seen(way: str, answer: Answer) -> Seen:
    """The size is compared to the byte, unless the text holds a time of no fixed width."""
    text, headers = answer.raw.decode(), dict(answer.headers)
    assert not answer.raw or int(headers.get("Content-Length", len(answer.raw))) == len(answer.raw)
    if headers.get("Content-Type") == "image/svg+xml":  # drawn over time: where a line ends tells when
        text = _NUMBERS.sub("N", text)
        headers.pop("Content-Length", None)
    if any(pattern.search(text) for pattern, _ in _PASSING) or not answer.raw:
        headers.pop("Content-Length", None)
    kept = {name: masked(value) for name, value in headers.items() if name not in _OF_THE_CALL}
    return Seen(masked(way), answer.status, kept, masked(text))


def differing(first: list[Seen], second: list[Seen]) -> list[str]:
    """The ways out that tell twins apart."""
    return sorted({one.way for one, other in zip(first, second, strict=True) if one != other})


GLANCES: Final = ("", "/legal-moves", "/events", "/history/{version}")
READS: Final = (
    *GLANCES,
    "/events?after=3&limit=4",
    "/history/2",
    "/history/{version}?seat=0",
    "/history/{version}?seat=1",
    "/history/{version}?seat=2",
    "/history/{version}?seat=all",
    "/record",
    "/verification",
    "/no-such-way",
)
TRIED: Final[tuple[Json, ...]] = (
    {"type": "draw"},
    {"type": "pass"},
    {"type": "pass", "answer": True},
    {"type": "say_last"},
    {"type": "play", "cards": ["king", "king", "king"]},
    {"type": "play", "cards": ["breaker"], "answer": True},
    {"type": "play", "cards": ["no-card"]},
    {"type": "catch", "target": 0},
    {"type": "catch", "target": 1},
    {"type": "catch", "target": 2},
)


def glance(viewer: Person, game: str, version: int) -> list[Seen]:
    """What a client asks for after each move."""
    return [seen(f"GET {way}", viewer.get(f"games/{game}{way.format(version=version)}")) for way in GLANCES]


def everything(viewer: Person, game: str, version: int) -> list[Seen]:
    """All that a viewer can ask about a running game, and all that is refused, without moving it on."""
    held = {"if_none_match": f'"{version}"'}
    found = [seen(f"GET {way}", viewer.get(f"games/{game}{way.format(version=version)}")) for way in READS]
    found += [seen(f"HEAD {way}", viewer.call("HEAD", f"games/{game}{way.format(version=version)}")) for way in GLANCES]
    found += [seen(f"GET {way} held", viewer.get(f"games/{game}{way}", **held)) for way in GLANCES[:2]]
    found += [seen(f"dry run of {body}", viewer.post(f"games/{game}/moves?dry_run=true", body)) for body in TRIED]
    others: tuple[tuple[str, Answer], ...] = (
        ("412", viewer.move(game, {"type": "pass", "answer": True}, if_match='"1"')),
        ("412 of a dry run", viewer.post(f"games/{game}/moves?dry_run=true", {"type": "draw"}, if_match='"1"')),
        ("refused move", viewer.move(game, {"type": "play", "cards": ["king", "king", "king"]})),
        ("refused start", viewer.post(f"games/{game}/start")),
        ("refused join", viewer.post(f"games/{game}/join", {})),
        ("refused seat", viewer.delete(f"games/{game}/seats/1")),
        ("refused cancel", viewer.post(f"games/{game}/cancel")),
        ("tournament", viewer.get(f"tournaments/{game}")),
        ("chart", viewer.get(f"tournaments/{game}/stages.svg")),
        ("own games", viewer.get("me/games")),
        ("list of games", viewer.get(f"games?player={viewer.id}")),
        ("list of tournaments", viewer.get(f"tournaments?player={viewer.id}")),
    )
    return found + [seen(way, answer) for way, answer in others] + unknown(game)


def unknown(game: str) -> list[Seen]:
    """What somebody without a token is told."""
    paths = (f"/api/v1/games/{game}", f"/api/v1/games/{game}/events", f"/tournaments/{game}/stages.svg")
    return [seen(f"anonymous {path}", Answer(cast("HttpResponse", Client().get(path)))) for path in paths]


# --- what leaves beside the answers --------------------------------------------------------------


class Lines(logging.Handler):
    """All log lines, written as the service writes them."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        ours = next(handler for handler in logging.getLogger().handlers if handler.name == "stderr")
        self.setFormatter(ours.formatter)
        self.filters = list(ours.filters)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@contextmanager
def logged() -> Iterator[Lines]:
    """Everything that is logged at any level, statements of the database included where they are logged at all."""
    lines, root = Lines(), logging.getLogger()
    before, debugged = root.level, connection.force_debug_cursor
    root.addHandler(lines)
    root.setLevel(logging.DEBUG)
    connection.force_debug_cursor = True
    try:
        yield lines
    finally:
        connection.force_debug_cursor = debugged
        root.setLevel(before)
        root.removeHandler(lines)


@contextmanager
def told_to_redis(client: redis.Redis) -> Iterator[list[str]]:
    """Every command that our database of Redis gets meanwhile: keys, values, channels, messages to workers."""
    told: list[str] = []
    number = client.connection_pool.connection_kwargs.get("db", 0)
    with client.monitor() as monitor:  # type: ignore[no-untyped-call]
        yield told
        client.echo("that is all")
        while "that is all" not in (said := cast("dict[str, Any]", monitor.next_command()))["command"]:
            if said["db"] == number:
                told.append(said["command"])


def spellings(cards: bytes) -> list[str]:
    """How a hand or pile could be written: numbers, bytes, hex."""
    return [str(list(cards))[1:-1], repr(cards)[2:-1], cards.hex()]
