"""Bodies that come slowly or not at all: no thread of the server waits long for one, and half of them for none.

The server's threads are few, and none of its reads can be told when to stop. So a body is read in pieces with a look at
the clock behind each, which ends whoever trickles; and a watch ends the reads that are over their time, or too many, by
shutting what their connections still receive (see httpapi.unanswered). A body that is there is read before any look.
A read must not be left to itself in another thread: the server then waits for it with the interpreter's lock in hand.
"""

import logging
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

from msgspec import Struct

from httpapi.unanswered import Unanswered

log: Final = logging.getLogger("httpapi")

LONGEST_PIECE: Final = 64
BRIEF: Final = 0.05
"""Seconds in which a body that was sent whole is read many times over; what takes longer is slow."""
_BETWEEN_LOOKS: Final = 0.1


class TooSlow(Exception):
    """A body did not come in time."""


class TooMany(Exception):
    """A body came slowly while as many others did as the process waits for."""


class Limits(Struct, frozen=True):
    """The seconds that a body may take, and how many slow ones a process waits for at once."""

    seconds: float
    slow_at_once: int


class Read(Struct, eq=False):
    """A read under way: the address it waits for, its beginning and end, and whether it is one too many."""

    peer: str
    began: float
    until: float
    surplus: bool = False

    def judge(self) -> None:
        """Refuse what has not come yet if its time is over, or there is no room for it."""
        if self.surplus:
            raise TooMany
        if time.monotonic() > self.until:
            raise TooSlow

    @property
    def was_slow(self) -> bool:
        """Whether the body was not there at once."""
        return time.monotonic() - self.began > BRIEF


_READS: Final[dict[int, Read]] = {}
"""The reads under way, by thread."""


def read_in_time(source: Any, size: int, limits: Limits, peer: str) -> tuple[bytes, bool]:
    """Up to `size` bytes, and whether they came slowly; TooSlow or TooMany if they are not there in time.

    Pieces begin with a byte, and again behind each wait, and stay small: so a few reads take what is there, and none
    waits long for what trickles.
    """
    pieces, left, step = [], size, 1
    with _watched(limits, peer) as read:
        asked = read.began
        while left and (piece := source.read(min(step, left))):
            pieces.append(piece)
            left -= len(piece)
            came = time.monotonic()
            step = 1 if came - asked > BRIEF else min(2 * step, LONGEST_PIECE)
            asked = came
            if left:
                read.judge()
    if left:  # the client is gone, or the watch has shut the connection
        read.judge()
    return b"".join(pieces), read.was_slow


@contextmanager
def _watched(limits: Limits, peer: str) -> Iterator[Read]:
    _start_watch(limits)
    me = threading.get_ident()
    now = time.monotonic()
    read = _READS[me] = Read(peer, now, now + limits.seconds)
    try:
        yield read
    finally:
        del _READS[me]


@cache
def _start_watch(limits: Limits) -> None:
    if sys.platform == "linux":
        threading.Thread(target=_watch, args=[limits], name="slow bodies", daemon=True).start()


def _watch(limits: Limits) -> None:
    unanswered = Unanswered()
    while True:
        time.sleep(_BETWEEN_LOOKS)
        try:
            _look(limits, unanswered)
        except Exception:  # a watch that ends is never begun again
            log.exception("a look at slow bodies failed")


def _look(limits: Limits, unanswered: Unanswered) -> None:
    now = time.monotonic()
    slow = [read for read in tuple(_READS.values()) if now - read.began > BRIEF]
    if not slow:
        unanswered.forget()
        return
    unanswered.look(now)
    choose_surplus([read for read in slow if read.until >= now], limits.slow_at_once)
    ending = defaultdict(list)
    for read in slow:
        if read.surplus or read.until < now:
            ending[read.peer].append(read.began)
    unanswered.shut(ending, now)
    # What the connections do not tell of (HTTP/2) is told by silence alone.
    longest = 3 * limits.seconds
    silent = Counter(read.peer for read in slow if now - read.began > longest)
    unanswered.shut_silent(silent, longest, now)


def choose_surplus(slow: list[Read], room: int) -> None:
    """Mark the slow reads for which there is no room: the newest ones of whoever has the most."""
    staying = sorted((read for read in slow if not read.surplus), key=lambda read: read.began)
    while len(staying) > room:
        peers = Counter(read.peer for read in staying)
        busiest = max(staying, key=lambda read: (peers[read.peer], read.began))
        busiest.surplus = True
        staying.remove(busiest)
