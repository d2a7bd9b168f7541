"""Starts and stops whole local runs in folders of their own, as a person at a terminal would."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from taki_project.local import orphans
from taki_project.local.home import Home, home_at

ROOT = Path(__file__).resolve().parents[2]
# Addresses of the test's own servers would keep the run from starting any.
NOT_INHERITED = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class LocalRun:
    """One run: the supervisor's process and the folder it keeps everything in."""

    def __init__(self, folder: Path, port: int, **variables: str) -> None:
        self.home: Home = home_at(folder.resolve())
        self.port = port
        self.terminal = folder.with_name(f"{folder.name}.{os.getpid()}.{port}.terminal")
        with self.terminal.open("w") as terminal:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "taki_project.local.run"],
                cwd=ROOT,
                env={key: value for key, value in os.environ.items() if key not in NOT_INHERITED}
                | {"VAR_DIR": str(folder), "PORT": str(port), "WEB_WORKERS": "1"}
                | variables,
                stdout=terminal,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def await_line(self, word: str, patience: float = 180.0) -> None:
        """Wait until it says something with this word; fails with what was said instead."""
        give_up = time.monotonic() + patience
        while word not in self.terminal.read_text():
            ended = self.process.poll() is not None
            assert not ended, f"never said {word}: {self.terminal.read_text()}"
            assert time.monotonic() < give_up, f"never said {word}: {self.terminal.read_text()}"
            time.sleep(0.05)

    def said(self) -> str:
        """Everything it said until it ended."""
        self.process.wait(180)
        return self.terminal.read_text()

    def stop(self, which: signal.Signals = signal.SIGTERM) -> str:
        self.process.send_signal(which)
        return self.said().splitlines()[-1]

    def processes(self) -> list[psutil.Process]:
        """Every process of this home but the supervisor."""
        return orphans.left_by(self.home)

    def kill_everything(self) -> None:
        """What the out-of-memory killer or a power cut does."""
        for process in [psutil.Process(self.process.pid), *self.processes()]:
            process.kill()
        self.process.wait()
        while self.processes():
            time.sleep(0.05)


@contextmanager
def local_run(folder: Path, port: int, **variables: str) -> Iterator[LocalRun]:
    """A run that is ready; nothing of it is left behind, however the test ends."""
    run = LocalRun(folder, port, **variables)
    try:
        run.await_line("Ready after")
        yield run
    finally:
        if run.process.poll() is None:
            run.process.kill()
        run.process.wait()
        orphans.end(run.home)
