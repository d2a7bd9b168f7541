"""Calls that change something, each with its key, and the book of what became of them."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from bench.reliability.wire import Reply, request

MOST_FAULTS: Final = 50


class Ask(Struct, frozen=True, kw_only=True):
    """A POST, ready to be sent as often as one likes; `token` is None for callers without an account."""

    key: str
    path: str
    body: bytes = b""
    token: str | None = None
    version: int | None = None

    def raw(self, attempt: int) -> bytes:
        """The bytes to send; the request's id tells the attempts apart, in the log too."""
        headers = {"Idempotency-Key": self.key, "X-Request-ID": f"{self.key}.{attempt}"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.version is not None:
            headers["If-Match"] = str(self.version)
        return request("POST", self.path, self.body, headers)

    @property
    def is_move(self) -> bool:
        """Whether its answer is made from the log."""
        return self.path.endswith("/moves")

    def altered(self, path: str | None = None, body: Any | UnsetType = UNSET) -> Ask:
        """Another call under the same key."""
        other = self.body if body is UNSET else msgspec.json.encode(body)
        return replace(self, path=path or self.path, body=other)


class Told(Struct, frozen=True):
    """What an accepted call was answered, as far as a repeat must be the same."""

    status: int
    etag: str
    location: str
    body: bytes

    @classmethod
    def of(cls, reply: Reply) -> Told:
        """The mark of an answer."""
        return cls(
            reply.status,
            reply.headers.get("etag", ""),
            reply.headers.get("location", ""),
            hashlib.blake2b(reply.body, digest_size=16).digest(),
        )


class Accepted(Struct, frozen=True):
    """An accepted call: what was asked, what was told, and for a move the span of the log that it caused."""

    ask: Ask
    told: Told
    span: tuple[int, int] | None


class Book:
    """What was asked, accepted and refused, how often calls were repeated, and every fault."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.accepted: dict[str, Accepted] = {}
        self.refused: dict[str, str] = {}
        self.repeats: Counter[str] = Counter()
        self.retries = 0
        self.answers: Counter[str] = Counter()
        self.faults: list[str] = []
        self.slowest = 0.0

    def accept(self, ask: Ask, reply: Reply) -> Accepted:
        """Note an accepted call."""
        events = reply.json()["events"] if ask.is_move else []
        span = (events[0]["version"], events[-1]["version"]) if events else None
        accepted = Accepted(ask, Told.of(reply), span)
        with self._lock:
            self.accepted[ask.key] = accepted
        return accepted

    def refuse(self, ask: Ask, reply: Reply) -> None:
        """Note a refused one."""
        with self._lock:
            self.refused[ask.key] = reply.code

    def count(self, reply: Reply, seconds: float) -> None:
        """Note an answer, whatever it was."""
        with self._lock:
            self.answers[f"{reply.code}{' again' if reply.is_repeat else ''}"] += 1
            self.slowest = max(self.slowest, seconds)

    def repeat(self, way: str, number: int = 1) -> None:
        """Note that a call was sent again on purpose."""
        with self._lock:
            self.repeats[way] += number

    def retry(self) -> None:
        """Note that a connection had to be made anew: nobody forced that repeat."""
        with self._lock:
            self.retries += 1

    def fault(self, what: str) -> None:
        """Note what must not be."""
        with self._lock:
            if len(self.faults) < MOST_FAULTS:
                self.faults.append(what)

    def compare(self, accepted: Accepted, reply: Reply, way: str) -> None:
        """A repeat of an accepted call gives the first answer, and says so."""
        if Told.of(reply) != accepted.told:
            known = accepted.told
            self.fault(f"{way}: {accepted.ask.path} answered {known.status} first, then {reply.code} or other bytes")
        elif not reply.is_repeat:
            self.fault(f"{way}: {accepted.ask.path} was answered again as if it were new")
