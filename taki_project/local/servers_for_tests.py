"""Servers for tests: throwaway ones for one run, or kept ones for many (`make servers`)."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taki_project.local import orphans, signals
from taki_project.local.complaints import CannotStart, StopAsked
from taki_project.local.home import Home, home_at
from taki_project.local.postgres import THROWAWAY, Postgres
from taki_project.local.servers import clear, start_postgres, start_valkey
from taki_project.local.supervisor import Supervisor

BASE = Path(__file__).resolve().parents[2] / "var" / "test"


def kept_home() -> Home:
    """Where `make servers` keeps its servers."""
    return home_at(BASE / "kept")


def throwaway_home() -> Home:
    """Where the servers of this process alone would be."""
    return home_at(BASE / str(os.getpid()))


def home_for_tests() -> Home:
    """The kept home if its servers run, else one of our own."""
    kept = kept_home()
    return kept if kept.is_held() else throwaway_home()


@contextmanager
def running(home: Home) -> Iterator[Postgres]:
    """Both servers in this home until the block ends."""
    supervisor = Supervisor()
    with home.held():
        clear(home, lambda _: None)
        try:
            postgres = start_postgres(supervisor, home, THROWAWAY)
            start_valkey(supervisor, home, keeps="no")
            yield postgres
        finally:
            supervisor.stop()
            orphans.end(home)


def forget(home: Home) -> None:
    """Remove a throwaway home."""
    for folder in (home.root, home.database, home.sockets):
        shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """End and remove what killed test runs left."""
    for root in BASE.glob("[0-9]*"):
        home = home_at(root)
        if not home.is_held():
            orphans.end(home)
            forget(home)


def main() -> int:
    """Keep servers up until Ctrl-C."""
    signals.listen()
    try:
        sweep()
        with running(kept_home()):
            print("Test servers are up; in another terminal: .venv/bin/pytest tests/…", flush=True)
            signal.pause()
    except StopAsked:
        return 0
    except CannotStart as complaint:
        print(f"make servers: {complaint}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
