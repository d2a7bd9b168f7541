"""Which connections of this process wait for an answer, since when, and whether more of their request keeps coming.

The server does not say which connection a read waits for. The kernel tells of each what it received and sent, so those
whose request is not whole can be told: what came behind its beginning, unanswered, came slowly. One that sends nothing
more looks like one whose call waits in line, but is older. One that was sent something (the answer to a call that it
sent together with this one, or word to go on) looks idle, but was sent it when the read began, or before.
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
from enum import IntEnum
from math import inf
from typing import Final

from msgspec import Struct

SLOWLY: Final = 0.05
"""Seconds behind its beginning at which a request's further bytes show that it comes slowly."""
SILENCE: Final = 1.0
"""Seconds of an unanswered request that sends no more, until it is taken for one that waits to be sent."""

_AT_ONCE: Final = 0.1
"""Seconds between a read's beginning and what was sent just before it, or for it."""
_GOES_ON: Final = 0.3
"""Seconds in which a client that was sent something goes on, if it does at all."""
_IN_LINE: Final = 10.0
"""Seconds that a call may well wait for a thread."""
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


class Likelihood(IntEnum):
    """How likely a connection is one that a read waits for: the likeliest first."""

    COMES_SLOWLY = 0
    SENT_AS_IT_BEGAN = 1
    OLD = 2
    MAYBE = 3


class Request(Struct, frozen=True):
    """A connection, the moment at which its unanswered request began, if it has one, and when it was sent something."""

    connection: Connection
    began: float | None
    last: float
    sent: float | None

    @property
    def comes_slowly(self) -> bool:
        """Whether more of it came well behind its beginning."""
        return self.began is not None and self.last - self.began > SLOWLY

    def likelihood(self, reads: Sequence[float], now: float) -> tuple[Likelihood, float] | None:
        """How likely one of the reads that began at these moments waits for it, and since when; None if none does."""
        since = self.sent if self.began is None else self.began
        if since is None:
            return None
        if self.comes_slowly:
            return Likelihood.COMES_SLOWLY, since
        sent_as_it_began = self.sent is not None and any(abs(self.sent - read) <= _AT_ONCE for read in reads)
        if self.began is None and sent_as_it_began:
            return Likelihood.SENT_AS_IT_BEGAN, since
        if now - since <= SILENCE:
            return None
        if since <= max(reads) + SLOWLY:
            is_idle = self.began is None and now - since > _IN_LINE  # most likely
            return Likelihood.MAYBE if is_idle else Likelihood.OLD, since
        # More of what was begun before, or a call that waits in line.
        return (Likelihood.MAYBE, since) if self.began is not None and sent_as_it_began else None

    def may_go_on(self, now: float) -> bool:
        """Whether it was sent something a moment ago: its client may be about to send more."""
        return self.began is None and self.sent is not None and now - self.sent <= _GOES_ON


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
        """Of each address, shut a connection for each read to be ended, the likeliest first.

        `ending` has the moments at which the reads began: a request that began later is none of theirs, but waits in
        line. Reads whose connections were just shut need a moment to notice, and a client that was just sent something
        has one to go on: no less likely one is shut meanwhile. What was received stays readable, and the answer can
        still be sent.
        """
        left = {peer: len(moments) - self._noticing(peer, now) for peer, moments in ending.items()}
        for each in self._likely(ending, now):
            peer = each.connection.peer
            left[peer] -= 1
            if left[peer] >= 0 and not each.may_go_on(now):
                self._shut[each.connection.identity] = now
                _LATELY[peer] = now  # first, since its reader may ask at once
                _shut(each.connection, socket.SHUT_RD)

    def _likely(self, ending: Mapping[str, Sequence[float]], now: float) -> list[Request]:
        found = []
        for identity, each in self._requests.items():
            reads = ending.get(each.connection.peer)
            if reads and identity not in self._shut and (likelihood := each.likelihood(reads, now)):
                found.append((likelihood, identity))
        return [self._requests[identity] for _, identity in sorted(found)]

    def _noticing(self, peer: str, now: float) -> int:
        return sum(
            moment > now - _NOTICED and self._requests[identity].connection.peer == peer
            for identity, moment in self._shut.items()
        )

    def shut_silent(self, ending: Counter[str], longest: float, now: float) -> None:
        """Shut those that have been silent longest, whatever they wait for; an idle one may be shut in a read's place."""
        for each in sorted(self._requests.values(), key=lambda each: each.last):
            if now - each.last >= longest and ending[each.connection.peer] > 0:
                ending[each.connection.peer] -= 1
                _shut(each.connection, socket.SHUT_RDWR)


def _request(seen: Connection, before: Request | None, now: float) -> Request:
    last = now - seen.received_age
    sent = now - seen.sent_age if seen.segments_sent else None
    if before is None or before.connection.segments_sent != seen.segments_sent:  # new, or answered meanwhile
        asks = seen.received and (not seen.segments_sent or seen.received_age < seen.sent_age)
        return Request(seen, last if asks else None, last, sent)
    if before.began is None and seen.received > before.connection.received:
        return Request(seen, last, last, sent)
    return Request(seen, before.began, last, sent)


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
