"""Moves: as fast as they go, offered at an even rate, and raced for at one game."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Final

from msgspec import Struct

from bench.load import pgbench
from bench.load.common import CONNECTIONS, CREATED, SEATS_OF_STAGES, Bench, Played, check, moves_at, say
from bench.load.lines import Measured, Sent, offer, saturate
from bench.load.report import Table, median_rate, spread
from bench.load.scripts import STAGES, Script
from bench.load.servers import FLOOR_GAMES, FLOORS, floor_call, used
from eventlog.store import cursor


class Saturated(Struct):
    """The rounds of one contender, and the processor time a move took."""

    rounds: list[Measured]
    web: float = 0.0
    postgres: float = 0.0

    def whole(self) -> Measured:
        """All rounds as one."""
        found = Measured()
        for one in self.rounds:
            found.add(one)
        return found


def saturated(bench: Bench) -> Table:
    """Moves as fast as 16 connections get them answered: floors and service in turn, round by round."""
    sizes, found = bench.sizes, {name: Saturated([]) for name in ("a", "b", "c", "d", "service")}
    scripts = bench.make(sizes.games, moves=1_000)
    waiting = [scripts[number :: sizes.rounds] for number in range(sizes.rounds)]
    _warm_up(bench)
    for number in range(sizes.rounds):
        for name in FLOORS:
            floor = bench.floors.served[name]
            with used(bench.running, floor.address) as spent:
                one = saturate(floor.address, CONNECTIONS, sizes.seconds, moves_at(floor))
            _note(found[name], one, spent)
        with used(bench.running, None) as spent:
            one = pgbench.measure(bench.running, max(1, int(sizes.seconds)), FLOOR_GAMES)
        _note(found["d"], one, spent)
        with used(bench.running, bench.service) as spent:
            one = saturate(bench.service, CONNECTIONS, sizes.seconds, Played(waiting[number]))
        _note(found["service"], one, spent)
        say(
            f"round {number + 1} of {sizes.rounds}: "
            + ", ".join(f"{n} {s.rounds[-1].rate:,.0f}" for n, s in found.items())
        )
    return _saturated_table(found)


def _warm_up(bench: Bench) -> None:
    for floor in bench.floors.served.values():
        saturate(floor.address, CONNECTIONS, 0.5, moves_at(floor))
    saturate(bench.service, CONNECTIONS, 1.0, Played(bench.make(CONNECTIONS * 2, moves=60)))


def _note(found: Saturated, one: Measured, spent: dict[str, float]) -> None:
    check(one, "a move")
    found.rounds.append(one)
    found.web += spent["web"]
    found.postgres += spent["postgres"]


_NAMES: Final = {
    "a": "(a) DRF, ORM, serializers",
    "b": "(b) DRF tuned, 2 KB answer",
    "c": "(c) lean Django view",
    "d": "(d) pgbench",
    "service": "**TAKI, a whole move**",
}


def _saturated_table(found: dict[str, Saturated]) -> Table:
    service = median_rate(found["service"].rounds)
    rows = []
    for name, one in found.items():
        whole = one.whole()
        moves = len(whole.times)
        rows.append(
            (
                _NAMES[name], f"{median_rate(one.rounds):,.0f}", spread(one.rounds), f"{whole.at(0.5):.1f}",
                f"{whole.at(0.99):.1f}", f"{one.web * 1000 / moves:.2f}", f"{one.postgres * 1000 / moves:.2f}",
                f"{service / median_rate(one.rounds):.2f}",
            )
        )  # fmt: skip
    columns = (
        "",
        "moves a second",
        "spread",
        "p50 ms",
        "p99 ms",
        "web CPU ms",
        "database CPU ms",
        "TAKI is so many times",
    )
    return Table(f"Durable moves, {CONNECTIONS} connections kept busy", columns, rows)


def offered(bench: Bench) -> Table:
    """Latency at a load that leaves the machine idle half of the time, over many running tables."""
    sizes, floor = bench.sizes, bench.floors.served["c"]
    seconds = sizes.tables * 2 / sizes.offered
    found = {"c": Measured(), "service": Measured()}
    for number in range(sizes.rounds):
        calls = [floor_call(floor, one) for one in range(sizes.tables * 2)]
        found["c"].add(offer(floor.address, calls, sizes.offered))
        scripts = bench.make(sizes.tables, moves=2)
        calls = [script.calls[move] for move in range(2) for script in scripts]
        found["service"].add(offer(bench.service, calls, sizes.offered))
        say(
            f"round {number + 1} of {sizes.rounds}: "
            + ", ".join(f"{n} p99 {m.at(0.99):.1f} ms" for n, m in found.items())
        )
    for name, one in found.items():
        check(one, name)
    lean = found["c"]
    rows = [
        (
            _NAMES[name],
            f"{one.at(0.5):.2f}",
            f"{one.at(0.99):.2f}",
            f"{one.at(0.5) / lean.at(0.5):.2f}",
            f"{one.at(0.99) / lean.at(0.99):.2f}",
        )
        for name, one in found.items()
    ]
    title = f"{sizes.offered} moves a second offered over {sizes.tables:,} running tables, {seconds:.0f} s a round"
    return Table(title, ("", "p50 ms", "p99 ms", "p50 / (c)", "p99 / (c)"), rows)


class Race:
    """Writers who all send the next move of one game; whoever is told that it is done goes on to the next."""

    def __init__(self, script: Script) -> None:
        self._calls, self.done = script.calls, 0
        self._sent: dict[int, int] = {}
        self._again = 0

    def __call__(self, source: int) -> bytes | None:
        """The next move, under a key of this writer's own."""
        if self.done >= len(self._calls):
            return None
        self._sent[source] = self.done
        self._again += 1
        head, mark, tail = self._calls[self.done].partition(b"Idempotency-Key: ")
        return head + mark + b"race-%d-" % self._again + tail

    def told(self, sent: Sent) -> None:
        """Somebody's move was accepted."""
        if sent.status == CREATED:
            self.done = max(self.done, self._sent[sent.source] + 1)


