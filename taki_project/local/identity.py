"""Whom the database server runs as: PostgreSQL refuses to run as root."""

import filecmp
import os
import pwd
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from taki_project.local import binaries
from taki_project.local.complaints import CannotStart


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
def unprivileged() -> int:
    """The number of an account that is not root; it has to be a known one, `initdb` looks its name up."""
    accounts = {account.pw_name: account.pw_uid for account in pwd.getpwall() if account.pw_uid != 0}
    if not accounts:
        raise CannotStart("PostgreSQL cannot run as root, and there is no other account: set DATABASE_URL")
    return accounts.get("nobody", min(accounts.values()))


def seen_as() -> tuple[str, ...]:
    """Starts a program in a namespace in which root is that account; outside nothing changes, and a 0700 home stays closed."""
    return ("unshare", "--user", f"--map-user={unprivileged()}")


@cache
def needs_another_account() -> bool:
    """Whether we are root and may not open a user namespace."""
    if os.geteuid() != 0:
        return False
    try:
        done = subprocess.run([*seen_as(), "true"], check=False, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return True
    return done.returncode != 0


def identity(folder: Path) -> Identity:
    """Who runs the database whose files lie in this folder."""
    server = binaries.postgres_folder()
    if os.geteuid() != 0:
        return Identity(server)
    if not needs_another_account():
        return Identity(server, prefix=seen_as())
    return Identity(_copied(server, folder / "server"), user=unprivileged())


def _copied(server: Path, target: Path) -> Path:
    """A copy that another account can reach, with the libraries beside the package; the environment may lie in a closed home."""
    package = server.parent
    copy = target / package.name / server.name
    ours, theirs = server / "bin" / "postgres", copy / "bin" / "postgres"
    if theirs.exists() and filecmp.cmp(ours, theirs):
        return copy
    draft = target.with_name("server.new")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (draft, target):
            shutil.rmtree(folder, ignore_errors=True)
        for part in (package, package.with_name(f"{package.name}.libs")):
            shutil.copytree(part, draft / part.name, ignore=shutil.ignore_patterns("include"))
        draft.rename(target)
    except OSError as error:
        raise CannotStart(f"cannot copy the database server to {target}: {error.strerror}") from error
    return copy
