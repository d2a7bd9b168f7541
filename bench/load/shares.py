"""Where the microseconds of a move go: the service called in this process, each part timed without those inside it."""

from __future__ import annotations

import io
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from bench.load.common import Bench, check
from bench.load.lines import in_turn
from bench.load.report import Table

_MOVES: Final = 3_000
_OUTERMOST: Final = "Django: request, middleware, routing, response"
# What is timed, by the name under which it is called, and the line it counts for.
PARTS: Final = {
    "httpapi.views.ApiView.dispatch": "Django REST framework: view, permissions, limits",
    "accounts.api.authentication.BearerAuthentication.authenticate": "token: its digest, scopes, the account's limit",
    "games.services.play.one_row": "PostgreSQL: the game, its seats, the key, the token",
    "eventlog.store._insert": "PostgreSQL: the one statement that writes",
    "games.api.play_views.key_of": "key, body, query",
    "games.api.play_views.decode_body": "key, body, query",
    "games.api.play_views.decode_query": "key, body, query",
    "games.services.play.move": "use case: read, judge, write, answer",
    "games.tables.Standing.state": "rules: unpack, clock, decide",
    "games.services.play.settled": "rules: unpack, clock, decide",
    "games.services.play.decided": "rules: unpack, clock, decide",
    "games.services.commit.chain": "log: encode events, digests; pack the state",
    "games.services.commit.moved_params": "log: encode events, digests; pack the state",
    "games.services.judging.Step.new_events": "log: encode events, digests; pack the state",
    "games.services.play._moved": "view and events as the player may see them, legal moves",
    "games.api.play_views.moved_answer": "answer: JSON and headers",
}


class Stopwatch:
    """Sums up what each part took without the parts inside it."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._inside: list[float] = []

    def timed(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same work, timed."""

        @wraps(work)
        def with_a_stopwatch(*args: Any, **named: Any) -> Any:
            self._inside.append(0.0)
            began = perf_counter()
            try:
                return work(*args, **named)
            finally:
                took = perf_counter() - began
                self.spent[part] += took - self._inside.pop()
                if self._inside:
                    self._inside[-1] += took

        return with_a_stopwatch


@contextmanager
def _watched(watch: Stopwatch) -> Iterator[None]:
    patches = []
    for name, part in PARTS.items():
        owner_name, _, attribute = name.rpartition(".")
        owner = _named(owner_name)
        patches.append(patch.object(owner, attribute, watch.timed(part, getattr(owner, attribute))))
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


def _named(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(import_module(module), attribute)


def environ(call: bytes) -> dict[str, Any]:
    """A call as a web server hands it on."""
    head, _, body = call.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split()
    found: dict[str, Any] = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr,
        "wsgi.input": io.BytesIO(body), "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
    }  # fmt: skip
    for line in lines:
        name, _, value = line.partition(": ")
        name = name.upper().replace("-", "_")
        found[name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"] = value
    return found


def _play(application: Any, calls: Iterable[bytes], statuses: Counter[str]) -> None:
    def start(status: str, _headers: object, _error: object = None) -> None:
        statuses[status[:3]] += 1

    for call in calls:
        response = application(environ(call), start)
        b"".join(response)
        response.close()


def shares(bench: Bench) -> Table:
    """A table of the parts, and of what the web server and the way to it add."""
    from taki_project.wsgi import application  # noqa: PLC0415 (starts the service's threads)

    wanted = min(_MOVES, bench.sizes.flat_moves)
    calls = _enough(bench, 2 * wanted)
    statuses: Counter[str] = Counter()
    _play(application, calls[:200], statuses)
    watch = Stopwatch()
    with _watched(watch):
        _play(watch.timed(_OUTERMOST, application), calls[200:wanted], statuses)
    count = wanted - 200
    if set(statuses) != {"201"}:
        raise AssertionError(f"not all moves were accepted: {dict(statuses)}")
    over_http = in_turn(bench.service, calls[wanted:])
    check(over_http, "a move over HTTP")
    inside = sum(watch.spent.values()) / count
    parts = {part: seconds / count for part, seconds in watch.spent.items()}
    parts["web server, sockets, two processes in turn"] = sum(over_http.times) / len(over_http.times) - inside
    return _table(parts)


def _enough(bench: Bench, wanted: int) -> list[bytes]:
    calls: list[bytes] = []
    while len(calls) < wanted:
        calls += [call for script in bench.make(40, moves=1_000) for call in script.calls]
    return calls[:wanted]


def _table(parts: dict[str, float]) -> Table:
    whole = sum(parts.values())
    order: Sequence[tuple[str, float]] = sorted(parts.items(), key=lambda item: -item[1])
    rows = [(part, f"{seconds * 1e6:,.0f}", f"{seconds / whole:.0%}") for part, seconds in order]
    rows.append(("a whole move, one after the other", f"{whole * 1e6:,.0f}", "100%"))
    words = "Wall time of one call at a time; what waits for PostgreSQL counts with its work there. Timing itself adds some microseconds."
    return Table("Where the time of a move goes", ("part", "microseconds", "share"), rows, words)