def hot(bench: Bench) -> Table:
    """Sixteen writers race at one game; pgbench races at one row."""
    sizes = bench.sizes
    rows, rates = [], {}
    raced: list[Measured] = []
    bare: list[Measured] = []
    accepted = []
    for _ in range(sizes.rounds):
        bare.append(pgbench.measure(bench.running, max(1, int(sizes.seconds)), 1))
        [script] = bench.make(1, moves=10_000, rules=STAGES, seats=SEATS_OF_STAGES, behind=12)
        race = Race(script)
        one = saturate(bench.service, CONNECTIONS, sizes.seconds, race, race.told)
        raced.append(one)
        accepted.append(one.statuses[CREATED] / one.seconds)
        with cursor() as raw:
            row = raw.execute("SELECT version FROM games_game WHERE id = %s", [script.game]).fetchone()
        if one.statuses[CREATED] != race.done or set(one.statuses) - {CREATED, 412} or not row:
            raise AssertionError(f"a race: {race.done} moves done, answered {dict(one.statuses)}")
    rates = {"d": median_rate(bare), "answered": median_rate(raced), "accepted": median(accepted)}
    lost = sum((one.statuses for one in raced), Counter())[412]
    rows = [
        ("(d) pgbench, one hot row", f"{rates['d']:,.0f}", "1.00"),
        ("TAKI, moves accepted", f"{rates['accepted']:,.0f}", f"{rates['accepted'] / rates['d']:.2f}"),
        (
            "TAKI, moves answered (the losers with 412 and what they missed)",
            f"{rates['answered']:,.0f}",
            f"{rates['answered'] / rates['d']:.2f}",
        ),
    ]
    words = f"{lost:,} losers answered 412; as many moves stand in the log as were answered 201."
    return Table(f"One game, {CONNECTIONS} writers racing", ("", "a second", "ratio"), rows, words)
