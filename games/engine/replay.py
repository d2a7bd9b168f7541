"""Verifies the record of a game offline: `python -m games.engine.replay FILE`; status 1 if anything is wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.engine.record import Check, RecordFault, checks, read_record

VERIFIED: Final = 0
WRONG: Final = 1
_WORDS: Final = {True: "ok", False: "WRONG", None: "-"}


def main(arguments: Sequence[str]) -> int:
    """Read the record named and print each proof."""
    if len(arguments) != 1:
        print("usage: python -m games.engine.replay FILE", file=sys.stderr)
        return WRONG
    try:
        record = read_record(Path(arguments[0]).read_bytes().splitlines())
    except (OSError, RecordFault) as fault:
        print(f"cannot read {arguments[0]}: {fault}", file=sys.stderr)
        return WRONG
    print(f"game {record.header.game}, {len(record.rows)} events")
    made = list(checks(record))
    for check in made:
        print(_line(check))
    return WRONG if any(check.ok is False for check in made) else VERIFIED


def _line(check: Check) -> str:
    return f"{check.name:<12}{_WORDS[check.ok]:<7}{check.detail}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
