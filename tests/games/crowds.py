"""Many who act at the same moment: threads of this process, or processes of their own."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Barrier, Thread
from typing import Final

from django.db import connections
from django.http import HttpResponse

from eventlog.models import Event
from tests.games.caller_process import Heard, Shout, begin, call_all
from tests.games.people import Answer, Person

PROCESSES: Final = 3
NAMED: Final = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY")
Crowd = Callable[[Sequence[Shout]], list[Answer]]


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """The answers of calls that begin together, each in a thread with a connection of its own."""
    answers: list[Answer | None] = [None] * len(calls)
    line = Barrier(len(calls))

    def run(number: int) -> None:
        try:
            line.wait(timeout=60)
            answers[number] = calls[number]()
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=[number]) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return [answer for answer in answers if answer is not None]


def shout(person: Person, path: str, body: object = None, **headers: str) -> Shout:
    """A POST of this person, to be made with others'."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = b"" if body is None else json.dumps(body).encode()
    return Shout(f"/api/v1/{path}", sent, {"Host": "localhost", "Authorization": f"Bearer {person.token}", **named})


def in_threads(shouts: Sequence[Shout]) -> list[Answer]:
    """All from this process."""
    return [_answer(heard) for heard in call_all(shouts, 0.0)]


def in_processes(pool: ProcessPoolExecutor) -> Crowd:
    """Shared out among processes, each with threads."""

    def crowd(shouts: Sequence[Shout]) -> list[Answer]:
        at = time.time() + 0.05
        shares = [share for first in range(PROCESSES) if (share := shouts[first::PROCESSES])]
        heard = [future.result(60) for future in [pool.submit(call_all, share, at) for share in shares]]
        return [_answer(heard[number % PROCESSES][number // PROCESSES]) for number in range(len(shouts))]

    return crowd


@contextmanager
def processes() -> Iterator[ProcessPoolExecutor]:
    """Processes of the service beside this one, on the same database."""
    environment = {name: os.environ[name] for name in NAMED}
    context = get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, context, initializer=begin, initargs=(environment,)) as pool:
        yield pool


def _answer(heard: Heard) -> Answer:
    return Answer(HttpResponse(heard.raw, status=heard.status, headers=heard.headers))


def codes(answers: Sequence[Answer]) -> Counter[str]:
    """How often each status came, with the code of a refusal."""
    return Counter(str(a.status) if a.status < 400 else f"{a.status} {a.body['code']}" for a in answers)


def whole(game: str) -> bool:
    """The numbers of the game's events have no gap."""
    versions = list(Event.objects.filter(stream=game).order_by("version").values_list("version", flat=True))
    return versions == list(range(1, len(versions) + 1))


def proven(person: Person, game: str) -> bool:
    """The log has no gap, and every proof of the game that can be made holds."""
    return whole(game) and bool(person.get(f"games/{game}/verification").ok()["ok"])
