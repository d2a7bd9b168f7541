"""SIGKILL at random, to one process or to many; who starts them again is the supervisor of `make run`, and nobody else."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, Self

import psutil

from bench.reliability.timeline import Absence, Timeline
from taki_project.local.supervisor import RESTARTS, WINDOW, Running, Supervisor, kill_session

POSTGRES, VALKEY, WEB, CLOCK, WORKER, BEAT = (
    "PostgreSQL",
    "Valkey",
    "the web server",
    "the clock's worker",
    "the worker",
    "beat",
)
PAUSE: Final = 0.05
CALM: Final = (0.5, 3.5)
"""Seconds between one kill and the next."""
FROZEN: Final = (8.0, 12.0)
BACK_WITHIN: Final = 60.0


class Killer:
    """Kills while it is asked to, and notes for how long what was away."""

    def __init__(self, supervisor: Supervisor, timeline: Timeline, chance: random.Random) -> None:
        self._running = {running.entry.name: running for running in supervisor.running}
        self._timeline, self._chance = timeline, chance
        self.kills: Counter[str] = Counter()
        self.never_back: list[str] = []

    def go_on_until(self, over: float) -> None:
        """Kill, wait until all are back, and again, until a moment of the monotonic clock."""
        while time.monotonic() < over:
            time.sleep(self._chance.uniform(*CALM))
            self.strike()

    def strike(self) -> None:
        """Do something bad, and wait until all are back."""
        self._chance.choice(_BLOWS)(self)

    def one(self) -> None:
        """Kill one of them, the database more often than others."""
        self._kill([self._chance.choice((POSTGRES, POSTGRES, POSTGRES, VALKEY, VALKEY, WEB, WEB, CLOCK, WORKER, BEAT))])

    def some(self) -> None:
        """Kill any two or three."""
        self._kill(self._chance.sample(sorted(_KILLING), self._chance.choice((2, 3))))

    def all(self) -> None:
        """Do what a power cut does."""
        self._kill(sorted(_KILLING))

    def freeze(self) -> None:
        """Hold one of the two servers still: it takes connections and answers nothing, for longer than a caller may wait."""
        name = self._chance.choice((POSTGRES, VALKEY))
        if not self._may_die(name):
            return
        began, pid = time.monotonic(), self._running[name].process.pid
        frozen = [pid, *_children(pid)]
        self.kills[f"{name} held still, not killed"] += 1
        for one in frozen:
            _send(one, signal.SIGSTOP)
        time.sleep(self._chance.uniform(*FROZEN))
        for one in frozen:
            _send(one, signal.SIGCONT)
        self._timeline.absence(Absence(frozenset([name]), began, time.monotonic()))

    def _kill(self, wanted: list[str]) -> None:
        names = [name for name in wanted if self._may_die(name)]
        began = time.monotonic()
        dead = {}
        for name in names:
            process = self._running[name].process
            told = _KILLING[name](process.pid, self._chance)
            self.kills[told] += 1
            if not told.startswith("one "):
                dead[name] = process
        while not self._are_back(names, dead):
            if time.monotonic() - began > BACK_WITHIN:
                self.never_back.append(f"{', '.join(names)}: not back after {BACK_WITHIN:.0f} s")
                return
            time.sleep(PAUSE)
        if names:
            self._timeline.absence(Absence(frozenset(names), began, time.monotonic()))

    def _may_die(self, name: str) -> bool:
        """Whether it is there, and the supervisor would start it again: five times a minute it does."""
        now = time.monotonic()
        return (
            name in self._running and sum(now - start < WINDOW for start in self._running[name].starts) < RESTARTS - 1
        )

    def _are_back(self, names: list[str], dead: Mapping[str, object]) -> bool:
        """Whether each has a successor, where it needs one, and answers."""
        running = [self._running[name] for name in names]
        return all(one.process is not dead.get(one.entry.name) and _is_back(one) for one in running)


_BLOWS: Final[tuple[Callable[[Killer], None], ...]] = (
    *(Killer.one,) * 12,
    *(Killer.some,) * 2,
    Killer.all,
    *(Killer.freeze,) * 2,
)


def _is_back(running: Running) -> bool:
    return running.process.poll() is None and running.entry.answers()


def _session(name: str) -> Callable[[int, random.Random], str]:
    def kill(pid: int, _: random.Random) -> str:
        kill_session(pid)
        return name

    return kill


def _web(pid: int, chance: random.Random) -> str:
    """The whole server, its first process alone, or one of those that answer."""
    way = chance.choice(("whole", "first", "other", "other"))
    others = _children(pid)
    if way == "other" and others:
        _kill(chance.choice(others))
        return "one process of the web server"
    if way == "first":
        _kill(pid)
        return "the web server's first process"
    kill_session(pid)
    return "the whole web server"


def _postgres(pid: int, chance: random.Random) -> str:
    """All of it at once, its first process alone, or one that serves a connection."""
    way = chance.choice(("whole", "whole", "first", "backend"))
    children = _children(pid)
    backends = [child for child in children if b"taki_app" in _title(child)]
    if way == "backend" and backends:
        _kill(chance.choice(backends))
        return "one backend of PostgreSQL"
    _kill(pid)
    if way == "first":
        return "PostgreSQL's first process"
    for child in children:
        _kill(child)
    return "the whole of PostgreSQL"


_KILLING: Final[dict[str, Callable[[int, random.Random], str]]] = {
    POSTGRES: _postgres,
    WEB: _web,
    **{name: _session(name) for name in (VALKEY, CLOCK, WORKER, BEAT)},
}


def _children(pid: int) -> list[int]:
    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _title(pid: int) -> bytes:
    try:
        return " ".join(psutil.Process(pid).cmdline()).encode()
    except psutil.Error:
        return b""


def _kill(pid: int) -> None:
    _send(pid, signal.SIGKILL)


def _send(pid: int, which: signal.Signals) -> None:
    try:
        os.kill(pid, which)
    except ProcessLookupError:
        return


class Keeper:
    """The supervisor's watch, in a thread that can be ended."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor, self._over = supervisor, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.starts = 0
        self.gave_up: str | None = None

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End, before the processes are ended."""
        self._over.set()
        self._thread.join(BACK_WITHIN)

    def _watch(self) -> None:
        try:
            while not self._over.is_set():
                self._supervisor.look_after(self._note)
                time.sleep(4 * PAUSE)
        except Exception as error:  # noqa: BLE001 (that it gave up is a finding)
            self.gave_up = str(error)

    def _note(self, _: str) -> None:
        self.starts += 1
