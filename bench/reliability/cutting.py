"""Proxies that cut connections between a commit and its answer; a process of its own, told what to do in JSON.

A connection is armed when what a client sends holds one of the marks; the answer to that is then kept back, in whole or
from its middle on, and both ends are reset. SIGUSR1 ends the cutting, SIGTERM the process; it prints how often it cut.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from taki_project.local.supervisor import Entry

PIECE: Final = 65_536
HALF: Final = 0.3
"""How often half of the answer gets through."""


class Link(Struct, frozen=True, kw_only=True):
    """Where to listen, whom to reach (a path is a socket's), what to cut behind and how often; `elsewhere`: at any place."""

    name: str
    port: int
    target: str
    marks: tuple[str, ...]
    odds: float
    elsewhere: float = 0.0


class Plan(Struct, frozen=True):
    """All links, and the chance they are cut by."""

    links: tuple[Link, ...]
    seed: int


class Cutter:
    """Carries bytes both ways until it cuts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._chance = random.Random(plan.seed)
        self._calm = False
        self.cuts: Counter[str] = Counter()

    def calm(self) -> None:
        """Cut nothing any more."""
        self._calm = True

    async def listen(self) -> None:
        """Open all links."""
        for link in self._plan.links:
            await asyncio.start_server(partial(self._carry, link), "127.0.0.1", link.port)

    async def _carry(self, link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await _connected(link.target)
        except OSError:
            writer.transport.abort()
            return
        armed: list[str] = []
        up = asyncio.create_task(self._up(link, reader, there[1], armed))
        down = asyncio.create_task(self._down(there[0], writer, armed))
        await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
        for task in (up, down):
            task.cancel()
        for end in (writer, there[1]):
            end.transport.abort()
        await asyncio.gather(up, down, return_exceptions=True)

    async def _up(
        self, link: Link, source: asyncio.StreamReader, target: asyncio.StreamWriter, armed: list[str]
    ) -> None:
        marks = [mark.encode() for mark in link.marks]
        while piece := await source.read(PIECE):
            if not self._calm:
                marked = any(mark in piece for mark in marks)
                if self._chance.random() < (link.odds if marked else link.elsewhere):
                    armed.append(f"{link.name}, {'behind a write' if marked else 'anywhere else'}")
            target.write(piece)
            await target.drain()

    async def _down(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, armed: list[str]) -> None:
        while piece := await source.read(PIECE):
            if armed and not self._calm:
                self.cuts[armed[0]] += 1
                if self._chance.random() < HALF:
                    target.write(piece[: len(piece) // 2])
                    await target.drain()
                return
            target.write(piece)
            await target.drain()


async def _connected(target: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if target.startswith("/"):
        return await asyncio.open_unix_connection(target)
    host, _, port = target.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def _serve(plan: Plan, tally: Path) -> None:
    cutter, over = Cutter(plan), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, cutter.calm)
    loop.add_signal_handler(signal.SIGTERM, over.set)
    await cutter.listen()
    while not over.is_set():
        tally.write_bytes(msgspec.json.encode(cutter.cuts))  # noqa: ASYNC240 (a few bytes, twice a second)
        await asyncio.sleep(0.5)


def entry(plan: Plan, folder: Path) -> Entry:
    """The process, for a supervisor."""
    words = (sys.executable, "-m", "bench.reliability.cutting", msgspec.json.encode(plan).decode(), str(tally(folder)))
    return Entry(name="the cutter", command=words, log=folder / "cutter.log", answers=tally(folder).exists)


def tally(folder: Path) -> Path:
    """Where the process writes how often it cut."""
    return folder / "cuts.json"


if __name__ == "__main__":
    asyncio.run(_serve(msgspec.json.decode(sys.argv[1], type=Plan), Path(sys.argv[2])))
