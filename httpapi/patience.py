"""Bodies that come slowly or not at all: no thread of the server waits for one much longer than it may.

The server's threads are few, and none of its reads can be told when to stop. So a body is read in pieces with a look at
the clock behind each, which ends whoever trickles; and a watch shuts the connections of whoever sends nothing at all.
A read must not be left to itself in another thread: the server then waits for it with the interpreter's lock in hand.
"""

import errno
import logging
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Final

from msgspec import Struct

log: Final = logging.getLogger("httpapi")

LONGEST_PIECE: Final = 64
LAST_DATA_RECEIVED: Final = 52  # where struct tcp_info of Linux holds the milliseconds since then
_READS: Final[dict[int, tuple[float, str]]] = {}
"""The reads under way by thread: the moment each must end, and the address it waits for."""


class TooSlow(Exception):
    """A body did not come in time."""


def read_in_time(source: Any, size: int, seconds: float, peer: str) -> bytes:
    """Up to `size` bytes; TooSlow if they are not there in time, or soon after: a piece is waited for to its end.

    Pieces begin with a byte and stay small, so a few reads take a body that is there, and none waits long for one that
    trickles.
    """
    until = time.monotonic() + seconds
    pieces, left, step = [], size, 1
    with _watched(until, seconds, peer):
        while left and (piece := source.read(min(step, left))):
            pieces.append(piece)
            left -= len(piece)
            step = min(2 * step, LONGEST_PIECE)
            if left and time.monotonic() > until:
                raise TooSlow
    if left and time.monotonic() > until:  # the watch has shut the connection
        raise TooSlow
    return b"".join(pieces)


@contextmanager
def _watched(until: float, seconds: float, peer: str) -> Iterator[None]:
    _start_watch(seconds)
    me = threading.get_ident()
    _READS[me] = until, peer
    try:
        yield
    finally:
        del _READS[me]


@cache
def _start_watch(seconds: float) -> None:
    if sys.platform == "linux":
        threading.Thread(target=_watch, args=[seconds], name="slow bodies", daemon=True).start()


def _watch(seconds: float) -> None:
    """Who trickles is refused within about three times the limit; what lasts longer than that waits for silence."""
    while True:
        time.sleep(min(1.0, seconds))
        try:
            _look(seconds)
        except Exception:  # a watch that ends is never begun again
            log.exception("a look at slow bodies failed")


def _look(seconds: float) -> None:
    longest = 3 * seconds
    overdue = time.monotonic() - longest + seconds
    if late := Counter(peer for until, peer in tuple(_READS.values()) if until < overdue):
        _shut_silent(late, longest * 1000)


def _shut_silent(late: Counter[str], longest_ms: float) -> None:
    """Shut as many connections with each address as reads wait for it: those that have been silent longest.

    Which connection a read waits for is not told, but calls that wait in line have been silent for less long. An idle
    connection may be shut in its place; the read's own one is then next.
    """
    silent = sorted((each for each in _connections() if each.silent_ms >= longest_ms), key=lambda each: -each.silent_ms)
    for each in silent:
        if late[each.peer] > 0:
            late[each.peer] -= 1
            with suppress(OSError), _borrowed(each.number) as connection:
                connection.shutdown(socket.SHUT_RDWR)


class _Connection(Struct, frozen=True):
    number: int
    peer: str
    silent_ms: int


def _connections() -> Iterator[_Connection]:
    """The TCP connections of this process."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 (the whole list at once)
        # What is no connection, or is gone meanwhile, says so.
        with suppress(OSError, IndexError), _borrowed(int(name)) as connection:
            state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_DATA_RECEIVED + 4)
            silent_ms = struct.unpack_from("=I", state, LAST_DATA_RECEIVED)[0]
            yield _Connection(int(name), str(connection.getpeername()[0]), int(silent_ms))


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket]:
    """The socket behind a descriptor, under another number; OSError if it is none. Nothing stays open behind it.

    A socket made of a descriptor that is none raises and leaves the descriptor to its caller.
    """
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK))
    copy = os.dup(number)
    try:
        borrowed = socket.socket(fileno=copy)
    except BaseException:
        os.close(copy)
        raise
    with borrowed:
        yield borrowed
