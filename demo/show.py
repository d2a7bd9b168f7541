"""Progress: redrawn in place on a terminal, in a few plain lines elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

from demo.client import Json
from demo.words import standing

LINES_KEPT: Final = 6
LINES_OF_A_BLOCK: Final = 4 + 4 + LINES_KEPT
FRAMES_A_SECOND: Final = 15
SECONDS_BETWEEN_LINES: Final = 0.7
SECONDS_BETWEEN_STANDINGS: Final = 7
NAME, BAR = 8, 16
_UP, _CLEAR = "\x1b[{}F", "\x1b[J"
_TOLD_PLAINLY: Final = ("clears stage", "is through", "the clock:", " is out")


def fitting() -> Show:
    """Redrawn in place where there is a terminal with room for it, else plain."""
    roomy = shutil.get_terminal_size().lines > LINES_OF_A_BLOCK
    return Screen() if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and roomy else Plain()


class Progress:
    """How far a game is: its title, the last view, the moves made and how fast."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.view: Json = {}
        self.moves = 0
        self.seconds = 0.0
        self.note = ""

    def headline(self) -> str:
        """One line."""
        rate = f", {self.moves / self.seconds:.0f} a second" if self.seconds else ""
        return f"{self.title}: {self.moves} moves{rate}"


class Show(Protocol):
    """Somebody who watches."""

    def update(self, progress: Progress, lines: Sequence[str]) -> None:
        """Something happened, told in these lines."""

    def end(self, progress: Progress) -> None:
        """The game is over."""


def bar(seat: Json, first: int | None) -> str:
    """A player's way: stages cleared in a tournament, else cards left."""
    if first is None:
        cards: int = seat["hand_count"]
        return "▪" * min(cards, BAR)
    stage: int = seat["stage"]
    done = round(BAR * (first - stage) / first)
    return "█" * done + "░" * (BAR - done)


def rows(view: Json) -> list[str]:
    """A line for each player."""
    options = view["ruleset"]["options"]
    first = options["tournament_stages"] if view["mode"] == "tournament" else None
    return [
        f"{'▶' if seat['seat'] == view['turn'] and view['status'] == 'running' else ' '} "
        f"{seat['player']['name']:<{NAME}} {bar(seat, first):<{BAR}}  {standing(seat)}"
        for seat in view["seats"]
    ]


class Screen:
    """A block of lines on a terminal, drawn over again."""

    def __init__(self) -> None:
        self.last: deque[str] = deque(maxlen=LINES_KEPT)
        self.height = 0
        self.drawn = 0.0

    def update(self, progress: Progress, lines: Sequence[str]) -> None:
        """Remember, and draw if the last frame is old enough."""
        self.last.extend(lines)
        if time.monotonic() - self.drawn > 1 / FRAMES_A_SECOND:
            self._draw(progress)

    def end(self, progress: Progress) -> None:
        """The last frame stays."""
        self._draw(progress)
        self.last.clear()
        self.height = 0

    def _draw(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        block = ["", progress.headline(), *rows(progress.view), "", *self.last]
        block += [""] * (LINES_KEPT - len(self.last)) + [progress.note]
        up = _UP.format(self.height) if self.height else ""
        sys.stdout.write(up + _CLEAR + "".join(f"{line[:width]}\n" for line in block))
        sys.stdout.flush()
        self.height, self.drawn = len(block), time.monotonic()


class Plain:
    """The lines that matter, of the others one now and then, and at times how everybody stands."""

    def __init__(self) -> None:
        self.told = self.stood = time.monotonic()
        self.noted = False

    def update(self, progress: Progress, lines: Sequence[str]) -> None:
        """Tell stages, the clock, who is out, and what was done last."""
        for line in lines:
            if any(word in line for word in _TOLD_PLAINLY) or self._is_time(self.told, SECONDS_BETWEEN_LINES):
                self._say(f"  {progress.moves:>4}  {line}")
        if progress.note and not self.noted:
            self._say(f"        {progress.note}")
        self.noted = bool(progress.note)
        if self._is_time(self.stood, SECONDS_BETWEEN_STANDINGS):
            self.end(progress)

    def end(self, progress: Progress) -> None:
        """How everybody stands."""
        self._say("\n".join((progress.headline(), *rows(progress.view))))
        self.stood = self.told

    def _is_time(self, last: float, seconds: float) -> bool:
        return time.monotonic() - last > seconds

    def _say(self, line: str) -> None:
        print(line, flush=True)
        self.told = time.monotonic()
