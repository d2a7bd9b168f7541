"""One migrated template for all test runs, copied for each: a copy takes a tenth of a second, a migration many."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

from taki_project.local.postgres import APPLICATION, OWNER, Postgres

Connection = psycopg.Connection[tuple[object, ...]]
ROOT = Path(__file__).resolve().parent.parent
SHAPES = ("*/migrations/**/*.py", "*/migrations/**/*.sql", "*/models.py", "*/models/**/*.py", "requirements.lock")


def template_name() -> str:
    """Named after everything that shapes the schema, so that a changed migration makes a new one."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SHAPES for path in ROOT.glob(pattern)):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return f"template_{digest.hexdigest()[:16]}"


@contextmanager
def own_database(server: Postgres, name: str) -> Iterator[None]:
    """A migrated database of this name until the block ends."""
    template = template_name()
    with server.connect() as superuser:
        # One run migrates, those beside it wait.
        superuser.execute("SELECT pg_advisory_lock(4711)")
        if superuser.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone() is None:
            draft = f"draft_{name}"
            drop(superuser, draft)
            _migrate(server, draft)
            _say(superuser, "ALTER DATABASE {} RENAME TO {}", draft, template)
        drop(superuser, name)
        _say(superuser, "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)
        superuser.execute("SELECT pg_advisory_unlock(4711)")
    with server.connect(name) as superuser:
        superuser.execute(f'GRANT CREATE ON DATABASE "{name}" TO {OWNER}')
    try:
        yield
    finally:
        with server.connect() as superuser:
            drop(superuser, name)


def drop(superuser: Connection, name: str) -> None:
    """Drop a database, whoever is still connected."""
    _say(superuser, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _migrate(server: Postgres, name: str) -> None:
    server.make_database(name)
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"],
        cwd=ROOT,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "taki_project.settings",
            "DATABASE_URL": server.home.database_url(APPLICATION, name),
            "DATABASE_OWNER_URL": server.home.database_url(OWNER, name),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the migrations failed:\n{done.stdout}{done.stderr}")
    with server.connect(name) as superuser:
        # Transactional tests empty tables; the service itself never may.
        superuser.execute(f"GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO {APPLICATION}")


def _say(superuser: Connection, statement: LiteralString, *names: str) -> None:
    superuser.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
