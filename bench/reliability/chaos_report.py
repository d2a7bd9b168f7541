"""What came of `make chaos`, in lines for a person, and whether every promise was kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from bench.reliability.audit import Verdict
from bench.reliability.chaos_games import Hall
from bench.reliability.killing import POSTGRES, VALKEY, WEB, Keeper, Killer
from bench.reliability.overdue import Settled

LOGS: Final = ("web.log", "clock.log", "worker.log", "beat.log")
EXPECTED_TROUBLE: Final = ("database away", "limits are counted in this process alone")
MOST_LINES: Final = 5


class Findings(Struct, frozen=True, kw_only=True):
    """Everything that is known at the end."""

    hall: Hall
    killer: Killer
    keeper: Keeper
    cuts: dict[str, int]
    stuck: list[str]
    unsettled: list[str]
    settled: Settled
    verdict: Verdict
    verified: tuple[bool, str]
    log: Path


def report(found: Findings) -> int:
    """Print it; 0 if all was well."""
    for line in (*_disturbances(found), *_calls(found), *_absences(found)):
        print(line)
    late = [line for line in found.verdict.untold if line.split(":")[0] in found.hall.book.refused]
    wrong = {
        "faults of answers": found.hall.book.faults,
        "answered calls that are not in the log as they were told": found.verdict.lost,
        "calls that are in the log twice": found.verdict.double,
        "effects that nobody was told of": [line for line in found.verdict.untold if line not in late],
        "rows that do not add up": found.verdict.miscounted,
        "deadlines settled twice or passed over": found.settled.faults,
        "deadlines left unsettled": found.unsettled,
        "games that did not go on by themselves": found.stuck,
        "processes that did not come back": [*found.killer.never_back, *filter(None, [found.keeper.gave_up])],
        "tracebacks in the logs": list(_tracebacks(found.log)),
        "breaks of the log": [] if found.verified[0] else [found.verified[1]],
    }
    print(f"verify_log: {found.verified[1]}")
    print(f"kept although a later repeat was refused: {len(late)}")
    for what, lines in wrong.items():
        print(f"{what}: {len(lines)}")
        for line in lines[:MOST_LINES]:
            print(f"    {line}")
    holds = not any(wrong.values())
    print("All of it held." if holds else "NOT all of it held.")
    return 0 if holds else 1


def _disturbances(found: Findings) -> Iterator[str]:
    yield f"\n{found.killer.kills.total()} kills, {found.keeper.starts} starts by the supervisor:"
    for name, number in sorted(found.killer.kills.items()):
        yield f"  {number:>6,}  {name}"
    yield f"{sum(found.cuts.values()):,} connections cut while an answer was on its way:"
    for name, number in sorted(found.cuts.items()):
        yield f"  {number:>6,}  {name}"


def _calls(found: Findings) -> Iterator[str]:
    calls = found.hall.timeline.calls
    yield f"{len(calls):,} calls, the slowest {found.hall.timeline.slowest():.2f} s:"
    told = Counter((call.kind, call.code) for call in calls)
    for (kind, code), number in sorted(told.items(), key=lambda one: (one[0][0], -one[1])):
        yield f"  {number:>6,}  {kind}: {code}"
    moves = sum(one.ask.is_move for one in found.hall.book.accepted.values())
    saved = sum(table.client.saved for table in found.hall.tables)
    yield (
        f"{len(found.hall.games)} games, {moves:,} moves accepted, {found.settled.timeouts:,} turns settled by the clock, "
        f"{found.settled.extensions:,} deadlines moved behind an outage"
    )
    yield f"{saved:,} accepted calls had lost their first answer and got it by a repeat"
    yield f"{found.hall.book.repeats.total():,} answers asked for once more, byte for byte"


def _absences(found: Findings) -> Iterator[str]:
    timeline = found.hall.timeline
    for what in sorted({name for absence in timeline.absences for name in absence.what}):
        away = timeline.seconds_without(what)
        yield f"{what} was away {len(away)} times for {sum(away):.1f} s, at most {max(away):.1f} s (start and pause included)"
    for what, others in ((POSTGRES, (WEB,)), (VALKEY, (WEB, POSTGRES))):
        beside = " and the database was there" if what == VALKEY else " and the web server was there"
        yield f"while {what} was away{beside}:"
        told = timeline.answers_without(what, others)
        for (kind, code), number in sorted(told.items(), key=lambda one: -one[1])[:12]:
            yield f"  {number:>6,}  {kind}: {code}"


def _tracebacks(folder: Path) -> Iterator[str]:
    """Where something broke that is not the absence of a server."""
    for name in LOGS:
        path = folder / name
        lines = path.read_text(errors="replace").splitlines() if path.exists() else []
        for number, line in enumerate(lines):
            if line.startswith("Traceback"):
                yield f"{name}:{number + 1}: {_end_of(lines[number + 1 :])}"


def _end_of(lines: list[str]) -> str:
    return next((line for line in lines if line and not line.startswith((" ", "Traceback"))), "")[:200]
