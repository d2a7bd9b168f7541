#!/usr/bin/env python
"""Django's command line, on the servers of `make run` unless the environment names others."""

import os
import sys
from pathlib import Path

# These connect as the owner role; everything else as the application's.
SCHEMA_COMMANDS = frozenset({"migrate", "make_partitions"})
VAR_DIR = Path(os.environ.get("VAR_DIR") or Path(__file__).resolve().parent / "var")


def use_local_servers() -> None:
    """Take what `make run` wrote down; a variable that is set already wins."""
    addresses = VAR_DIR / "servers.env"
    if "DATABASE_URL" not in os.environ and addresses.exists():
        for line in addresses.read_text().splitlines():
            name, _, value = line.partition("=")
            os.environ.setdefault(name, value)


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")
    use_local_servers()
    if len(sys.argv) > 1 and sys.argv[1] in SCHEMA_COMMANDS:
        os.environ.setdefault("DATABASE_ROLE", "owner")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (after the environment is set)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
