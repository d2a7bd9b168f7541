"""`make bench` in its short form: it works, and prints every table; what it measured is not judged."""

import subprocess
import sys
from pathlib import Path

from bench.load import report

ROOT = Path(__file__).resolve().parents[2]
TABLES = (
    "A move among the events of other games",
    "Durable moves, 16 connections kept busy",
    "Where the time of a move goes",
    "moves a second offered over",
    "One game, 16 writers racing",
    "Views",
    "Storage and memory",
    "A move late in a game",
    "Folding, one core",
    "The clock",
)


def test_the_short_bench_prints_a_table_for_each_question() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", "--short"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if line.startswith("### ")]
    assert [table in line for table, line in zip(TABLES, told, strict=True)] == [True] * len(TABLES)


def test_a_run_replaces_what_the_last_one_wrote_and_nothing_else(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    document.write_text(
        "# Cost\n\n<!-- make bench writes from here; by hand below -->\n\nold\n\n<!-- to here -->\n\nmine\n"
    )
    report.write("new", document)
    assert document.read_text() == (
        "# Cost\n\n<!-- make bench writes from here; by hand below -->\n\nnew\n\n<!-- to here -->\n\nmine\n"
    )
