"""A client that costs little: many connections in one thread, calls as bytes made beforehand."""

from __future__ import annotations

import selectors
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Final, NamedTuple

from msgspec import Struct, field

from taki_project.local.web import Address

PATIENCE: Final = 30.0
_PIECE: Final = 65_536
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"
_CHUNKED: Final = b"transfer-encoding: chunked"
_LAST_CHUNK: Final = b"0\r\n\r\n"


class Silence(Exception):
    """A server that does not answer."""


class Measured(Struct):
    """What came of some calls: seconds each took, how often each status came, and how long it all took."""

    times: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, other: Measured) -> None:
        """Take in what a further round measured."""
        self.times += other.times
        self.statuses += other.statuses
        self.seconds += other.seconds

    @property
    def rate(self) -> float:
        """Calls answered a second."""
        return len(self.times) / self.seconds

    def at(self, share: float) -> float:
        """The time within which this share of the calls was answered, in milliseconds."""
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000


class Line:
    """A connection kept alive, with at most one call under way."""

    def __init__(self, address: Address) -> None:
        self.socket = socket.create_connection((address.host, address.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.began = 0.0
        self._head: bytes | None = None
        self._missing: int | None = 0
        self._buffer = b""

    def send(self, call: bytes, began: float | None = None) -> None:
        """Begin a call; its time counts from `began` if it was due before now."""
        self._head, self._buffer = None, b""
        self.began = perf_counter() if began is None else began
        self.socket.sendall(call)

    def receive(self) -> bool:
        """Take in what has come; whether the answer is whole."""
        piece = self.socket.recv(_PIECE)
        if not piece:
            raise Silence("the server closed the connection")
        self._buffer += piece
        if self._head is None:
            head, found, _ = self._buffer.partition(_END)
            if not found:
                return False
            self._head = head
            length = _length(head)
            self._missing = None if length is None else len(head) + len(_END) + length
        if self._missing is None:
            return self._buffer.endswith(_LAST_CHUNK)
        return len(self._buffer) >= self._missing

    @property
    def status(self) -> int:
        """The status of the answer."""
        return int((self._head or b"HTTP/1.1 000")[9:12])

    @property
    def body(self) -> bytes:
        """The body of the answer."""
        return self._buffer.partition(_END)[2]


def _length(head: bytes) -> int | None:
    """The length of a body; None for one that comes in chunks."""
    lower = head.lower()
    start = lower.find(_LENGTH)
    if start < 0:
        return None if _CHUNKED in lower else 0
    end = lower.find(b"\r\n", start)
    return int(lower[start + len(_LENGTH) : end if end > 0 else None])


class Sent(NamedTuple):
    """Whose turn a call was, for the source to be told what came of it."""

    source: int
    status: int
    body: bytes


Next = Callable[[int], bytes | None]
"""The next call of a source, None when it has no more."""


def saturate(
    address: Address, connections: int, seconds: float, following: Next, told: Callable[[Sent], None] | None = None
) -> Measured:
    """Keep every connection busy for so long: the next call goes out when the last was answered."""
    found = Measured()
    with selectors.DefaultSelector() as selector:
        lines = [Line(address) for _ in range(connections)]
        for number, line in enumerate(lines):
            selector.register(line.socket, selectors.EVENT_READ, (number, line))
        began = perf_counter()
        ends = began + seconds
        busy = sum(_sent(line, following(number)) for number, line in enumerate(lines))
        while busy:
            for number, line in _answered(selector):
                now = perf_counter()
                found.times.append(now - line.began)
                found.statuses[line.status] += 1
                if told:
                    told(Sent(number, line.status, line.body))
                busy -= not _sent(line, following(number) if now < ends else None)
        found.seconds = perf_counter() - began
        for line in lines:
            line.socket.close()
    return found


def _sent(line: Line, call: bytes | None) -> bool:
    if call is None:
        return False
    line.send(call)
    return True


def _answered(selector: selectors.BaseSelector) -> Iterator[tuple[int, Line]]:
    """The lines whose answers have come."""
    ready = selector.select(PATIENCE)
    if not ready:
        raise Silence(f"no answer within {PATIENCE:.0f} s")
    for key, _ in ready:
        if key.data[1].receive():
            yield key.data


def offer(address: Address, calls: Sequence[bytes], rate: float, connections: int = 48) -> Measured:
    """Send calls at an even rate whatever the answers do; each counts from the moment at which it was due."""
    found = Measured()
    with selectors.SelectSelector() as selector:  # epoll knows milliseconds alone, and a call would be sent that late
        everyone = [Line(address) for _ in range(connections)]
        idle = deque(everyone)  # in turn: one that is left alone for long is closed by the server
        for line in everyone:
            selector.register(line.socket, selectors.EVENT_READ, line)
        began = perf_counter()
        sent = 0
        while sent < len(calls) or len(idle) < connections:
            due = began + sent / rate
            if sent < len(calls) and idle and due <= perf_counter():
                idle.popleft().send(calls[sent], due)
                sent += 1
                continue
            pause = max(0.0, due - perf_counter()) if sent < len(calls) and idle else PATIENCE
            for key, _ in selector.select(pause):
                line = key.data
                if line.receive():
                    found.times.append(perf_counter() - line.began)
                    found.statuses[line.status] += 1
                    idle.append(line)
        found.seconds = perf_counter() - began
        for line in everyone:
            line.socket.close()
    return found


def in_turn(address: Address, calls: Sequence[bytes]) -> Measured:
    """Send one call after the other on one connection."""
    waiting = iter(calls)
    return saturate(address, 1, float("inf"), lambda _: next(waiting, None))


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """The bytes of a call; `_` in a header's name stands for `-`."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if body or method != "GET":
        lines += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + _END + body
