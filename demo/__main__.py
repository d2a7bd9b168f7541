"""`make demo`: four players sign up, play one game and one tournament, and everything that happened is verified.

    python -m demo [--stages 8] [--turn-seconds 3] [--at-most 170]

BASE_URL names the service; without it the one that `make run` started here is used, or one is started and ended.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from demo.client import Json, Refused, Stopped
from demo.match import Match, Player, Silence
from demo.report import report
from demo.server import home, service
from demo.show import fitting

NAMES: Final = ("Noa", "Ben", "Mia", "Gil")


def main(arguments: Sequence[str]) -> int:
    """0 if both games ended, the clock acted, and no proof failed."""
    asked = _asked(arguments)
    signal.signal(signal.SIGTERM, _stop)
    try:
        with service(os.environ.get("BASE_URL")) as address:
            return 0 if demonstrate(address, asked) else 1
    except (Stopped, Refused, OSError) as reason:
        print(f"demo: {reason}", file=sys.stderr)
    except KeyboardInterrupt:
        print("demo: stopped", file=sys.stderr)
    return 1


def demonstrate(address: str, asked: argparse.Namespace) -> bool:
    """Play both and report; whether all went as it should."""
    began = time.monotonic()
    until = began + asked.at_most
    players = [Player(address, name) for name in NAMES]
    print(f"{', '.join(NAMES)} signed up; {NAMES[-1]} will fall silent once in each game", flush=True)
    show = fitting()
    whole = True
    for title, path, options in (
        ("A game", "/games", {}),
        ("A tournament", "/tournaments", {"tournament_stages": asked.stages}),
    ):
        match = Match(players, show, title, until)
        view = match.play(path, _table(title, {"turn_timeout_seconds": asked.turn_seconds, **options}))
        whole &= report(match, view, _folder()) and match.silence is not Silence.MISSED
    print(f"{'All of it holds' if whole else 'NOT all of it holds'}; {time.monotonic() - began:.0f} s", flush=True)
    return whole


def _table(title: str, options: Json) -> Json:
    return {"name": f"{title} of the demonstration", "ruleset": {"options": options}}


def _folder() -> Path:
    """Where records and chart are kept."""
    folder = home() / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="demo", description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--stages", type=int, default=8, choices=range(1, 9), help="stages of the tournament")
    parser.add_argument("--turn-seconds", type=int, default=3, help="when the clock acts for a silent player")
    parser.add_argument("--at-most", type=float, default=170.0, help="seconds after which the demonstration gives up")
    return parser.parse_args(arguments)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
