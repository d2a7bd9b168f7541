"""The servers that are measured: the service as `make run` starts it, and the floors under the same server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
import psutil
from msgspec import Struct
from msgspec.structs import replace

from bench.load.lines import Line, request
from bench.reliability.service import BOUNDLESS, free_address
from bench.stores import Stores
from taki_project.local import orphans, web
from taki_project.local.identity import identity
from taki_project.local.postgres import OWNER, Postgres
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
