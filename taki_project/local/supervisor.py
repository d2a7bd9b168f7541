"""Starts processes in order, keeps them running, and ends them rank by rank."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil
from msgspec import Struct

from taki_project.local.complaints import CannotStart

PAUSE, FIRST_PAUSE = 0.05, 0.25
# A process that ends this often within the window will not get well by another start.
RESTARTS, WINDOW = 5, 60.0
TROUBLE = ("FATAL", "PANIC", "Error", "error", "Fatal", "Failed", "Can't")
LONGEST_LOG = 20 * 1024 * 1024


def at_once() -> bool:
    """For a process that need not answer before the next one starts."""
    return True


class Entry(Struct, frozen=True):
    """One process to keep running; it lives in a session of its own, so that a Ctrl-C reaches the supervisor alone."""

    name: str
    command: tuple[str, ...]
    log: Path
    answers: Callable[[], bool] = at_once
    environment: Mapping[str, str] = {}
    options: Mapping[str, Any] = {}
    rank: int = 0  # those of one rank are ended together, the highest first
    stop_signal: signal.Signals = signal.SIGTERM
    start_patience: float = 30.0
    stop_patience: float = 15.0


class Running:
    """An entry and its process of the moment."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.starts: list[float] = []
        self.starts_at: float | None = None  # while it has ended and waits to be started again
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        now = time.monotonic()
        self.starts = [*(start for start in self.starts if now - start < WINDOW), now]
        with open_log(self.entry.log) as log:
            return subprocess.Popen(
                self.entry.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.entry.environment},
                start_new_session=True,
                **self.entry.options,
            )

    def await_answer(self) -> None:
        """Wait until it serves; `CannotStart` tells why it does not."""
        give_up = time.monotonic() + self.entry.start_patience
        while not self.entry.answers():
            if self.process.poll() is not None:
                raise CannotStart(f"{self.entry.name} ended at once: {last_line(self.entry.log)}")
            if time.monotonic() > give_up:
                raise CannotStart(f"{self.entry.name} does not answer: {last_line(self.entry.log)}")
            time.sleep(PAUSE)

    def is_past_help(self) -> bool:
        """Whether it has ended too often to be started again."""
        return len(self.starts) > RESTARTS

    def bury(self) -> None:
        """Clear up behind a process that ended by itself; each time it has to wait longer, for the cause may need it to go away."""
        kill_session(self.process.pid)
        self.starts_at = time.monotonic() + FIRST_PAUSE * 2 ** (len(self.starts) - 1)

    def start_again(self) -> None:
        """Replace it, once its time has come."""
        if self.starts_at is not None and time.monotonic() >= self.starts_at:
            self.starts_at = None
            self.process = self._start()

    def ask_to_end(self) -> None:
        """Send what it takes for a wish to end."""
        if self.process.poll() is None:
            self.process.send_signal(self.entry.stop_signal)

    def await_end(self) -> None:
        """Wait for it, then leave nothing of its session."""
        try:
            self.process.wait(self.entry.stop_patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        kill_session(self.process.pid)


class Supervisor:
    """What runs, in the order in which it was started."""

    def __init__(self) -> None:
        self.running: list[Running] = []

    def start(self, entry: Entry) -> None:
        """Start one more and wait until it answers."""
        running = Running(entry)
        self.running.append(running)
        running.await_answer()

    def watch(self, say: Callable[[str], None]) -> None:
        """Start again what ends by itself, until a signal raises or one of them is past help."""
        while True:
            self.look_after(say)
            time.sleep(4 * PAUSE)

    def look_after(self, say: Callable[[str], None]) -> None:
        """Start again what has ended by itself, none waiting for another; `CannotStart` if one ends too often."""
        for running in self.running:
            if running.starts_at is None and (code := running.process.poll()) is not None:
                if running.is_past_help():
                    raise CannotStart(f"{running.entry.name} keeps ending: {last_line(running.entry.log)}")
                say(f"{running.entry.name} ended ({code}); starting it again; its log: {running.entry.log}")
                running.bury()
            running.start_again()

    def stop(self) -> None:
        """End everything, rank by rank."""
        for rank in sorted({running.entry.rank for running in self.running}, reverse=True):
            together = [running for running in self.running if running.entry.rank == rank]
            for running in together:
                running.ask_to_end()
            for running in together:
                running.await_end()
        self.running.clear()


def kill_session(leader: int) -> None:
    """End whatever a process left in its session."""
    for pid in psutil.pids():
        try:
            if os.getsid(pid) == leader:
                os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def open_log(path: Path) -> Any:
    """Append to a log; one that grew too long is put aside first."""
    if path.exists() and path.stat().st_size > LONGEST_LOG:
        path.replace(path.with_suffix(".1.log"))
    return path.open("ab")


def last_line(log: Path) -> str:
    """The last trouble a process spoke of, or else its last words, for a message of one line."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        lines = []
    spoken = [line.strip() for line in lines if line.strip()][-20:]
    spoken = [line for line in spoken if any(word in line for word in TROUBLE)] or spoken
    return f"{spoken[-1]} (more in {log})" if spoken else f"it said nothing ({log})"
