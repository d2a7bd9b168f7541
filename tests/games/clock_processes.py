"""The clock's real processes: workers, beat and a broker of their own, on the database of this test run."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from taki_project.local import orphans, processes, web
from taki_project.local.home import Home, home_at
from taki_project.local.supervisor import Entry, kill_session
from taki_project.local.valkey import Valkey
from tests.platform.local_run import free_port

ROOT = Path(__file__).resolve().parents[2]
BROKER, BEAT, WORKER, WEB = "broker", "beat", "worker", "web"


class Clockwork:
    """Processes by name; each may be killed and started at any time."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *names: str) -> None:
        """Start them; a broker is waited for, the others need not wait for anything."""
        for name in names:
            entry = self._entry(name)
            with entry.log.open("ab") as log:
                self.running[name] = subprocess.Popen(
                    entry.command,
                    cwd=ROOT,
                    env=os.environ | entry.environment | {"DJANGO_SETTINGS_MODULE": "taki_project.settings"},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            if name == BROKER:
                until(entry.answers, 90)

    def _entry(self, name: str) -> Entry:
        variables = orphans.mark(self.home) | {"REDIS_URL": self.home.redis_url, "VAR_DIR": str(self.home.root)}
        if name == BROKER:
            return Valkey(self.home).entry()
        if name == BEAT:
            return processes.beat(self.home, variables)
        if name == WEB:
            return web.entry(self.home, web.Address("127.0.0.1", free_port()), variables)
        return processes.clock_worker(self.home, variables, name)

    def kill(self, *names: str) -> None:
        """What the out-of-memory killer does."""
        for name in names:
            process = self.running.pop(name)
            process.kill()
            process.wait()
            kill_session(process.pid)

    def stall(self, name: str) -> None:
        """Let it hang: it holds its connections and answers nothing."""
        self.running[name].send_signal(signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        """Let a stalled one go on."""
        self.running[name].send_signal(signal.SIGCONT)

    def log(self, name: str) -> str:
        """What it said."""
        return self._entry(name).log.read_text()


@contextmanager
def clockwork(folder: Path, *names: str) -> Iterator[Clockwork]:
    """These processes in a folder of their own; nothing of them is left behind."""
    home = home_at(folder.resolve())
    for path in (home.root, home.valkey, home.log, home.sockets, home.root / "static"):
        path.mkdir(parents=True, exist_ok=True)
    work = Clockwork(home)
    try:
        work.start(*names)
        yield work
    finally:
        work.kill(*work.running)
        orphans.end(home)


def until(happened: Callable[[], bool], seconds: float, pause: float = 0.05) -> float:
    """Wait for something; how long it took."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        time.sleep(pause)
    return time.monotonic() - began


def all_of(games: Sequence[str], happened: Callable[[str], bool]) -> Callable[[], bool]:
    """Whether it happened to all games; those it happened to are not asked about again."""
    left = list(games)

    def done() -> bool:
        left[:] = [game for game in left if not happened(game)]
        return not left

    return done
