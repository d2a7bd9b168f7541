"""Ctrl-C, SIGTERM and a closed terminal become one exception, once; while things are being ended nothing interrupts."""

import signal
from types import FrameType
from typing import NoReturn

from taki_project.local.complaints import StopAsked

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def listen() -> None:
    """From now on the first of these signals raises `StopAsked`; `nohup` stays in force."""
    for which in ASKING:
        if which != signal.SIGHUP or signal.getsignal(which) != signal.SIG_IGN:
            signal.signal(which, _raise)


def ignore() -> None:
    """From now on they do nothing."""
    for which in ASKING:
        signal.signal(which, signal.SIG_IGN)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    ignore()
    raise StopAsked(signal.Signals(number).name)
