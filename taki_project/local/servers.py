"""The two embedded servers together: ends what a killed run left, then starts them."""

import time
from collections.abc import Callable

from taki_project.local import orphans
from taki_project.local.complaints import CannotStart
from taki_project.local.home import Home
from taki_project.local.identity import identity
from taki_project.local.postgres import Postgres
from taki_project.local.supervisor import Supervisor
from taki_project.local.valkey import Valkey

# PostgreSQL refuses to start while a process of a killed server still holds its memory.
PATIENCE = 60.0
PAUSE = 0.5
REFUSALS = ("shared memory", "lock file", "postmaster.pid")


def clear(home: Home, say: Callable[[str], None]) -> None:
    """Make the folders of this home and end what a killed run left in it."""
    home.prepare(identity(home.database))
    ended = orphans.end(home)
    if ended:
        say(f"ended {ended} processes that an earlier run left behind")


def start_postgres(supervisor: Supervisor, home: Home, settings: dict[str, str]) -> Postgres:
    """A running server with both roles."""
    server = Postgres(home, identity(home.database), settings)
    server.make_cluster()
    give_up = time.monotonic() + PATIENCE
    while True:
        server.forget_foreign_pids()
        try:
            supervisor.start(server.entry())
            break
        except CannotStart as complaint:
            if time.monotonic() > give_up or not any(word in str(complaint) for word in REFUSALS):
                raise
            supervisor.stop()
            orphans.end(home)
            time.sleep(PAUSE)
    server.make_roles()
    return server


def start_valkey(supervisor: Supervisor, home: Home, keeps: str = "yes") -> Valkey:
    """A running server; `keeps` is Valkey's `appendonly`."""
    server = Valkey(home, keeps)
    supervisor.start(server.entry())
    return server
