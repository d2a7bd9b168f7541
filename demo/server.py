"""Where the service is: at BASE_URL, where `make run` says it is, or started for the demonstration and ended after it."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from demo.client import Client, Stopped

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE: Final = 120.0
STOP_PATIENCE: Final = 60.0
USUAL_PORT: Final = 8000


def home() -> Path:
    """The folder of the local installation."""
    return Path(os.environ.get("VAR_DIR") or ROOT / "var").resolve()


@contextmanager
def service(asked: str | None) -> Iterator[str]:
    """The address of a ready service until the block ends."""
    if asked:
        if not Client(asked).serves():
            raise Stopped(f"no service is ready at {asked} (BASE_URL); without it the demonstration starts its own")
        yield asked
    elif running := _running():
        print(f"Playing at the running service, {running}")
        yield running
    else:
        with _own() as address:
            yield address


def _running() -> str | None:
    """The address that `make run` notes in the lock it holds; waits for one that is still starting."""
    give_up = time.monotonic() + PATIENCE
    while noted := _noted():
        if Client(noted).serves():
            return noted
        if time.monotonic() > give_up:
            raise Stopped(f"a service runs here, but {noted} does not get ready; its words: {home() / 'log'}")
        time.sleep(0.2)
    return None


def _noted() -> str | None:
    """The address in the lock, while somebody holds it."""
    try:
        with (home() / "lock").open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                found = re.search(r"https?://\S+[^\s,]", lock.read())
                return found[0] if found else None
    except OSError:
        return None
    return None


@contextmanager
def _own() -> Iterator[str]:
    """A run in a session of its own, so that a Ctrl-C ends it in our order."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    print(f"No service is running here: starting one at {address} (the first start makes a database)", flush=True)
    log = home() / "log" / "demo.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "taki_project.local.run"],
            cwd=ROOT,
            env={**os.environ, "HOST": "127.0.0.1", "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _await(process, address, log)
        print(f"Ready after {time.monotonic() - began:.1f} s", flush=True)
        yield address
    finally:
        _end(process)
    print("The service of the demonstration has ended; `make run` has everything it stored.", flush=True)


def _await(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    give_up = time.monotonic() + PATIENCE
    while not Client(address).serves():
        if process.poll() is not None:
            raise Stopped(f"the service ended at once: {_last_line(log)}")
        if time.monotonic() > give_up:
            raise Stopped(f"the service is not ready after {PATIENCE:.0f} s; its words: {log}")
        time.sleep(0.2)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"it said nothing ({log})"


def _free_port() -> int:
    """PORT or the usual one if it is free, else any."""
    for port in (int(os.environ.get("PORT") or USUAL_PORT), 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise Stopped("no port is free")
