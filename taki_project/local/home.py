"""The folder of one local installation: where its servers keep what they store, their logs and their sockets."""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

from msgspec import Struct

from taki_project.local.complaints import CannotStart
from taki_project.local.identity import Identity, needs_another_account

# A socket's path may have 107 bytes, and PostgreSQL adds `/.s.PGSQL.5432.lock`.
LONGEST_SOCKET_FOLDER = 85
OUTSIDE = Path("/var/lib")
SPACE_NEEDED = 200 * 1024 * 1024


class Home(Struct, frozen=True):
    """Every path follows from two folders, so that addresses are known before anything runs."""

    root: Path
    outside: Path | None = None  # where the database lives if another account has to run it

    @property
    def database(self) -> Path:
        """What the account of the database may enter."""
        return self.outside or self.root

    @property
    def cluster(self) -> Path:
        """The database's data folder."""
        return self.database / "postgres"

    @property
    def valkey(self) -> Path:
        """Valkey's append-only file."""
        return self.root / "valkey"

    @property
    def log(self) -> Path:
        """One file for each process."""
        return self.root / "log"

    @property
    def addresses(self) -> Path:
        """Where the servers can be reached while they run."""
        return self.root / "servers.env"

    @property
    def sockets(self) -> Path:
        """Open to this account alone, which is why the servers ask for no password; short, or under the temporary folder."""
        inside = self.database / "sockets"
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_FOLDER:
            return inside
        return Path(tempfile.gettempdir()) / f"taki-{os.geteuid()}-{_mark(self.root)}"

    def database_url(self, role: str, name: str = "taki") -> str:
        """A database of this home, as this role."""
        return f"postgresql://{role}@/{name}?host={quote(str(self.sockets), safe='')}"

    @property
    def redis_url(self) -> str:
        """The Valkey of this home."""
        return f"unix://{self.sockets / 'valkey.sock'}?db=0"

    def prepare(self, identity: Identity) -> None:
        """Make the folders; refuse a full disk and a socket folder that somebody else made."""
        try:
            for folder in (self.root, self.valkey, self.log):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for folder in (self.database, self.sockets):
                identity.give(folder)
            free = min(shutil.disk_usage(folder).free for folder in (self.root, self.database))
        except OSError as error:
            raise CannotStart(f"cannot write to {self.root}: {error.strerror}") from error
        if free < SPACE_NEEDED:
            raise CannotStart(
                f"the disk of {self.root} is full: {free // 2**20} MB are free, {SPACE_NEEDED // 2**20} MB are needed"
            )
        owner = os.geteuid() if identity.user is None else identity.user
        if self.sockets.is_symlink() or self.sockets.stat().st_uid != owner:
            raise CannotStart(f"{self.sockets} belongs to somebody else; remove it, or run from a shorter path")
        self.sockets.chmod(0o700)

    @contextmanager
    def held(self, note: str = "for tests") -> Iterator[None]:
        """Hold this home against a second run; the system lets go even of a killed one."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.root / "lock").open("a+") as lock:
            if not _locks(lock, tries=4):
                lock.seek(0)
                raise CannotStart(f"already running here ({lock.read().strip() or 'starting'})")
            lock.truncate(0)
            lock.write(f"process {os.getpid()}, {note}")
            lock.flush()
            yield

    def is_held(self) -> bool:
        """Whether a run holds this home now."""
        try:
            with (self.root / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False


def home_at(root: Path) -> Home:
    """The home in this folder; the database moves out where another account has to run it and could not get in."""
    if not needs_another_account():
        return Home(root)
    return Home(root, outside_of(root))


def outside_of(root: Path) -> Path:
    """Where the database of this folder lives then."""
    return OUTSIDE / f"taki-{_mark(root)}"


def _mark(root: Path) -> str:
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:12]


def _locks(lock: IO[str], tries: int) -> bool:
    for _ in range(tries):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)  # `is_held` of another process takes the lock for a moment
        else:
            return True
    return False
