"""Stores of their own for a measurement, as durable as in production, with Django on them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from msgspec import Struct

from taki_project.local import orphans, run, servers
from taki_project.local.home import Home, home_at
from taki_project.local.servers_for_tests import forget
from taki_project.local.supervisor import Supervisor

BASE = Path(__file__).resolve().parents[1] / "var" / "bench"


class Stores(Struct, frozen=True):
    """Running servers: their home, what tells others of them, and who ends what is started on them."""

    home: Home
    variables: dict[str, str]
    supervisor: Supervisor


@contextmanager
def stores() -> Iterator[Stores]:
    """PostgreSQL and Valkey with a migrated database until the block ends; those that the environment names, if any."""
    home = home_at(BASE / str(os.getpid()))
    supervisor = Supervisor()
    try:
        with home.held("a measurement"):
            servers.clear(home, lambda _: None)
            variables = run.embedded(supervisor, home)
            run.prepare(home, variables)
            os.environ |= variables | {"DJANGO_SETTINGS_MODULE": "taki_project.settings", "LOG_LEVEL": "ERROR"}
            django.setup()
            yield Stores(home, variables | {"LOG_LEVEL": "ERROR"}, supervisor)
    finally:
        supervisor.stop()
        orphans.end(home)
        forget(home)
