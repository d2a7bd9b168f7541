"""`make run`: everything the service needs, in order, under one supervisor, until Ctrl-C."""

import os
import subprocess
import sys
import time
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from taki_project import environment
from taki_project.local import orphans, processes, servers, signals, web
from taki_project.local.complaints import CannotStart, StopAsked
from taki_project.local.home import Home, home_at
from taki_project.local.postgres import APPLICATION, OWNER
from taki_project.local.supervisor import Supervisor, last_line, open_log

ROOT = Path(__file__).resolve().parents[2]


def say(line: str) -> None:
    """A line for the person at the terminal."""
    print(line, flush=True)


def embedded(supervisor: Supervisor, home: Home) -> dict[str, str]:
    """Start the servers that no URL names; their addresses, also written down for `manage.py`."""
    variables = {"VAR_DIR": str(home.root)}
    if not environment.text("DATABASE_URL"):
        postgres = servers.start_postgres(supervisor, home, {})
        postgres.make_database()
        variables["DATABASE_URL"] = home.database_url(APPLICATION)
        variables["DATABASE_OWNER_URL"] = home.database_url(OWNER)
    if not environment.text("REDIS_URL"):
        servers.start_valkey(supervisor, home)
        variables["REDIS_URL"] = home.redis_url
    home.addresses.write_text("".join(f"{name}={value}\n" for name, value in variables.items()))
    return variables | orphans.mark(home)


def prepare(home: Home, variables: dict[str, str]) -> None:
    """Migrations and what else must stand before anything serves; tells of a key that was made."""
    path = home.log / "prepare.log"
    kept = home.root / "checkpoint_keys"
    first = not kept.exists()
    with open_log(path) as log:
        done = subprocess.run(
            [sys.executable, "-m", "taki_project.local.prepare"],
            cwd=ROOT, env={**os.environ, **variables}, check=False, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    if done.returncode != 0:
        raise CannotStart(f"the database could not be prepared: {last_line(path)}")
    if first and kept.exists():
        _, _, told = path.read_text().rpartition(" eventlog.keyring - ")
        say(told.partition("\n")[0])


def serve(home: Home) -> None:
    """Start everything, say so, and watch over it; on the way out end everything."""
    began = time.monotonic()
    where = web.address()
    with home.held(where.url):
        supervisor = Supervisor()
        servers.clear(home, say)
        where.check_free()
        try:
            variables = embedded(supervisor, home)
            prepare(home, variables)
            for entry in processes.entries(home, where, variables):
                supervisor.start(entry)
            say(ready(where, time.monotonic() - began))
            supervisor.watch(say)
        finally:
            signals.ignore()
            home.addresses.unlink(missing_ok=True)
            supervisor.stop()
            orphans.end(home)


def ready(where: web.Address, seconds: float) -> str:
    """The one line that a newcomer needs."""
    return (
        f"Ready after {seconds:.1f} s: API {where.url}/api/v1/ · docs {where.url}/api/docs · health {where.url}/health/ready"
        f" · a first token: curl -sX POST {where.url}/api/v1/players/guest"
        " -H \"Idempotency-Key: $(head -c18 /dev/urandom | base64)\" -H 'Content-Type: application/json' -d '{}'"
    )


def main() -> int:
    """The exit status; never a traceback for what a person can mend."""
    signals.listen()
    os.chdir(ROOT)
    try:
        serve(home_at(Path(environment.text("VAR_DIR", str(ROOT / "var"))).resolve()))
    except StopAsked:
        say("Stopped; everything is kept.")
    except (CannotStart, ImproperlyConfigured) as complaint:
        return complain(str(complaint))
    except OSError as error:
        return complain(f"cannot write to {error.filename or 'the disk'}: {error.strerror}")
    return 0


def complain(reason: str) -> int:
    """One line and exit status 1."""
    print(f"make run: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
