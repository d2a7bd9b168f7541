"""The watch over slow bodies costs no descriptors and outlives its own failures."""

from __future__ import annotations

import os
import socket
from collections import Counter
from pathlib import Path

import pytest

from httpapi import patience


def opened() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_looks_leave_no_descriptor_open() -> None:
    reading, writing = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        before = opened()
        for _ in range(5):
            found = list(patience._connections())
            patience._shut_silent(Counter({"192.0.2.1": 3}), 0)
        assert found
        assert opened() == before
    os.close(reading)
    os.close(writing)


class Enough(BaseException):
    """Ends the watch, which no error does."""


def test_the_watch_goes_on_after_a_look_that_failed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ends = iter([OSError(24, "Too many open files"), RuntimeError("whatever"), Enough()])

    def look(*_: object) -> None:
        raise next(ends)

    monkeypatch.setattr(patience, "_look", look)
    with pytest.raises(Enough):
        patience._watch(0.01)
    assert caplog.text.count("a look at slow bodies failed") == 2
