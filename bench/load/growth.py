"""What becomes of a move as a game grows old, and among ever more events of other games."""

from __future__ import annotations

import time
from statistics import median

from bench.load.common import SEATS_OF_STAGES, Bench, check, now, say, value
from bench.load.lines import Measured, in_turn
from bench.load.report import Table
from bench.load.scripts import STAGES, Seated, plan
from bench.load.servers import floor_call, tidy
from bench.running_games import store


def aged(bench: Bench) -> Table:
    """A move late in a game against one early in it, taken in turn."""
    sizes = bench.sizes
    groups = {age: bench.make(sizes.aged_games, sizes.aged_moves, STAGES, age, SEATS_OF_STAGES) for age in sizes.aged}
    times = {age: Measured() for age in groups}
    for move in range(sizes.aged_moves):
        for age, scripts in groups.items():
            calls = [script.calls[move] for script in scripts if move < len(script.calls)]
            times[age].add(in_turn(bench.service, calls))
    for one in times.values():
        check(one, "a move of an old game")
    first = times[sizes.aged[0]].at(0.5)
    rows = []
    for age, one in times.items():
        versions = [script.version for script in groups[age]]
        ratio = one.at(0.5) / first
        rows.append(
            (
                f"{age:,}",
                f"{median(versions):,.0f}",
                f"{one.at(0.5):.2f}",
                f"{one.at(0.9):.2f}",
                f"{ratio:.2f}",
                bar(ratio),
            )
        )
    words = f"Tournaments of ten at one table, {sizes.aged_games} of each age, one call after the other."
    return Table("A move late in a game", ("about event", "median", "p50 ms", "p90 ms", "ratio", ""), rows, words)


def crowded(bench: Bench) -> Table:
    """A move among more and more events of other games, with floor (c) beside it as the measure of the moment."""
    sizes, floor = bench.sizes, bench.floors.served["c"]
    rows = []
    first = 0.0
    for wanted in sizes.crowd:
        _fill(bench, wanted)
        scripts = bench.make(40, sizes.aged_moves)
        mine, lean = Measured(), Measured()
        for move in range(sizes.aged_moves):
            mine.add(in_turn(bench.service, [script.calls[move] for script in scripts if move < len(script.calls)]))
            lean.add(in_turn(floor.address, [floor_call(floor, number) for number in range(20)]))
        check(mine, "a move in a crowd")
        ratio = mine.at(0.5) / lean.at(0.5)
        first = first or ratio
        held = value("SELECT count(*) FROM eventlog_event")
        rows.append(
            (f"{held:,}", f"{mine.at(0.5):.2f}", f"{lean.at(0.5):.2f}", f"{ratio / first:.2f}", bar(ratio / first))
        )
    words = "Ratio: the move against floor (c) at the same moment, and that against the first line."
    return Table(
        "A move among the events of other games",
        ("events in the log", "p50 ms", "(c) p50 ms", "ratio", ""),
        rows,
        words,
    )


def _fill(bench: Bench, events: int) -> None:
    table = Seated(bench.table.players[:SEATS_OF_STAGES], bench.table.bearers[:SEATS_OF_STAGES])
    held, told = value("SELECT count(*) FROM eventlog_event"), time.monotonic()
    while held < events:
        planned = [plan(table, STAGES, now(), 0, 2_000) for _ in range(10)]
        store([one.made for one in planned])
        held += sum(len(one.made.events) for one in planned)
        if time.monotonic() - told > 5:
            told = time.monotonic()
            say(f"{held:,} of {events:,} events stored")
    tidy(bench.running)


def bar(ratio: float) -> str:
    """A line as long as the ratio: eleven marks are 1.1."""
    return "█" * round(ratio * 10)
