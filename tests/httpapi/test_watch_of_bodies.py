"""The watch over slow bodies costs no descriptors and outlives its own failures."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from httpapi import patience, unanswered
from httpapi.unanswered import SILENCE, Unanswered, connections


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    unanswered._LATELY.clear()


def opened() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_looks_leave_no_descriptor_open() -> None:
    reading, writing = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        accepted, _ = server.accept()
        before = opened()
        for now in range(5):
            look = Unanswered()
            look.look(now)
            look.shut({"192.0.2.1": [0, 0, 0]}, now)
            look.shut_silent(Counter({"192.0.2.1": 3}), 0, now)
            assert accepted.fileno() in {each.number for each in connections()}
        assert opened() == before
        accepted.close()
    os.close(reading)
    os.close(writing)


def test_a_look_takes_connections_to_others_for_none_of_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as ours:
        accepted, _ = server.accept()
        numbers = {each.number for each in connections()}
        accepted.close()
    assert ours.fileno() not in numbers


class Two:
    """A server with two clients of one address."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.slow, self.slow_end = self.connected()
        self.quick, self.quick_end = self.connected()

    def connected(self) -> tuple[socket.socket, socket.socket]:
        client = socket.create_connection(self.server.getsockname())
        return client, self.server.accept()[0]


@pytest.fixture
def two() -> Iterator[Two]:
    made = Two()
    yield made
    for each in (made.slow, made.slow_end, made.quick, made.quick_end, made.server):
        each.close()


def is_shut(end: socket.socket) -> bool:
    """Whether no more than what has come can be received at this end."""
    end.setblocking(False)
    try:
        while end.recv(100):
            pass
    except BlockingIOError:
        return False
    return True


def come(end: socket.socket, length: int) -> None:
    """Wait until so much has come."""
    while len(end.recv(1000, socket.MSG_PEEK)) < length:
        pass


def test_the_connection_whose_request_comes_slowly_is_shut_and_not_an_older_whole_one(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unanswered, "SILENCE", 60.0)
    look = Unanswered()
    two.quick.sendall(b"whole")
    two.slow.sendall(b"half")
    come(two.quick_end, 5)
    come(two.slow_end, 4)
    look.look(time.monotonic())
    time.sleep(0.2)
    two.slow.sendall(b"more")
    come(two.slow_end, 8)
    now = time.monotonic()
    look.look(now)
    look.shut({"127.0.0.1": [now, now]}, now)
    assert is_shut(two.slow_end)
    assert not is_shut(two.quick_end)


def test_of_silent_requests_the_oldest_is_shut(two: Two) -> None:
    look = Unanswered()
    two.slow.sendall(b"half")
    come(two.slow_end, 4)
    time.sleep(0.05)
    two.quick.sendall(b"half")
    come(two.quick_end, 4)
    look.look(time.monotonic())
    later = time.monotonic() + SILENCE
    look.shut({"127.0.0.1": [later]}, later)
    assert is_shut(two.slow_end)
    assert not is_shut(two.quick_end)


def test_a_request_that_began_behind_all_reads_waits_in_line_and_is_not_shut(two: Two) -> None:
    look = Unanswered()
    began = time.monotonic()
    time.sleep(0.2)
    two.quick.sendall(b"whole")
    come(two.quick_end, 5)
    later = time.monotonic() + SILENCE
    look.look(later - SILENCE)
    look.shut({"127.0.0.1": [began]}, later)
    assert not is_shut(two.quick_end)


def test_a_read_has_a_moment_to_notice_before_another_connection_is_shut(two: Two) -> None:
    look = Unanswered()
    for client, end in ((two.slow, two.slow_end), (two.quick, two.quick_end)):
        client.sendall(b"half")
        come(end, 4)
    look.look(time.monotonic())
    later = time.monotonic() + SILENCE
    look.shut({"127.0.0.1": [later]}, later)
    look.shut({"127.0.0.1": [later]}, later + 0.1)
    assert [is_shut(end) for end in (two.slow_end, two.quick_end)].count(True) == 1
    look.shut({"127.0.0.1": [later]}, later + 1)
    assert is_shut(two.slow_end)
    assert is_shut(two.quick_end)


def answered(client: socket.socket, end: socket.socket) -> float:
    """When a question of this client was answered."""
    client.sendall(b"question")
    come(end, 8)
    time.sleep(0.05)
    end.sendall(b"answer")
    return time.monotonic()


