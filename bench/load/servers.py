"""The servers that are measured: the service as `make run` starts it, and the floors under the same server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, LiteralString
from uuid import UUID

import msgspec
import psutil
import psycopg
from msgspec import Struct
from msgspec.structs import replace

from bench.load.lines import Line, request
from bench.reliability.service import BOUNDLESS, free_address
from bench.stores import Stores
from taki_project.local import orphans, web
from taki_project.local.identity import identity
from taki_project.local.postgres import OWNER, SUPERUSER, Postgres
from taki_project.local.supervisor import Entry
from taki_project.local.web import Address

ROOT: Final = Path(__file__).resolve().parents[2]
FLOORS: Final = ("a", "b", "c")
FLOOR_GAMES: Final = 1_000
FLOOR_PLAYERS: Final = 16
_MOVE: Final = b'{"kind":"cards_played","cards":["red-5","red-taki","red-7"]}'
_MEBIBYTE: Final = 1024 * 1024


class Floor(Struct, frozen=True):
    """A floor that is served: where, and what its players say in `Authorization`."""

    address: Address
    bearers: list[str]


class Floors(Struct, frozen=True):
    """All of them, and the database behind them."""

    url: str
    served: dict[str, Floor]


def start_service(running: Stores) -> Address:
    """The service, as `make run` starts its web server: log lines and all, but for the limits."""
    where = free_address()
    entry = web.entry(running.home, where, {**running.variables, **BOUNDLESS, "LOG_LEVEL": "INFO"})
    running.supervisor.start(entry)
    return where


def start_floors(running: Stores) -> Floors:
    """Make their database and serve each from two processes."""
    Postgres(running.home, identity(running.home.database), {}).make_database("floors")
    url = running.home.database_url(OWNER, "floors")
    variables = {**running.variables, "FLOORS_DATABASE_URL": url}
    del variables["VAR_DIR"]
    made = subprocess.run(
        [sys.executable, "-m", "bench.load.floors.prepare", str(FLOOR_GAMES), str(FLOOR_PLAYERS)],
        cwd=ROOT, env={**os.environ, **variables}, check=True, capture_output=True,
    )  # fmt: skip
    tokens = msgspec.json.decode(made.stdout, type=dict[str, list[str]])
    served = {}
    for name in FLOORS:
        where = free_address()
        running.supervisor.start(_floor_entry(running, where, {**variables, "FLOOR": name}))
        bearers = tokens["a" if name == "a" else "signed"]
        served[name] = Floor(where, [f"Bearer {token}" for token in bearers])
    return Floors(url, served)


def _floor_entry(running: Stores, where: Address, variables: dict[str, str]) -> Entry:
    entry = web.entry(running.home, where, variables)
    return replace(
        entry,
        name=f"floor {variables['FLOOR']}",
        command=(*entry.command[:-1], "bench.load.floors.wsgi:application"),
        answers=lambda: _listens(where),
    )


def _listens(where: Address) -> bool:
    with suppress(OSError):
        line = Line(where)
        line.send(request("GET", "/"))
        while not line.receive():
            pass
        line.socket.close()
        return True
    return False


@contextmanager
def used(running: Stores, where: Address | None) -> Iterator[dict[str, float]]:
    """Processor seconds used inside the block, by the web server behind an address and by PostgreSQL."""
    found: dict[str, float] = {}
    before = _processor_time(running, where)
    yield found
    after = _processor_time(running, where)
    found |= {name: after[name] - before[name] for name in after}


def _processor_time(running: Stores, where: Address | None) -> dict[str, float]:
    spent = {"web": 0.0, "postgres": 0.0}
    for process in orphans.left_by(running.home):
        with suppress(psutil.Error):
            times = process.cpu_times()
            if process.name() == "postgres":
                spent["postgres"] += times.user + times.system + times.children_user + times.children_system
            elif where is not None and f"--port={where.port}" in process.cmdline():
                spent["web"] += times.user + times.system
    return spent


def tidy(running: Stores) -> None:
    """What PostgreSQL does by itself a while after many rows were written, now: else what is measured next pays for it."""
    with _superuser(running) as connection:
        connection.execute("VACUUM (ANALYZE) eventlog_event, games_game, games_deadline")
        connection.execute("CHECKPOINT")


class Written(Struct, frozen=True):
    """Bytes of the write-ahead log: of records, and of whole pages that change for the first time behind a checkpoint."""

    records: int
    pages: int


def wal_place(running: Stores) -> str:
    """Where the write-ahead log ends."""
    with _superuser(running) as connection:
        return str(_one(connection, "SELECT pg_current_wal_flush_lsn()"))


def written(running: Stores, since: str) -> Written:
    """What was written to the write-ahead log since a place."""
    sums = (
        "SELECT sum(record_size)::bigint, sum(fpi_size)::bigint FROM pg_get_wal_stats(%s, pg_current_wal_flush_lsn())"
    )
    with _superuser(running) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_walinspect")
        row = connection.execute(sums, [since]).fetchone()
    return Written(int(row[0]), int(row[1])) if row else Written(0, 0)


def _superuser(running: Stores) -> psycopg.Connection[tuple[Any, ...]]:
    return psycopg.connect(running.home.database_url(SUPERUSER, "taki"), autocommit=True)


def _one(connection: psycopg.Connection[tuple[Any, ...]], query: LiteralString) -> Any:
    row = connection.execute(query).fetchone()
    return row and row[0]


def memory(running: Stores, where: Address) -> float:
    """What the two web processes take together, shared pages counted once (PSS), in MiB."""
    total = 0
    for process in orphans.left_by(running.home):
        with suppress(psutil.Error):
            parent = process.parent()
            if f"--port={where.port}" in process.cmdline() and parent and f"--port={where.port}" in parent.cmdline():
                total += process.memory_full_info().pss
    return total / _MEBIBYTE


def floor_call(floor: Floor, number: int) -> bytes:
    """A move at a floor, from one of its players at one of its games."""
    bearer = floor.bearers[number % len(floor.bearers)]
    return request("POST", f"/games/{UUID(int=number % FLOOR_GAMES)}/moves", _MOVE, Authorization=bearer)
