"""Views, what moves leave behind on the disk, and what the web processes keep in memory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from bench.load.common import CONNECTIONS, Bench, Played, around, check, value
from bench.load.lines import Measured, request, saturate
from bench.load.report import Table, median_rate, spread
from bench.load.servers import memory, tidy, wal_place, written
from taki_project.local.web import Address


def reading(bench: Bench) -> Table:
    """A view of a game, whole and unchanged, against an empty view of Django REST framework."""
    sizes, empty = bench.sizes, bench.floors.served["a"].address
    scripts = bench.make(50, 0, behind=60)
    bearer = bench.table.bearers[0]
    whole = [request("GET", f"/api/v1/games/{one.game}", Authorization=bearer) for one in scripts]
    same = [
        request("GET", f"/api/v1/games/{one.game}", Authorization=bearer, If_None_Match=f'"{one.version}"')
        for one in scripts
    ]
    contenders: dict[str, tuple[Address, list[bytes]]] = {
        "an empty view of Django REST framework": (empty, [request("GET", "/empty")]),
        "`GET /games/{id}`": (bench.service, whole),
        "the same, 304": (bench.service, same),
    }
    found: dict[str, list[Measured]] = {name: [] for name in contenders}
    for _ in range(sizes.rounds):
        for name, (address, calls) in contenders.items():
            one = saturate(address, CONNECTIONS, sizes.seconds / 2, around(calls))
            check(one, name)
            found[name].append(one)
    base = median_rate(found["an empty view of Django REST framework"])
    rows = [
        (name, f"{median_rate(rounds):,.0f}", spread(rounds), f"{median_rate(rounds) / base:.2f}")
        for name, rounds in found.items()
    ]
    return Table("Views", ("", "a second", "spread", "ratio"), rows)


_SIZE: Final = (
    "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'eventlog_event'::regclass"
)
_UPDATES: Final = "SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'games_game'"
_HOT: Final = "SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'games_game'"


def storage(bench: Bench) -> Table:
    """What moves leave behind: bytes of the log, of the write-ahead log, of the packed state; and memory that stays."""
    sizes = bench.sizes
    scripts = bench.make(sizes.flat_moves // 40 + CONNECTIONS, moves=1_000)
    tidy(bench.running)
    events, size = value("SELECT count(*) FROM eventlog_event"), value(_SIZE)
    updates, hot_ones, place = value(_UPDATES), value(_HOT), wal_place(bench.running)
    calls, moves = Played(scripts), 0
    taken = [(0, memory(bench.running, bench.service))]
    while moves < sizes.flat_moves:
        one = saturate(bench.service, CONNECTIONS, max(0.5, sizes.seconds / 2), calls)
        check(one, "a move")
        if not one.times:
            break
        moves += len(one.times)
        taken.append((moves, memory(bench.running, bench.service)))
    wal = written(bench.running, place)
    time.sleep(1.5)  # the statistics of a connection are told a second late
    grown, bytes_grown = value("SELECT count(*) FROM eventlog_event") - events, value(_SIZE) - size
    updated, hot_updated = value(_UPDATES) - updates, value(_HOT) - hot_ones
    states = value("SELECT max(length(state)) FROM games_game WHERE status = 'running'")
    typical = value("SELECT avg(length(state)) FROM games_game WHERE status = 'running'")
    rows = [
        (
            "an event in the log, with its indexes",
            f"{bytes_grown / grown:,.0f} bytes ({grown:,} events of {moves:,} moves)",
        ),
        ("packed state of a running game", f"{typical} bytes on average, at most {states}"),
        (
            "write-ahead log of a move",
            f"{wal.records / moves:,.0f} bytes of records, {wal.pages / moves:,.0f} of whole pages behind a checkpoint",
        ),
        ("updates of a game's row that stay on its page (HOT)", f"{hot_updated / max(1, updated):.1%} of {updated:,}"),
        (
            "two web processes, shared pages once",
            ", ".join(f"{mib:.0f} MiB after {done:,}" for done, mib in _some(taken)),
        ),
    ]
    return Table("Storage and memory", ("", ""), rows)


def _some(taken: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    step = max(1, len(taken) // 4)
    return [*taken[:-1:step], taken[-1]]