def test_what_was_answered_behind_the_beginning_of_all_reads_is_not_shut(two: Two) -> None:
    look = Unanswered()
    moment = answered(two.slow, two.slow_end)
    look.look(time.monotonic())
    look.shut({"127.0.0.1": [moment - 0.5] * 5}, moment + 2 * SILENCE)
    assert not is_shut(two.slow_end)


def test_what_was_sent_something_as_a_read_began_is_shut_and_not_an_older_call_in_line(two: Two) -> None:
    look = Unanswered()
    two.quick.sendall(b"whole")
    come(two.quick_end, 5)
    time.sleep(0.2)
    moment = answered(two.slow, two.slow_end)
    look.look(time.monotonic())
    look.shut({"127.0.0.1": [moment]}, moment + 2 * SILENCE)
    assert is_shut(two.slow_end)
    assert not is_shut(two.quick_end)


def test_no_call_in_line_is_shut_while_a_client_that_was_just_sent_something_may_go_on(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unanswered, "_GOES_ON", 60.0)
    look = Unanswered()
    two.quick.sendall(b"whole")
    come(two.quick_end, 5)
    time.sleep(SILENCE)
    moment = answered(two.slow, two.slow_end)
    look.look(moment)
    look.shut({"127.0.0.1": [moment]}, moment + 0.1)
    assert not is_shut(two.slow_end)
    assert not is_shut(two.quick_end)


def test_what_was_answered_before_a_read_began_is_shut_before_a_later_call_in_line(two: Two) -> None:
    """Its next call came together with the first, and waited in line."""
    look = Unanswered()
    moment = answered(two.slow, two.slow_end)
    time.sleep(0.1)
    two.quick.sendall(b"whole")
    come(two.quick_end, 5)
    look.look(time.monotonic())
    look.shut({"127.0.0.1": [moment + SILENCE]}, moment + 2 * SILENCE)
    assert is_shut(two.slow_end)
    assert not is_shut(two.quick_end)


def test_what_was_answered_long_before_is_shut_behind_all_calls(two: Two) -> None:
    look = Unanswered()
    moment = answered(two.slow, two.slow_end)
    time.sleep(0.1)
    two.quick.sendall(b"half")
    come(two.quick_end, 4)
    look.look(time.monotonic())
    later = moment + 20 * SILENCE
    look.shut({"127.0.0.1": [later]}, later)
    assert is_shut(two.quick_end)
    assert not is_shut(two.slow_end)
    look.shut({"127.0.0.1": [later]}, later + 1)
    assert is_shut(two.slow_end)


def test_a_little_more_behind_what_was_sent_as_a_read_began_holds_it_no_longer(two: Two) -> None:
    look = Unanswered()
    moment = answered(two.slow, two.slow_end)
    look.look(time.monotonic())
    time.sleep(0.2)
    two.slow.sendall(b"more")
    come(two.slow_end, 12)
    look.look(time.monotonic())
    look.shut({"127.0.0.1": [moment]}, time.monotonic() + 2 * SILENCE)
    assert is_shut(two.slow_end)


def test_the_newest_reads_of_whoever_has_the_most_are_one_too_many() -> None:
    reads = [patience.Read(peer, began, 9) for began, peer in enumerate(["a", "a", "b", "a", "b", "a"])]
    patience.choose_surplus(reads, 3)
    assert [read.began for read in reads if not read.surplus] == [0, 1, 2]


def test_whoever_has_few_keeps_a_place_that_many_others_came_for_before() -> None:
    reads = [patience.Read(peer, began, 9) for began, peer in enumerate(["a", "a", "a", "a", "b"])]
    patience.choose_surplus(reads, 2)
    assert [read.peer for read in reads if not read.surplus] == ["a", "b"]


class Enough(BaseException):
    """Ends the watch, which no error does."""


def test_the_watch_goes_on_after_a_look_that_failed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ours = threading.current_thread()
    ends = iter([OSError(24, "Too many open files"), RuntimeError("whatever"), Enough()])

    def look(*_: object) -> None:
        if threading.current_thread() is ours:  # the watch of another test may be at work
            raise next(ends)

    monkeypatch.setattr(patience, "_look", look)
    with pytest.raises(Enough):
        patience._watch(patience.Limits(1, 1))
    assert caplog.text.count("a look at slow bodies failed") == 2
