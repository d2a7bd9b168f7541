"""A progress bar that is also legible where there is no terminal: there, a line at every tenth."""

from __future__ import annotations

from time import monotonic
from typing import Final

from django.core.management.base import OutputWrapper

_WIDTH: Final = 30
_REDRAW_SECONDS: Final = 0.1


class Progress:
    """Counts up to a total and shows how far it has come."""

    def __init__(self, output: OutputWrapper, total: int, noun: str) -> None:
        self._output = output
        self._total = max(total, 1)
        self._noun = noun
        self._done = 0
        self._tenth = 0
        self._drawn = 0.0

    def advance(self, amount: int) -> None:
        """Count, and show it if there is something new to see."""
        self._done = min(self._done + amount, self._total)
        finished = self._done == self._total
        if self._output.isatty():
            if finished or monotonic() - self._drawn >= _REDRAW_SECONDS:
                self._drawn = monotonic()
                self._show(f"\r{self._line()}")
        elif (tenth := self._done * 10 // self._total) > self._tenth:
            self._tenth = tenth
            self._show(f"{self._line()}\n")

    def interrupt(self) -> None:
        """Clear the bar's line, so that something else can be written."""
        if self._output.isatty():
            self._show("\r\033[K")

    def _line(self) -> str:
        filled = self._done * _WIDTH // self._total
        percent = self._done * 100 // self._total
        bar = "#" * filled + "." * (_WIDTH - filled)
        return f"[{bar}] {percent:3} %  {self._done:,} of {self._total:,} {self._noun}"

    def _show(self, text: str) -> None:
        self._output.write(text, ending="")
        self._output.flush()
