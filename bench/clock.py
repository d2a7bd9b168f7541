"""How fast the clock settles what is overdue, and how late it is: `python -m bench.clock [--games 5000] [--workers 2]`.

First an outage of the workers: every game is overdue when they start. Then a steady state: turns that nobody plays run
out evenly. Lateness is read from the events themselves: the moment noticed less the deadline.
"""

from __future__ import annotations

import argparse
import sys

from bench.stores import stores


def main() -> int:
    """Status 1 if a game was not settled exactly once, or does not verify."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000, help="games overdue when the workers start")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rate", type=int, default=100, help="turns a second that run out in the steady state")
    parser.add_argument("--seconds", type=int, default=30, help="how long the steady state is watched")
    asked = parser.parse_args()
    with stores() as running:
        from bench import clock_phases  # noqa: PLC0415 (Django knows its servers only now)

        once = clock_phases.after_an_outage(asked.games, asked.workers, running)
        clock_phases.steady_state(asked.rate, asked.seconds)
        return 0 if clock_phases.verified() and once else 1


if __name__ == "__main__":
    sys.exit(main())
