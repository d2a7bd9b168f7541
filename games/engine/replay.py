"""Verifies the record of a game offline: `python -m games.engine.replay FILE`; status 1 if anything is wrong.

With `--checkpoint FILE` it is also compared with signed checkpoints that were kept (docs/checkpoints.md).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from games.engine.record import Check, Record, RecordFault, checks, read_record

VERIFIED: Final = 0
WRONG: Final = 1
_WORDS: Final = {True: "ok", False: "WRONG", None: "-"}


def main(arguments: Sequence[str]) -> int:
    """Read the record named and print each proof."""
    asked = _parser().parse_args(arguments)
    path: Path = asked.file
    try:
        record = read_record(path.read_bytes().splitlines())
        print(f"game {record.header.game}, {len(record.rows)} events")
        made = list(checks(record))
        if asked.checkpoint is not None:
            path = asked.checkpoint
            made.append(_against_checkpoints(record, path.read_bytes().splitlines(), asked.checkpoint_key))
    except (OSError, RecordFault) as fault:
        print(f"cannot read {path}: {fault}", file=sys.stderr)
        return WRONG
    for check in made:
        print(_line(check))
    return WRONG if any(check.ok is False for check in made) else VERIFIED


def _against_checkpoints(record: Record, lines: Sequence[bytes], trusted: Collection[str]) -> Check:
    from games.engine.witness import checkpoint_check, read_witness  # noqa: PLC0415 (a record alone needs no cryptography)

    return checkpoint_check(record, read_witness(lines), trusted)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games.engine.replay", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="the record, as GET /games/{id}/record gave it")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="answers of GET /checkpoints/{number}, one a line, in any order"
    )
    parser.add_argument(
        "--checkpoint-key", action="append", default=[], metavar="HEX",
        help="the public key to believe; may be repeated; without it that of the first checkpoint in the file",
    )  # fmt: skip
    return parser


def _line(check: Check) -> str:
    return f"{check.name:<12}{_WORDS[check.ok]:<7}{check.detail}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
