"""`make prove-repeats`: 100,000 forced repeats on running games, over HTTP, on servers of its own.

    python -m bench.reliability.repeats [--repeats 100000] [--clients 6] [--at-most 900] [--seed 1]

Status 0 if all were made and everything held; 1 if anything did not; 2 if the time was too short for so many.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from bench.reliability import audit, service
from bench.reliability.asks import Book
from bench.reliability.caller import Caller
from bench.reliability.evenings import Evening
from bench.stores import Stores, stores
from taki_project.local.supervisor import Supervisor
from taki_project.local.web import Address

TELL_SECONDS: Final = 5.0
KILLS: Final = 3
"""How often the web server is killed and started anew meanwhile."""
HOLDS, FAILS, TOO_FEW = 0, 1, 2


class Plan(Struct, frozen=True):
    """How many repeats, by how many clients, in which time, from which chance."""

    repeats: int
    clients: int
    at_most: float
    seed: int


def force(plan: Plan, address: Address, meanwhile: Callable[[Book], None]) -> Book:
    """Have all clients force repeats until there are enough; `meanwhile` is called again and again."""
    book = Book()
    give_up = time.monotonic() + plan.at_most

    def more() -> bool:
        return book.repeats.total() < plan.repeats and time.monotonic() < give_up and not book.faults

    def client(number: int) -> None:
        chance = random.Random(f"{plan.seed}/{number}")
        caller = Caller(address, book, chance)
        try:
            Evening(caller, chance, more).spend()
        except Exception as error:  # noqa: BLE001 (whatever ends a client is a finding)
            book.fault(f"a client had to give up: {type(error).__name__}: {error}")
        finally:
            caller.close()

    clients = [threading.Thread(target=client, args=[number]) for number in range(plan.clients)]
    for one in clients:
        one.start()
    while any(one.is_alive() for one in clients):
        meanwhile(book)
        time.sleep(0.1)
    return book


class Watcher:
    """Tells how far it is, and kills the web server a few times on the way."""

    def __init__(self, plan: Plan, supervisor: Supervisor) -> None:
        self._plan, self._supervisor = plan, supervisor
        self._began = self._told = time.monotonic()
        self.kills = 0

    def __call__(self, book: Book) -> None:
        """Look at the clock and at the book."""
        if self.kills < KILLS and book.repeats.total() > self._plan.repeats * (self.kills + 1) / (KILLS + 1):
            self.kills += 1
            self._supervisor.running[-1].process.kill()
        self._supervisor.look_after(lambda _: None)
        if time.monotonic() - self._told > TELL_SECONDS:
            self._told = time.monotonic()
            print(self.progress(book), flush=True)

    def progress(self, book: Book) -> str:
        """One line."""
        seconds = time.monotonic() - self._began
        return (
            f"{seconds:>4.0f} s  {book.repeats.total():>7,} of {self._plan.repeats:,} repeats of "
            f"{len(book.accepted):,} calls, {len(book.faults)} faults, web server killed {self.kills} times"
        )


def report(plan: Plan, book: Book, told: Sequence[str]) -> int:
    """Print what came of it."""
    moves = sum(one.ask.is_move for one in book.accepted.values())
    print(f"\n{book.repeats.total():,} forced repeats of {len(book.accepted):,} calls, of which {moves:,} moves:")
    for way, number in book.repeats.most_common():
        print(f"  {number:>8,}  {way}")
    print(f"{book.retries:,} further ones while the web server was away")
    print(f"{book.answers.total():,} answers, the slowest after {book.slowest:.2f} s:")
    for code, number in book.answers.most_common():
        print(f"  {number:>8,}  {code}")
    for line in (*told, *book.faults):
        print(line)
    enough = book.repeats.total() >= plan.repeats
    if not enough and not book.faults:
        print(f"NOT ENOUGH: {plan.at_most:.0f} s were too short for {plan.repeats:,} repeats (AT_MOST=…)")
    return HOLDS if enough else TOO_FEW


def judged(book: Book, before: audit.Counts) -> tuple[bool, list[str]]:
    """Hold the book against the database; whether all is well, and the lines that say so."""
    found = audit.verdict(book, before)
    holds, words = audit.verified()
    wrong = [book.answers[code] for code in book.answers if code.startswith(("412", "5"))]
    faults = [*found.double, *found.lost, *found.untold, *found.miscounted]
    told = {
        "double effects": len(found.double),
        "lost effects": len(found.lost),
        "effects that nobody was told of": len(found.untold),
        "answers against the contract": len(book.faults),
        "answers 412 or 5xx": sum(wrong),
    }
    lines = ["; ".join(f"{what}: {number}" for what, number in told.items()), f"verify_log: {words}"]
    return holds and not faults and not any(told.values()), lines + faults


def prove(plan: Plan, running: Stores) -> int:
    """Start the web server, force, and judge."""
    where = service.free_address()
    running.supervisor.start(service.web_entry(running.home, where, running.variables))
    before, watcher = audit.counts(), Watcher(plan, running.supervisor)
    book = force(plan, where, watcher)
    print(watcher.progress(book), flush=True)
    holds, lines = judged(book, before)
    status = report(plan, book, lines)
    return status if holds else FAILS


def main() -> int:
    """Read what is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--at-most", type=float, default=900.0, help="seconds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with stores() as running:
        return prove(Plan(asked.repeats, asked.clients, asked.at_most, asked.seed), running)


if __name__ == "__main__":
    sys.exit(main())
