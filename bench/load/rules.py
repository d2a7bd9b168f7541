"""What needs no web server: folding a log, and the clock behind an outage."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from io import StringIO
from time import perf_counter

from bench import clock_phases
from bench.engine import Asked, fold_rates, logs
from bench.load.common import SEATS_OF_STAGES, Bench
from bench.load.report import Table
from bench.load.scripts import STAGES
from eventlog import store
from games import log

_EVENTS = 1_000
_SECONDS = 2.0


def folding(bench: Bench) -> Table:
    """Events folded a second on one core, and games of 1,000 events read and folded."""
    objects, stored = fold_rates(logs(Asked(moves=1, seats=4, every_option=False))[:10])
    [script] = bench.make(1, 0, STAGES, _EVENTS, SEATS_OF_STAGES)
    games, began = 0, perf_counter()
    while perf_counter() - began < min(_SECONDS, bench.sizes.seconds):
        rows = store.facts(script.game, _EVENTS)
        log.fold(rows)
        games += 1
    rows_told = f"{len(rows):,} events"
    rate = games / (perf_counter() - began)
    rows_of_table = [
        ("events folded a second, from objects", f"{objects:,.0f}"),
        ("events folded a second, from the bytes that the log keeps", f"{stored:,.0f}"),
        (f"games of {rows_told} read from the database and folded, a second", f"{rate:,.0f}"),
    ]
    return Table("Folding, one core", ("", ""), rows_of_table)


class _Both(StringIO):
    """Keeps what is printed, and shows it at once."""

    def write(self, text: str) -> int:
        """Take it in."""
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)


def clock(bench: Bench) -> Table:
    """Overdue turns settled by two workers, and lateness while turns run out evenly."""
    games = 20_000 if bench.sizes.rounds > 1 else 100
    told = _Both()
    with redirect_stdout(told):
        once = clock_phases.after_an_outage(games, 2, bench.running)
        clock_phases.steady_state(100, 30 if bench.sizes.rounds > 1 else 1)
    if not once:
        raise AssertionError("a turn was not settled exactly once")
    rows = [line.strip().partition(": ")[::2] for line in told.getvalue().splitlines() if ": " in line]
    return Table("The clock", ("", ""), rows)
