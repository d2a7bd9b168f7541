"""Sends calls and forces repeats of them: dropped, doubled, late, and under a key that was used before."""

from __future__ import annotations

import random
import time
from typing import Any, Final

from bench.reliability.asks import Accepted, Ask, Book
from bench.reliability.wire import Cut, Hang, Line, Reply, request
from taki_project.local.web import Address

IN_PROGRESS: Final = "409 idempotency_key_in_progress"
REUSED: Final = "422 idempotency_key_reused"
DROPPED: Final = "first answer dropped"
DOUBLED: Final = "doubled in parallel"
LATE: Final = "after later calls"
OTHER: Final = "key reused for another call"
PAUSE: Final = 0.05
PATIENCE: Final = 60.0
"""Seconds: how fast it is depends on the machine, and is not what is proven here."""
GIVE_UP: Final = 90.0
"""Seconds in which an answer must come, a restart of the web server included."""
LONGEST_LOOK: Final = 0.02
"""A dropped call is let go after at most so many seconds, so at any point of its way."""


class Caller:
    """A few connections of one client, and what they were answered."""

    def __init__(self, address: Address, book: Book, chance: random.Random) -> None:
        self.book, self.chance = book, chance
        self._lines = [Line(address, PATIENCE) for _ in range(4)]
        self._past: list[Accepted] = []

    def close(self) -> None:
        """End the connections."""
        for line in self._lines:
            line.close()

    def look(self, path: str, token: str) -> Any:
        """The answer to a question."""
        sent = request("GET", path, b"", {"Authorization": f"Bearer {token}"})
        give_up = time.monotonic() + GIVE_UP
        while True:
            try:
                reply = self._once(sent)
            except Cut:
                if time.monotonic() > give_up:
                    raise
                time.sleep(PAUSE)
                continue
            if reply.is_refusal:
                raise LookupError(f"{path}: {reply.code}")
            return reply.json()

    def force(self, ask: Ask) -> Any:
        """Have a call carried out once while its answer is dropped or it is sent several times; its first answer."""
        way = self.chance.choice((self._plain, self._plain, self._dropped, self._doubled))
        reply = way(ask)
        if reply.is_refusal:
            self.book.refuse(ask, reply)
            self.book.fault(f"{ask.path}: refused with {reply.code} though it was legal")
            raise LookupError(f"{ask.path}: {reply.code} {reply.body[:300]!r}")
        return reply.json()

    def again(self) -> None:
        """Repeat any earlier call, however old, and perhaps use its key for another one."""
        if not self._past:
            return
        accepted = self.chance.choice(self._past)
        self.book.repeat(LATE)
        self.book.compare(accepted, self._sure(accepted.ask, self.chance.randrange(10, 10_000)), LATE)
        if self.chance.random() < 0.25:
            self._reuse(accepted.ask)

    def _plain(self, ask: Ask) -> Reply:
        reply = self._sure(ask, 0)
        self._accept(ask, reply)
        return reply

    def _dropped(self, ask: Ask) -> Reply:
        line = self._lines[0]
        try:
            line.send(ask.raw(0))
            time.sleep(self.chance.random() * LONGEST_LOOK)
            line.drop()
        except Cut:
            self.book.retry()
        self.book.repeat(DROPPED)
        reply = self._sure(ask, 1)
        if accepted := self._accept(ask, reply):
            self.book.repeat(DROPPED)
            self.book.compare(accepted, self._sure(ask, 2), DROPPED)
        return reply

    def _doubled(self, ask: Ask) -> Reply:
        number = self.chance.randrange(2, len(self._lines) + 1)
        replies = self._at_once(ask, number)
        done = [reply for reply in replies if not reply.is_refusal]
        fresh = [reply for reply in done if not reply.is_repeat]
        first = (fresh or done or [self._sure(ask, number)])[0]
        if any(reply.is_refusal and (reply.code != IN_PROGRESS or ask.is_move) for reply in replies):
            self.book.fault(f"{DOUBLED}: {ask.path} answered {', '.join(reply.code for reply in replies)}")
        if len(fresh) > 1 or (not fresh and len(done) == number):
            self.book.fault(f"{DOUBLED}: {ask.path} was carried out {len(fresh)} times")
        if accepted := self._accept(ask, first):
            for reply in done:
                if reply is not first:
                    self.book.compare(accepted, reply, DOUBLED)
        return first

    def _at_once(self, ask: Ask, number: int) -> list[Reply]:
        """What the same call is answered on several connections."""
        sent: list[tuple[Line, float]] = []
        replies: list[Reply] = []
        self.book.repeat(DOUBLED, number - 1)
        for attempt, line in enumerate(self._lines[:number]):
            try:
                line.send(ask.raw(attempt))
                sent.append((line, time.monotonic()))
            except Cut:
                self.book.retry()
        for line, began in sent:
            try:
                replies.append(line.receive())
                self.book.count(replies[-1], time.monotonic() - began)
            except Cut:
                self.book.retry()
        return replies

    def _reuse(self, ask: Ask) -> None:
        """Another call under this key; whoever has no account shares a key with the same body alone."""
        other = self._another(ask)
        self.book.repeat(OTHER)
        reply = self._sure(other, self.chance.randrange(10_000, 99_999))
        if reply.code != REUSED:
            self.book.fault(f"{OTHER}: the key of {ask.path} at {other.path} was answered {reply.code}")

    def _another(self, ask: Ask) -> Ask:
        """Another call of that caller: the same at another table, another kind of call, or one with another body."""
        if ask.token is None:
            return ask.altered(path="tokens" if ask.path != "tokens" else "players")
        known = self.chance.choice(self._past).ask
        if known.token and known.path != ask.path and self.chance.random() < 0.5:
            return ask.altered(path=known.path)
        return ask.altered(body={"type": "draw", "answer": True, "of": ask.key})

    def _accept(self, ask: Ask, reply: Reply) -> Accepted | None:
        if reply.is_refusal:
            return None
        accepted = self.book.accept(ask, reply)
        self._past.append(accepted)
        return accepted

    def _sure(self, ask: Ask, attempt: int) -> Reply:
        """The answer, after as many tries as it takes: a call of that key may be at work, the web server be away."""
        give_up = time.monotonic() + GIVE_UP
        while True:
            try:
                reply = self._once(ask.raw(attempt))
            except Cut:
                if time.monotonic() > give_up:
                    raise
                self.book.retry()
            else:
                if reply.code != IN_PROGRESS:
                    return reply
            time.sleep(PAUSE)

    def _once(self, sent: bytes) -> Reply:
        began = time.monotonic()
        try:
            reply = self._lines[0].ask(sent)
        except Hang as hang:
            self.book.fault(f"no answer within {time.monotonic() - began:.0f} s")
            raise Cut(str(hang)) from hang
        self.book.count(reply, time.monotonic() - began)
        return reply
