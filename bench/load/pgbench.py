"""(d) pgbench: the same transaction without any application."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.load.lines import Measured
from bench.stores import Stores
from taki_project.local.identity import identity
from taki_project.local.postgres import OWNER

_TRANSACTION: Final = """\\set number random(0, {last})
WITH moved AS (UPDATE floor_game SET version = version + 1 WHERE id = lpad(to_hex(:number::int), 32, '0')::uuid
RETURNING id, version) INSERT INTO floor_event (game_id, version, player, kind, at, payload)
SELECT id, version, 1, 'cards_played', clock_timestamp(), '{{"cards": ["red-5", "red-taki", "red-7"]}}' FROM moved;
"""
_TIME: Final = 2  # the column of a transaction's microseconds in pgbench's log


def measure(running: Stores, seconds: int, games: int, clients: int = 16) -> Measured:
    """Let so many clients move games as fast as they can."""
    program = identity(running.home.database).server / "bin" / "pgbench"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "move.sql"
        script.write_text(_TRANSACTION.format(last=games - 1))
        began = time.perf_counter()
        subprocess.run(
            [
                program, "--no-vacuum", "--protocol=prepared", f"--client={clients}", "--jobs=2", f"--time={seconds}",
                f"--file={script}", "--log", f"--log-prefix={folder}/log", running.home.database_url(OWNER, "floors"),
            ],
            check=True, capture_output=True,
        )  # fmt: skip
        found = Measured(seconds=min(time.perf_counter() - began, float(seconds)))
        for log in Path(folder).glob("log.*"):
            for line in log.read_text().splitlines():
                found.times.append(int(line.split()[_TIME]) / 1e6)
    found.statuses[201] = len(found.times)
    return found
