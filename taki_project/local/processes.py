"""The processes of the service itself, in the order in which they start."""

import sys
from pathlib import Path

from taki_project.local import web
from taki_project.local.home import Home
from taki_project.local.supervisor import Entry

_NAMES = {"clock": "the clock's worker", "worker": "the worker"}


def entries(home: Home, where: web.Address, variables: dict[str, str]) -> tuple[Entry, ...]:
    """The web server, then what it does not wait for; the servers that all of them need run already."""
    return (
        web.entry(home, where, variables),
        clock_worker(home, variables),
        beat(home, variables),
        _celery("worker", home, variables, *_worker("celery", "celery")),
    )


def clock_worker(home: Home, variables: dict[str, str], name: str = "clock") -> Entry:
    """A worker of the clock's queue; several, by different names, share the work."""
    return _celery(name, home, variables, *_worker("clock", name))


def beat(home: Home, variables: dict[str, str]) -> Entry:
    """What asks for the sweeps."""
    return _celery("beat", home, variables, "beat", f"--schedule={home.root / 'beat'}", "--pidfile=")


def _worker(queue: str, name: str) -> tuple[str, ...]:
    return (
        "worker", f"--queues={queue}", f"--hostname={name}@%h", "--pool=solo", "--concurrency=1",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    )  # fmt: skip


def _celery(name: str, home: Home, variables: dict[str, str], *arguments: str) -> Entry:
    program = str(Path(sys.executable).parent / "celery")
    return Entry(
        name=_NAMES.get(name, name),
        command=(program, "--app=taki_project", *arguments, "--loglevel=WARNING"),
        log=home.log / f"{name}.log",
        # Checks load every view, which takes a second of each start.
        environment=variables | {"CELERY_SKIP_CHECKS": "1"},
        rank=2,
    )
