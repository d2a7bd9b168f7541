"""What a process beside the tests does for them: calls from several threads at one moment, or a sweep of the clock."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from threading import Barrier, Thread

from msgspec import Struct


class Shout(Struct, frozen=True):
    """A call that is ready to be made."""

    path: str
    body: bytes
    headers: dict[str, str]
    method: str = "POST"


class Heard(Struct, frozen=True):
    """Its answer."""

    status: int
    headers: dict[str, str]
    raw: bytes


def begin(environment: dict[str, str]) -> None:
    """Become a process of the service, on the servers that these variables name."""
    import django  # noqa: PLC0415 (it reads the environment)

    os.environ |= environment | {"DJANGO_SETTINGS_MODULE": "taki_project.settings", "LOG_LEVEL": "CRITICAL"}
    django.setup()


def call_all(shouts: Sequence[Shout], at: float) -> list[Heard]:
    """Make all calls at a moment of the wall clock, each in a thread with a connection of its own."""
    heard: list[Heard | None] = [None] * len(shouts)
    line = Barrier(len(shouts))

    def run(number: int) -> None:
        line.wait(timeout=30)
        time.sleep(max(0.0, at - time.time()))
        heard[number] = _call(shouts[number])

    threads = [Thread(target=run, args=[number]) for number in range(len(shouts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return [one for one in heard if one is not None]


def _call(shout: Shout) -> Heard:
    from django.db import connections  # noqa: PLC0415 (after `begin`)
    from django.test import Client  # noqa: PLC0415

    try:
        client = Client(raise_request_exception=False)
        answer = client.generic(shout.method, shout.path, shout.body, "application/json", headers=shout.headers)
        return Heard(answer.status_code, dict(answer.headers.items()), answer.content)
    finally:
        connections.close_all()


def sweep(at: float) -> int:
    """Settle what is due at a moment of the wall clock; the number of games settled."""
    from django.db import connections  # noqa: PLC0415 (after `begin`)

    from games.tasks import settle_expired_turns  # noqa: PLC0415

    time.sleep(max(0.0, at - time.time()))
    try:
        return settle_expired_turns()
    finally:
        connections.close_all()
