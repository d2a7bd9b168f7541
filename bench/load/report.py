"""What was measured, as a table for people, and its place in docs/performance.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from bench.load.lines import Measured

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
_BEGINS, _ENDS = "<!-- make bench writes from here", "<!-- to here -->"


class Table(Struct):
    """Rows under a heading."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: str = ""

    def text(self) -> str:
        """In Markdown, its columns aligned."""
        lines = [list(self.columns), *(list(row) for row in self.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.columns))]
        told = [_row(line, widths) for line in lines]
        told.insert(1, _row(["-" * width for width in widths], widths))
        return "\n".join([f"### {self.title}", "", *([self.words, ""] if self.words else []), *told])


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"


def spread(rounds: Sequence[Measured]) -> str:
    """The rate of the slowest and the fastest round."""
    rates = sorted(one.rate for one in rounds)
    return f"{rates[0]:,.0f} to {rates[-1]:,.0f}"


def median_rate(rounds: Sequence[Measured]) -> float:
    """Calls a second, the median of the rounds."""
    rates = sorted(one.rate for one in rounds)
    return rates[len(rates) // 2]


def machine() -> str:
    """What it was measured on."""
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    name = models[0].partition(": ")[2] if models else platform.machine()
    return f"{os.cpu_count()} cores ({name}), Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before it began"


def write(text: str, document: Path = DOCUMENT) -> None:
    """Replace what the last run wrote into the document."""
    head, _, rest = document.read_text().partition(_BEGINS)
    mark, _, _ = rest.partition("\n")
    _, _, tail = rest.partition(_ENDS)
    document.write_text(f"{head}{_BEGINS}{mark}\n\n{text}\n\n{_ENDS}{tail}")
