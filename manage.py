#!/usr/bin/env python
"""Django's command line; commands that change the schema connect as the owner role."""

import os
import sys

SCHEMA_COMMANDS = frozenset({"migrate", "make_partitions"})


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")
    if len(sys.argv) > 1 and sys.argv[1] in SCHEMA_COMMANDS:
        os.environ.setdefault("DATABASE_ROLE", "owner")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (after the environment is set)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
