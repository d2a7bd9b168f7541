"""The processes of the service itself, in the order in which they start."""

import sys
from pathlib import Path

from taki_project.local import web
from taki_project.local.home import Home
from taki_project.local.supervisor import Entry


def entries(home: Home, where: web.Address, variables: dict[str, str]) -> tuple[Entry, ...]:
    """The workers and the web server; the servers that all of them need run already."""
    return (
        _celery("the clock's worker", "clock", home, variables, *_worker("clock", "solo", "1")),
        _celery("the worker", "worker", home, variables, *_worker("celery", "solo", "1")),
        _celery("beat", "beat", home, variables, "beat", f"--schedule={home.root / 'beat'}", "--pidfile="),
        web.entry(home, where, variables),
    )


def _worker(queue: str, pool: str, concurrency: str) -> tuple[str, ...]:
    return (
        "worker", f"--queues={queue}", f"--hostname={queue}@%h", f"--pool={pool}", f"--concurrency={concurrency}",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    )  # fmt: skip


def _celery(name: str, log: str, home: Home, variables: dict[str, str], *arguments: str) -> Entry:
    program = str(Path(sys.executable).parent / "celery")
    return Entry(
        name=name,
        command=(program, "--app=taki_project", *arguments, "--loglevel=WARNING"),
        log=home.log / f"{log}.log",
        environment=variables,
        rank=2,
    )
