"""Which connections of this process wait for an answer, since when, and whether more of their request keeps coming.

The server does not say which connection a read waits for. The kernel tells of each what it received and sent, so those
whose request is not whole can be told: what came behind its beginning, unanswered, came slowly. One that sends nothing
more looks like one whose call waits in line, but is older.
"""

import errno
import os
import socket
import stat
import struct
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import Final

from msgspec import Struct

SLOWLY: Final = 0.05
"""Seconds behind its beginning at which a request's further bytes show that it comes slowly."""
SILENCE: Final = 1.0
"""Seconds of an unanswered request that sends no more, until it is taken for one that waits to be sent."""

_NOTICED: Final = 0.3
"""Seconds within which a read notices that its connection was shut."""

# Places in struct tcp_info of Linux (4.6 and later), and its size up to the last of them
_LAST_SENT: Final = 44
_LAST_RECEIVED: Final = 52
_BYTES_RECEIVED: Final = 128
_SEGMENTS_SENT: Final = 156
_SIZE: Final = 160


_LATELY: Final[dict[str, float]] = {}
"""When a connection of an address was shut last."""
_REMEMBERED: Final = 60.0


def has_lately_shut(peer: str) -> bool:
    """Whether a connection of this address was shut: maybe one whose call had not found a thread yet."""
    return _LATELY.get(peer, -inf) > time.monotonic() - _REMEMBERED


class Connection(Struct, frozen=True):
    """A connection to this server, as the kernel tells of it; ages in seconds."""

    number: int
    identity: int
    peer: str
    sent_age: float
    received_age: float
    received: int
    segments_sent: int


class Request(Struct, frozen=True):
    """A connection, and the moment at which its unanswered request began, if it has one."""

    connection: Connection
    began: float | None
    last: float

    @property
    def comes_slowly(self) -> bool:
        """Whether more of it came well behind its beginning."""
        return self.began is not None and self.last - self.began > SLOWLY


class Unanswered:
    """What the last look saw."""

    def __init__(self) -> None:
        self._requests: dict[int, Request] = {}
        self._shut: dict[int, float] = {}

    def forget(self) -> None:
        """Begin anew."""
        self._requests, self._shut = {}, {}

    def look(self, now: float) -> None:
        """See what has come and gone since the last look."""
        before = self._requests
        self._requests = {each.identity: _request(each, before.get(each.identity), now) for each in connections()}
        self._shut = {identity: moment for identity, moment in self._shut.items() if identity in self._requests}
        for peer in [peer for peer, moment in _LATELY.items() if moment < now - _REMEMBERED]:
            del _LATELY[peer]

    def shut(self, ending: Mapping[str, Sequence[float]], now: float) -> None:
        """Of each address, shut a connection for each read to be ended: slow requests first, then the oldest.

        `ending` has the moments at which the reads began: a request that began later is none of theirs, but waits in
        line. Reads whose connections were just shut need a moment to notice. What was received stays readable, and
        the answer can still be sent.
        """
        left = {peer: len(moments) - self._noticing(peer, now) for peer, moments in ending.items()}
        latest = {peer: max(moments) for peer, moments in ending.items()}
        for each in sorted(self._requests.values(), key=lambda each: (not each.comes_slowly, each.began or now)):
            peer = each.connection.peer
            if left.get(peer, 0) > 0 and self._is_likely(each, latest[peer], now):
                left[peer] -= 1
                self._shut[each.connection.identity] = now
                _LATELY[peer] = now  # first, since its reader may ask at once
                _shut(each.connection, socket.SHUT_RD)

    def _noticing(self, peer: str, now: float) -> int:
        return sum(
            moment > now - _NOTICED and self._requests[identity].connection.peer == peer
            for identity, moment in self._shut.items()
        )

    def _is_likely(self, request: Request, latest: float, now: float) -> bool:
        if request.began is None or request.connection.identity in self._shut:
            return False
        return request.comes_slowly or (now - request.began > SILENCE and request.began <= latest + SLOWLY)

    def shut_silent(self, ending: Counter[str], longest: float, now: float) -> None:
        """Shut those that have been silent longest, whatever they wait for; an idle one may be shut in a read's place."""
        for each in sorted(self._requests.values(), key=lambda each: each.last):
            if now - each.last >= longest and ending[each.connection.peer] > 0:
                ending[each.connection.peer] -= 1
                _shut(each.connection, socket.SHUT_RDWR)


def _request(seen: Connection, before: Request | None, now: float) -> Request:
    last = now - seen.received_age
    if before is None or before.connection.segments_sent != seen.segments_sent:  # new, or answered meanwhile
        asks = seen.received and (not seen.segments_sent or seen.received_age < seen.sent_age)
        return Request(seen, last if asks else None, last)
    if before.began is None and seen.received > before.connection.received:
        return Request(seen, last, last)
    return Request(seen, before.began, last)


def connections() -> Iterator[Connection]:
    """The TCP connections that came in through a port that this process listens to."""
    found, ports = [], set()
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 (the whole list at once)
        # What is no connection, or is gone meanwhile, says so.
        with suppress(OSError, struct.error), borrowed(int(name)) as borrow:
            if borrow.family not in {socket.AF_INET, socket.AF_INET6}:
                continue
            port = borrow.getsockname()[1]
            if borrow.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                ports.add(port)
            else:
                found.append((port, _described(int(name), borrow)))
    return (connection for port, connection in found if port in ports)


def _described(number: int, borrow: socket.socket) -> Connection:
    state = borrow.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SIZE)
    (sent,), (received,) = struct.unpack_from("=I", state, _LAST_SENT), struct.unpack_from("=I", state, _LAST_RECEIVED)
    return Connection(
        number=number,
        identity=os.fstat(number).st_ino,
        peer=str(borrow.getpeername()[0]),
        sent_age=sent / 1000,
        received_age=received / 1000,
        received=struct.unpack_from("=Q", state, _BYTES_RECEIVED)[0],
        segments_sent=struct.unpack_from("=I", state, _SEGMENTS_SENT)[0],
    )


def _shut(connection: Connection, how: int) -> None:
    """Unless the number belongs to another one by now."""
    with suppress(OSError), borrowed(connection.number) as borrow:
        if os.fstat(borrow.fileno()).st_ino == connection.identity:
            borrow.shutdown(how)


@contextmanager
def borrowed(number: int) -> Iterator[socket.socket]:
    """The socket behind a descriptor, under another number; OSError if it is none. Nothing stays open behind it.

    A socket made of a descriptor that is none raises and leaves the descriptor to its caller.
    """
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))
    copy = os.dup(number)
    try:
        borrow = socket.socket(fileno=copy)
    except BaseException:
        os.close(copy)
        raise
    with borrow:
        yield borrow
