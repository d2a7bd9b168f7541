"""`make chaos`: games go on while everything that serves them is killed at random and connections are cut.

    python -m bench.reliability.chaos [--seconds 150] [--tables 5] [--seed N]

Web server, workers, beat, PostgreSQL and Valkey are killed with SIGKILL, one by one or together; the supervisor of
`make run` starts them again. Proxies cut connections between a commit and its answer, before the database and before the
web server. Status 0 if everything held that docs/reliability.md promises.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import threading
import time
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec
from django.db import connection
from msgspec import Struct

from bench.reliability import audit, cutting, overdue, service
from bench.reliability.chaos_games import Hall
from bench.reliability.chaos_report import Findings, report
from bench.reliability.killing import Keeper, Killer
from bench.stores import BASE, Stores, stores
from eventlog import store
from taki_project.local import processes
from taki_project.local.home import Home
from taki_project.local.postgres import APPLICATION
from taki_project.local.supervisor import Running
from taki_project.local.web import Address

TELL_SECONDS: Final = 5.0
GOES_ON_WITHIN: Final = 30.0
"""Seconds in which every running game must have come further once the killing is over."""
WRITES: Final = ('"digest"', "COMMIT")
"""What a client of PostgreSQL sends to write events, and to end a transaction."""
GRACE: Final = {"OUTAGE_GRACE_SECONDS": "1"}
"""With the thirty seconds of the default the clock would mostly wait."""


class Plan(Struct, frozen=True):
    """How long to kill, how many tables are played at, and the chance that all follows from."""

    seconds: float
    tables: int
    seed: int


class Stage(NamedTuple):
    """The service with proxies before its web server and its database."""

    running: Stores
    entrance: Address
    cutter: Running


def set_up(running: Stores, seed: int) -> Stage:
    """Start the proxies and every process of the service."""
    home, supervisor = running.home, running.supervisor
    where, entrance, database = service.free_address(), service.free_address(), service.free_address()
    links = (
        cutting.Link(
            name="between web and database", port=database.port, target=str(home.sockets / ".s.PGSQL.5432"),
            marks=WRITES, odds=0.02, elsewhere=0.002,
        ),
        cutting.Link(
            name="between client and web", port=entrance.port, target=f"{where.host}:{where.port}",
            marks=("POST ",), odds=0.03, elsewhere=0.005,
        ),
    )  # fmt: skip
    supervisor.start(cutting.entry(cutting.Plan(links, seed), home.log))
    cutter = supervisor.running[-1]
    variables = {**running.variables, **service.SETTINGS, **service.BOUNDLESS, **GRACE, "DATABASE_URL": _url(database)}
    for entry in processes.entries(home, where, variables):
        supervisor.start(entry)
    return Stage(running, entrance, cutter)


def _url(database: Address) -> str:
    options = "sslmode=disable&gssencmode=disable"
    return f"postgresql://{quote(APPLICATION)}@{database.host}:{database.port}/taki?{options}"


def stir(plan: Plan, stage: Stage) -> Findings:
    """Play and kill, then let play go on, and look at what is there."""
    supervisor = stage.running.supervisor
    before = audit.counts()
    hall = Hall(stage.entrance, plan.seed, plan.tables)
    killer = Killer(supervisor, hall.timeline, random.Random(plan.seed))
    began = time.monotonic()
    with Keeper(supervisor) as keeper:
        hall.open()
        killing = threading.Thread(target=killer.go_on_until, args=[began + plan.seconds], daemon=True)
        killing.start()
        while killing.is_alive():
            _tell(hall, killer, time.monotonic() - began)
            killing.join(TELL_SECONDS)
        connection.close()  # killed with the rest
        cuts = _calm(stage.cutter.process.pid, stage.running.home)
        stuck = _stuck()
        hall.close()
        unsettled = _unsettled()
        _ask_again(hall)
    settled = overdue.Settled()
    for game in overdue.all_games():
        settled.look_at(game, store.read(game))
    return Findings(
        hall=hall, killer=killer, keeper=keeper, cuts=cuts, stuck=stuck, unsettled=unsettled, settled=settled,
        verdict=audit.verdict(hall.book, before), verified=audit.verified(), log=stage.running.home.log,
    )  # fmt: skip


def _tell(hall: Hall, killer: Killer, seconds: float) -> None:
    moves = sum(call.kind == "move" and call.code == "201" for call in list(hall.timeline.calls))
    print(
        f"{seconds:>4.0f} s  {len(hall.games)} games, {moves:,} moves answered, {killer.kills.total()} kills, "
        f"{hall.book.retries:,} calls asked again, {len(hall.book.faults)} faults",
        flush=True,
    )


def _calm(cutter: int, home: Home) -> dict[str, int]:
    """End the cutting; how often it was done."""
    os.kill(cutter, signal.SIGUSR1)
    time.sleep(2.0)
    return msgspec.json.decode(cutting.tally(home.log).read_bytes(), type=dict[str, int])


def _stuck() -> list[str]:
    """Games that come no further although nothing disturbs them any more."""
    then, give_up = overdue.running_versions(), time.monotonic() + GOES_ON_WITHIN
    while True:
        now = overdue.running_versions()
        stuck = [game for game, version in then.items() if now.get(game) == version]
        if not stuck or time.monotonic() > give_up:
            return stuck
        time.sleep(0.2)


def _unsettled() -> list[str]:
    """Games whose deadline of before now stays unsettled."""
    moment, give_up = overdue.now(), time.monotonic() + GOES_ON_WITHIN
    while (due := overdue.still_due(moment)) and time.monotonic() < give_up:
        time.sleep(0.2)
    return due


def _ask_again(hall: Hall) -> None:
    """Every answer that was ever given is given again."""
    for table in hall.tables:
        for accepted in table.client.past:
            table.client.again(accepted)


def main() -> int:
    """Read what is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=150.0, help="how long to kill")
    parser.add_argument("--tables", type=int, default=5, help="tables that clients play at")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    asked = parser.parse_args()
    plan = Plan(asked.seconds, asked.tables, asked.seed)
    print(f"seed {plan.seed}; {plan.seconds:.0f} s of killing, then what came of it", flush=True)
    with stores() as running:
        status = report(stir(plan, set_up(running, plan.seed)))
        if status:
            kept = shutil.copytree(running.home.log, BASE / f"chaos-{plan.seed}", dirs_exist_ok=True)
            print(f"the logs of the processes: {kept}")
        return status


if __name__ == "__main__":
    sys.exit(main())
