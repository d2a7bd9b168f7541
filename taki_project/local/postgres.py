"""PostgreSQL from the wheel: the cluster made once, the server as a process of ours, roles and databases."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import psutil
import psycopg
from msgspec import Struct
from psycopg import sql

from taki_project.local.complaints import CannotStart
from taki_project.local.home import Home
from taki_project.local.identity import Identity
from taki_project.local.orphans import mark
from taki_project.local.supervisor import Entry

SUPERUSER, OWNER, APPLICATION = "postgres", "taki_owner", "taki_app"
# The same file serves the containers.
GRANTS = Path(__file__).resolve().parents[2] / "docker" / "postgres" / "20-grants.sql"
# A database of tests may be lost with the machine: it needs no disk.
THROWAWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class Postgres(Struct, frozen=True):
    """The database server of one home."""

    home: Home
    identity: Identity
    settings: dict[str, str] = {}

    def make_cluster(self) -> None:
        """`initdb` beside the place and then one rename, so that a killed one leaves no half cluster."""
        cluster = self.home.cluster
        if (cluster / "PG_VERSION").exists():
            self._refuse_another_version()
            return
        draft = cluster.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        self.identity.give(draft)
        self._initdb(draft)
        draft.rename(cluster)

    def _initdb(self, folder: Path) -> None:
        done = subprocess.run(
            self.identity.command(
                "initdb", f"--pgdata={folder}", f"--username={SUPERUSER}", "--auth=trust", "--encoding=UTF8",
                "--locale-provider=builtin", "--locale=C.UTF-8", "--set=timezone=UTC",
                *(["--no-sync"] if self.settings else []),
            ),
            check=False, capture_output=True, text=True, start_new_session=True,
            env={**os.environ, **mark(self.home), "LC_ALL": "C"}, **self.identity.options(),
        )  # fmt: skip
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if "error" in line.lower() or "FATAL" in line]
            raise CannotStart(f"initdb failed: {(said or [done.stderr.strip()[-300:]])[0]}")

    def _refuse_another_version(self) -> None:
        stored = (self.home.cluster / "PG_VERSION").read_text().strip()
        ours = subprocess.run(
            [str(self.identity.server / "bin" / "postgres"), "--version"], check=True, capture_output=True, text=True
        ).stdout.split()[-1]
        if ours.split(".")[0] != stored:
            raise CannotStart(
                f"{self.home.cluster} was written by PostgreSQL {stored}, this one is {ours}: docs/operations.md"
            )

    def entry(self) -> Entry:
        """The server, reached by its socket alone."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.home.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "120",
        } | self.settings
        return Entry(
            name="PostgreSQL",
            command=self.identity.command(
                "postgres", "-D", str(self.home.cluster), *(f"--{key}={value}" for key, value in settings.items())
            ),
            log=self.home.log / "postgres.log",
            answers=self.answers,
            environment={**mark(self.home), "LC_ALL": "C"},
            options=self.identity.options(),
            stop_signal=signal.SIGINT,
            start_patience=60.0,
            stop_patience=60.0,
        )

    def answers(self) -> bool:
        """Whether it lets us in."""
        try:
            self.connect(patience=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def connect(self, database: str = "postgres", patience: int = 60) -> "psycopg.Connection[tuple[object, ...]]":
        """A superuser's connection."""
        return psycopg.connect(self.home.database_url(SUPERUSER, database), autocommit=True, connect_timeout=patience)

    def forget_foreign_pids(self) -> None:
        """Drop recorded numbers that by now are anybody's, or a zombie's: PostgreSQL would wait for that one to end."""
        for record in (self.home.cluster / "postmaster.pid", self.home.sockets / ".s.PGSQL.5432.lock"):
            if record.exists() and _is_of_somebody_else(record, self.home.cluster):
                record.unlink()

    def make_roles(self) -> None:
        """The owner changes the schema; the application may read and write rows, and the log's tables take back what it may not."""
        with self.connect() as connection:
            known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
            for role in (OWNER, APPLICATION):
                if role not in known:
                    connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))

    def make_database(self, name: str = "taki") -> None:
        """A database of the owner, in which the application is given rows and sequences as tables come."""
        with self.connect() as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER))
                )
        with self.connect(name) as connection:
            connection.execute(GRANTS.read_bytes())


def _is_of_somebody_else(record: Path, cluster: Path) -> bool:
    pid = record.read_text().split("\n", 1)[0].strip()
    if not pid.isdecimal() or not psutil.pid_exists(int(pid)):
        return False
    try:
        return Path(psutil.Process(int(pid)).cwd()) != cluster.resolve()
    except (psutil.Error, OSError):
        return True
