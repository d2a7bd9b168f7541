"""Processes that a killed run left behind: found by a mark in their environment, or by working in a data folder."""

import os
import signal
import time
from pathlib import Path

import psutil

from taki_project.local.home import Home

MARK = "TAKI_LOCAL_HOME"
PAUSE = 0.05


def mark(home: Home) -> dict[str, str]:
    """What each process of this home carries in its environment, children of children too."""
    return {MARK: str(home.root)}


def left_by(home: Home) -> list[psutil.Process]:
    """Every process of this home except the one that asks and those that started it."""
    me = psutil.Process()
    mine = {me.pid, *(parent.pid for parent in me.parents())}
    return [process for process in psutil.process_iter() if process.pid not in mine and _belongs(process, home)]


def end(home: Home) -> int:
    """End them in the order in which they need each other; the number ended."""
    found = left_by(home)
    database = [process for process in found if _works_in(process, home.cluster)]
    valkey = [process for process in found if _works_in(process, home.valkey)]
    # Whoever was killed may have been at work; what it did not finish is done by its successor, so none gets long.
    _end([process for process in found if process not in database + valkey], signal.SIGTERM, patience=2.0)
    _end(valkey, signal.SIGTERM, patience=20.0)
    # SIGINT is PostgreSQL's fast shutdown. A backend without its postmaster obeys it too.
    _end(database, signal.SIGINT, patience=20.0)
    return len(found)


def _end(processes: list[psutil.Process], ask: signal.Signals, patience: float) -> None:
    for process in processes:
        _send(process, ask)
    for process in _still_at_work(processes, patience):
        _send(process, signal.SIGKILL)
    _still_at_work(processes, patience)


def _still_at_work(processes: list[psutil.Process], patience: float) -> list[psutil.Process]:
    # A zombie has ended, however late whoever is its parent by now asks for it.
    give_up = time.monotonic() + patience
    while (alive := [process for process in processes if _is_at_work(process)]) and time.monotonic() < give_up:
        time.sleep(PAUSE)
    return alive


def _is_at_work(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _send(process: psutil.Process, which: signal.Signals) -> None:
    try:
        process.send_signal(which)
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return


def _belongs(process: psutil.Process, home: Home) -> bool:
    # PostgreSQL and Valkey write their titles over their environment: for them the folder has to tell.
    return (
        _works_in(process, home.cluster)
        or _works_in(process, home.valkey)
        or _environment(process).get(MARK) == str(home.root)
    )


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.cwd() == os.path.realpath(folder)
    except (psutil.Error, OSError):
        return False


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        return dict(process.environ())
    except (psutil.Error, OSError):
        return {}
