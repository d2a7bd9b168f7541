"""`make bench`: floors and service on stores of their own, in one run.

    python -m bench.load [--short] [--only moves,offered,…] [--write]

Prints a table a section; `--write` puts them into docs/performance.md. Nothing is judged: the aims stand there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from bench.load.report import machine, write
from bench.stores import BASE, stores


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="some twenty seconds, to see that it works")
    parser.add_argument("--only", default="", help="names of sections, with commas between")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    asked = parser.parse_args()
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        os.environ.pop(name, None)
    began, told = time.monotonic(), [f"{time.strftime('%Y-%m-%d')}, {machine()}."]
    with stores() as running:
        from bench.load.run import SECTIONS, measure  # noqa: PLC0415 (Django knows its servers only now)

        wanted = asked.only.split(",") if asked.only else list(SECTIONS)
        if unknown := set(wanted) - set(SECTIONS):
            parser.error(f"no such section: {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
        for table in measure(running, wanted, short=asked.short):
            told.append(table.text())
            print(f"\n{told[-1]}\n", flush=True)
    text = "\n\n".join(told)
    BASE.mkdir(parents=True, exist_ok=True)
    Path(BASE / "performance.md").write_text(text + "\n")
    if asked.write:
        write(text)
    print(f"{time.monotonic() - began:.0f} s; the tables stand in {BASE / 'performance.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
