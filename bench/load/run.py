"""The sections of `make bench` in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bench.load import growth, kept, moves, rules
from bench.load.common import SHORT, Bench, Sizes, say
from bench.load.report import Table
from bench.load.scripts import seated
from bench.load.servers import start_floors, start_service
from bench.load.shares import shares
from bench.stores import Stores

_PLAYERS: Final = 16
SECTIONS: Final[dict[str, Callable[[Bench], Table]]] = {
    "crowded": growth.crowded,  # first, as it fills the log: all others are measured in its crowd
    "moves": moves.saturated,
    "shares": shares,
    "offered": moves.offered,
    "hot": moves.hot,
    "reading": kept.reading,
    "storage": kept.storage,
    "aged": growth.aged,
    "folding": rules.folding,
    "clock": rules.clock,
}


def measure(running: Stores, wanted: Sequence[str], *, short: bool) -> Iterator[Table]:
    """Start the servers, then one table after the other."""
    floors, service = start_floors(running), start_service(running)
    bench = Bench(running, service, floors, seated(_PLAYERS), SHORT if short else Sizes())
    for name in wanted:
        say(name)
        yield SECTIONS[name](bench)
