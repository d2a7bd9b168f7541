"""The two phases of `bench.clock` and the proof behind them; imported once Django knows its servers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from typing import Any, Final

import psutil
from django.core.management import CommandError, call_command

from bench.running_games import Plan, make, pinned, some_players
from bench.stores import Stores
from eventlog.store import cursor
from games.engine.ruleset import Ruleset
from taki_project import pulse
from taki_project.local import orphans, processes

OVERDUE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000
HOUR: Final = Ruleset(turn_timeout_seconds=HOUR_MS // 1000)
PATIENCE: Final = 600.0
_NOW: Final = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_DUE: Final = "SELECT count(*) FROM games_deadline WHERE at <= to_timestamp(%s / 1000.0)"
_TIMED_OUT: Final = (
    "SELECT stream, (payload ->> 'noticed')::bigint, (payload ->> 'deadline')::bigint FROM eventlog_event "
    "WHERE kind = 'turn_timed_out' AND at > %s AND (payload ->> 'deadline')::bigint BETWEEN %s AND %s"
)


def say(line: str) -> None:
    """A line at once, where there is no terminal too."""
    print(line, flush=True)


def ask(query: str, *params: object) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with cursor() as raw:
        return raw.execute(query, params).fetchall()


def now() -> int:
    """The database's clock (ms)."""
    return int(ask(_NOW)[0][0])


def told(lateness: list[int]) -> str:
    """How late, for a person."""
    if not lateness:
        return "nothing came due"
    ordered = sorted(lateness)
    at = {
        name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in (("p50", 0.5), ("p99", 0.99))
    }
    return f"p50 {at['p50'] / 1000:.2f} s, p99 {at['p99'] / 1000:.2f} s, most {ordered[-1] / 1000:.2f} s"


def after_an_outage(games: int, workers: int, running: Stores) -> bool:
    """Let workers start on games that are all overdue; whether each was settled exactly once."""
    began = time.monotonic()
    players, ruleset, present = some_players(2), pinned(HOUR), now()
    make(games, lambda: Plan(players, ruleset, present - HOUR_MS - random.randrange(1_000, OVERDUE_MS)))
    say(f"{games:,} running games made in {time.monotonic() - began:.0f} s; all are overdue, no worker runs")
    overdue = now()
    pulse.start()
    started = time.monotonic()
    for number in range(workers):
        running.supervisor.start(processes.clock_worker(running.home, running.variables, f"clock{number}"))
    running.supervisor.start(processes.beat(running.home, running.variables))
    _await(lambda: _due(overdue) < games)
    used, left = processor_time(running), _due(overdue)
    _await(lambda: not _due(overdue))
    ended = now()
    costs = [
        (after - before) * 1000 / max(1, left) for before, after in zip(used, processor_time(running), strict=True)
    ]
    settled = ask(_TIMED_OUT, overdue, 0, overdue)
    first = min(noticed for _, noticed, _ in settled)
    say(
        f"after an outage, {workers} workers: {games:,} games in {(ended - first) / 1000:.1f} s, "
        f"{games * 1000 / (ended - first):,.0f} a second; {time.monotonic() - started:.1f} s from the start of the processes"
    )
    say(f"  lateness behind the first sweep: {told([noticed - first for _, noticed, _ in settled])}")
    say(f"  processor time a game: workers {costs[0]:.2f} ms, PostgreSQL {costs[1]:.2f} ms")
    once = len(settled) == games == len({stream for stream, _, _ in settled})
    say(f"  settled exactly once: {'all' if once else f'NO: {len(settled):,} timeouts for {games:,} games'}")
    return once


def processor_time(running: Stores) -> tuple[float, float]:
    """What the workers and the database have used so far, in seconds."""
    spent = {"celery": 0.0, "postgres": 0.0}
    for process in orphans.left_by(running.home):
        with suppress(psutil.Error):
            times, name = process.cpu_times(), process.name()
            if name != "valkey-server":
                spent["postgres" if name == "postgres" else "celery"] += times.user + times.system
    return spent["celery"], spent["postgres"]


def _due(moment: int) -> int:
    return int(ask(_DUE, moment)[0][0])


def _await(happened: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > give_up:
            raise TimeoutError("the clock does not get on")
        time.sleep(0.05)


def steady_state(rate: int, seconds: int) -> None:
    """Watch turns that nobody plays run out evenly, each game once: a second timeout would keep time with the sweeps."""
    games = rate * seconds
    if not games:
        return
    lead = 5_000 + games  # as long as it takes to make them
    began = now() + lead
    players, ruleset = some_players(2), pinned(HOUR)
    make(games, lambda: Plan(players, ruleset, began - HOUR_MS + random.randrange(seconds * 1000)))
    time.sleep(max(0, began + seconds * 1000 - now()) / 1000 + 3)
    settled = ask(_TIMED_OUT, began, began, began + seconds * 1000)
    say(
        f"steady state, {len(settled) / seconds:.0f} turns a second run out: "
        f"{told([noticed - deadline for _, noticed, deadline in settled])}"
    )


def verified() -> bool:
    """Recompute the whole log."""
    words = StringIO()
    try:
        call_command("verify_log", stdout=words)
    except CommandError as broken:
        say(f"verify_log: {broken}")
        return False
    say(f"verify_log: {', '.join(words.getvalue().splitlines()[-2:])}")
    return True
