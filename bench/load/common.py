"""What all sections of `make bench` share: sizes, the servers, games made for the measurement, and sources of calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, cycle
from typing import Final

from msgspec import Struct

from bench.load.lines import Measured, Next
from bench.load.scripts import SEATS, SINGLE, Planned, Script, Seated, plan
from bench.load.servers import Floor, Floors, floor_call
from bench.running_games import store
from bench.stores import Stores
from eventlog.store import cursor
from games.engine.ruleset import Ruleset
from taki_project.local.web import Address

CONNECTIONS: Final = 16
CREATED: Final = 201
_TOGETHER: Final = 200
SEATS_OF_STAGES: Final = 10


class Sizes(Struct, frozen=True):
    """How long and how much."""

    rounds: int = 3
    seconds: float = 6.0
    games: int = 600
    tables: int = 1_000
    offered: int = 200
    aged: tuple[int, ...] = (50, 500, 1_000, 2_000, 5_000)
    aged_games: int = 12
    aged_moves: int = 25
    crowd: tuple[int, ...] = (0, 250_000, 500_000, 1_000_000)
    flat_moves: int = 20_000


SHORT: Final = Sizes(
    rounds=1,
    seconds=0.5,
    games=20,
    tables=30,
    aged=(50, 500),
    aged_games=2,
    aged_moves=5,
    crowd=(0, 5_000),
    flat_moves=300,
)


def say(line: str) -> None:
    """Tell how far it is."""
    print(f"  {line}", flush=True)


class Bench(Struct):
    """The servers under measurement, and the players of the games made for it."""

    running: Stores
    service: Address
    floors: Floors
    table: Seated
    sizes: Sizes

    def make(
        self, number: int, moves: int, rules: Ruleset = SINGLE, behind: int = 0, seats: int = SEATS
    ) -> list[Script]:
        """Plan and store so many games."""
        table = Seated(self.table.players[:seats], self.table.bearers[:seats])
        scripts: list[Script] = []
        while len(scripts) < number:
            planned: list[Planned] = []
            events = 0
            while len(planned) < min(_TOGETHER, number - len(scripts)) and events < 20_000:
                planned.append(plan(table, rules, now(), moves, behind))
                events += len(planned[-1].made.events)
            store([one.made for one in planned])
            scripts += [one.script for one in planned]
        return scripts


def now() -> int:
    """The database's clock (ms)."""
    with cursor() as raw:
        row = raw.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").fetchone()
    return int(row[0]) if row else 0


def value(query: str) -> int:
    """One number of a query."""
    with cursor() as raw:
        row = raw.execute(query).fetchone()
    return int(row[0]) if row else 0


class Played:
    """Plays scripts: each source one game after the other, its moves in order."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        self._waiting = iter(scripts)
        self._calls: dict[int, Iterator[bytes]] = {}

    def __call__(self, source: int) -> bytes | None:
        """The next call of this source, None when all games are over."""
        while True:
            call = next(self._calls.get(source, iter(())), None)
            if call is not None:
                return call
            script = next(self._waiting, None)
            if script is None:
                return None
            self._calls[source] = iter(script.calls)


def check(found: Measured, what: str) -> None:
    """A call that was refused measures nothing."""
    if set(found.statuses) - {200, CREATED, 304}:
        raise AssertionError(f"{what}: {dict(found.statuses)}")


def around(calls: Sequence[bytes]) -> Next:
    """The same calls again and again."""
    again = cycle(calls)
    return lambda _: next(again)


def moves_at(floor: Floor) -> Next:
    """Moves at a floor, one game after the other."""
    numbers = count()
    return lambda _: floor_call(floor, next(numbers))
