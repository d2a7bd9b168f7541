"""A client as the documents advise: it asks again under the same key until it has an answer, and times everything."""

from __future__ import annotations

import random
import secrets
import time
from typing import Any, Final

import msgspec

from bench.reliability.asks import Accepted, Ask, Book
from bench.reliability.timeline import Call, Timeline
from bench.reliability.wire import Cut, Hang, Line, Reply, request
from taki_project.local.web import Address

IN_PROGRESS: Final = "409 idempotency_key_in_progress"
AWAY: Final = "503 database_away"
CUT, HANG = "no answer", "hang"
PAUSES: Final = (0.1, 0.4)
GIVE_UP: Final = 120.0
"""Seconds without any answer after which the service counts as not having come back."""
EXPECTED: Final = ("200", "201", "304", "409", "412", "429")


class Over(Exception):
    """The time for playing is over."""


class Steadfast:
    """One connection of one client; `saved` counts answers that were lost and came by a repeat."""

    def __init__(self, address: Address, book: Book, timeline: Timeline, chance: random.Random) -> None:
        self._line, self._book, self._timeline, self._chance = Line(address), book, timeline, chance
        self.past: list[Accepted] = []
        self.saved = 0

    def close(self) -> None:
        """End the connection."""
        self._line.close()

    def look(self, path: str, token: str, kind: str = "look") -> Any:
        """The answer to a question, whenever it comes."""
        sent = request("GET", path, b"", {"Authorization": f"Bearer {token}"})
        return self._until_answered(kind, lambda _: sent).json()

    def post(self, path: str, token: str | None, body: Any = None, version: int | None = None) -> Reply:
        """The one answer to a call that changes something, however often it has to be sent."""
        sent = b"" if body is None else msgspec.json.encode(body)
        ask = Ask(key=secrets.token_urlsafe(20), path=path, body=sent, token=token, version=version)
        reply = self._until_answered("move" if ask.is_move else "post", ask.raw)
        if reply.is_refusal:
            self._book.refuse(ask, reply)
        else:
            self.saved += reply.is_repeat
            self.past.append(self._book.accept(ask, reply))
        return reply

    def again(self, accepted: Accepted) -> None:
        """Ask once more for an answer that was given."""
        attempt = self._chance.randrange(1_000, 99_999)
        reply = self._until_answered("repeat", lambda number: accepted.ask.raw(attempt + number))
        self._book.repeat("asked for again")
        self._book.compare(accepted, reply, "asked for again")

    def _until_answered(self, kind: str, sent: Any) -> Reply:
        give_up = time.monotonic() + GIVE_UP
        attempt = 0
        while True:
            reply = self._once(kind, sent(attempt))
            if reply is not None and reply.code not in (AWAY, IN_PROGRESS):
                return reply
            if time.monotonic() > give_up:
                self._book.fault(f"{kind}: no answer for {GIVE_UP:.0f} s")
                raise Over
            attempt += 1
            self._book.retry()
            time.sleep(self._chance.uniform(*PAUSES))

    def _once(self, kind: str, sent: bytes) -> Reply | None:
        began, reply, code = time.monotonic(), None, CUT
        try:
            reply = self._line.ask(sent)
            code = reply.code
        except Hang:
            code = HANG
            self._book.fault(f"{kind}: no answer within {time.monotonic() - began:.1f} s")
        except Cut as cut:
            code = f"{CUT} ({cut})"
        ended = time.monotonic()
        self._timeline.call(Call(kind, began, ended, code))
        if reply is not None:
            self._book.count(reply, ended - began)
            self._judge(kind, reply)
        return reply

    def _judge(self, kind: str, reply: Reply) -> None:
        if reply.code == AWAY:
            if "retry-after" not in reply.headers:
                self._book.fault(f"{kind}: 503 without Retry-After")
        elif not reply.code.startswith(EXPECTED):
            self._book.fault(f"{kind}: answered {reply.code}: {reply.body[:200]!r}")
