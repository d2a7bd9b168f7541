"""Whom the database server runs as: PostgreSQL refuses to run as root."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from taki_project.local import binaries
from taki_project.local.complaints import CannotStart

# In a namespace of its own root is seen as this account; outside nothing changes, and a 0700 home stays closed.
SEEN_AS = ("unshare", "--user", "--map-user=1000")
# Where namespaces are refused: a number that no distribution gives to an account or a service.
UNPRIVILEGED = 59_999


class Identity(Struct, frozen=True):
    """How to start a program of PostgreSQL."""

    server: Path
    prefix: tuple[str, ...] = ()
    user: int | None = None

    def command(self, program: str, *arguments: str) -> tuple[str, ...]:
        """The command line of one of its programs."""
        return (*self.prefix, str(self.server / "bin" / program), *arguments)

    def options(self) -> dict[str, Any]:
        """What `subprocess` has to be told."""
        if self.user is None:
            return {}
        return {"user": self.user, "group": self.user, "extra_groups": ()}

    def give(self, folder: Path) -> None:
        """Make a folder that this identity alone may enter."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.user is not None:
            os.chown(folder, self.user, self.user)


@cache
def needs_another_account() -> bool:
    """Whether we are root and may not open a user namespace."""
    if os.geteuid() != 0:
        return False
    try:
        done = subprocess.run([*SEEN_AS, "true"], check=False, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return True
    return done.returncode != 0


def identity(folder: Path) -> Identity:
    """Who runs the database whose files lie in this folder."""
    server = binaries.postgres_folder()
    if os.geteuid() != 0:
        return Identity(server)
    if not needs_another_account():
        return Identity(server, prefix=SEEN_AS)
    return Identity(_copied(server, folder / "server"), user=UNPRIVILEGED)


def _copied(server: Path, target: Path) -> Path:
    """A copy that another account can reach; the environment may lie in a closed home."""
    built = (server / "bin" / "postgres").stat()
    copy = target / "bin" / "postgres"
    if copy.exists() and (copy.stat().st_size, copy.stat().st_mtime) == (built.st_size, built.st_mtime):
        return target
    try:
        shutil.rmtree(target, ignore_errors=True)
        # `postgres` is copied last, so that its presence tells a whole copy from a half one.
        shutil.copytree(server, target, ignore=shutil.ignore_patterns("postgres", "include"))
        shutil.copytree(server / "share", target / "share", dirs_exist_ok=True)
        shutil.copy2(server / "bin" / "postgres", copy)
    except OSError as error:
        raise CannotStart(f"cannot copy the database server to {target}: {error.strerror}") from error
    return target
