"""A client that trickles its body, or sends none of it, holds no thread of the server for long."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory, override_settings

from httpapi.bodies import body_of
from httpapi.patience import BRIEF, LONGEST_PIECE
from httpapi.problems import TooSlowBody
from tests.platform.local_run import ROOT, free_port

THREADS = 2
SECONDS = 1
REFUSED = {b"HTTP/1.1 408", b"HTTP/1.1 503"}
FOR_LONG = 120
"""What a body may take where only the watch, and no other limit, can let go of a thread in time."""
QUESTION = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
EXPECT = b"Expect: 100-continue\r\n"


class Counted(io.BytesIO):
    """A body that is there but for its second byte; it counts how often it is read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads == 2:
            time.sleep(4 * BRIEF)
        return super().read(size)


class Trickle(io.RawIOBase):
    """A body of which a byte comes now and then."""

    def __init__(self, gap: float) -> None:
        super().__init__()
        self.gap, self.taken = gap, 0

    def read(self, size: int = -1) -> bytes:
        time.sleep(self.gap * size)
        self.taken += size
        return b"x" * size


def slow(source: io.IOBase) -> WSGIRequest:
    environ = RequestFactory().post("/", content_type="application/json").environ
    return WSGIRequest(environ | {"CONTENT_LENGTH": "60000", "wsgi.input": source})


@override_settings(BODY_READ_SECONDS=SECONDS)
def test_a_body_that_trickles_is_refused_soon_after_its_time() -> None:
    source = Trickle(0.01)
    with pytest.raises(TooSlowBody) as refusal:
        body_of(slow(source))
    assert source.taken < 500
    assert refusal.value.params == {"seconds": SECONDS}
    assert refusal.value.headers["Connection"] == "close"


@override_settings(BODY_READ_SECONDS=60)
def test_a_body_is_read_in_large_pieces_behind_a_byte_that_came_late() -> None:
    source = Counted(b"x" * 60_000)
    assert len(body_of(slow(source))) == 60_000
    assert source.reads < 2 * 60_000 / LONGEST_PIECE


@override_settings(BODY_READ_SECONDS=0)
def test_the_limit_can_be_left_to_a_proxy() -> None:
    assert len(body_of(slow(Trickle(0)))) == 60_000


@pytest.fixture
def server(tmp_path: Path, transactional_db: None, request: pytest.FixtureRequest) -> Iterator[int]:
    """A real server with two threads; its port. The parameter is what a body may take."""
    port = free_port()
    seconds = str(getattr(request, "param", SECONDS))
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "taki_project.settings", "BODY_READ_SECONDS": seconds}
    environment["SLOW_BODIES"] = str(THREADS // 2)
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [
                Path(sys.executable).parent / "granian",
                "--interface=wsgi",
                f"--port={port}",
                "--workers=1",
                f"--blocking-threads={THREADS}",
                "--workers-kill-timeout=1",
                "taki_project.wsgi:application",
            ],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        for _ in range(900):
            if asked(port) == 200:
                break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait(90)


def asked(port: int, body: bytes | None = None) -> int | None:
    """The status of a quick question, or of a call with a body; None if there was no answer.

    From another address than the slow ones: of one's own address one that waits in line may be taken for one of them.
    """
    connection = HTTPConnection("127.0.0.1", port, timeout=90, source_address=("127.0.0.2", 0))
    try:
        headers = {"Host": "localhost"}
        if body is None:
            connection.request("GET", "/health/live", headers=headers)
        else:
            # Head and body leave together: between two pieces this process may be held up, which is slow.
            sent = bytearray()
            connection.connect()
            connection.send = sent.extend  # type: ignore[method-assign,assignment]
            connection.request("POST", "/api/v1/tokens", body, headers | {"Content-Type": "application/json"})
            connection.sock.sendall(sent)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


@contextmanager
def begun(
    port: int, number: int, first: bytes = b"", *, before: bytes = b"", header: bytes = b""
) -> Iterator[list[socket.socket]]:
    """Clients that have promised 60,000 bytes each, and sent the first of them; maybe behind another call."""
    with ExitStack() as stack:
        clients = []
        for _ in range(number):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=90))
            client.sendall(
                before + b"POST /api/v1/players/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 60000\r\n" + header + b"\r\n" + first
            )
            clients.append(client)
        yield clients


def trickle(clients: list[socket.socket], stop: threading.Event, gap: float = 0.02) -> None:
    while not stop.wait(gap):
        for client in clients:
            with suppress(OSError):
                client.sendall(b" ")


def test_more_clients_that_trickle_than_threads_stop_the_service_for_a_moment_only(server: int) -> None:
    stop = threading.Event()
    with begun(server, 3 * THREADS) as clients:
        trickling = threading.Thread(target=trickle, args=[clients, stop], daemon=True)
        trickling.start()
        try:
            assert asked(server) == 200
            assert {client.recv(4096)[:12] for client in clients} <= REFUSED
            assert [asked(server) for _ in range(5)] == [200] * 5
        finally:
            stop.set()
            trickling.join()


def test_more_clients_that_send_nothing_than_threads_stop_the_service_for_a_moment_only(server: int) -> None:
    with begun(server, 3 * THREADS) as clients:
        assert asked(server) == 200
        for client in clients:
            assert client.recv(4096)[:12] in REFUSED | {b""}
        assert [asked(server) for _ in range(5)] == [200] * 5


@pytest.mark.parametrize("server", [FOR_LONG], indirect=True)
@pytest.mark.parametrize("before, header", [(QUESTION, b""), (b"", EXPECT)], ids=["pipelined", "expect"])
def test_clients_that_were_sent_something_before_their_bodies_hold_up_nobody_elses_calls(
    server: int, before: bytes, header: bytes
) -> None:
    with begun(server, 3 * THREADS, before=before, header=header), ThreadPoolExecutor(4) as pool:
        assert list(pool.map(asked, [server] * 4)) == [200] * 4
        assert [asked(server) for _ in range(5)] == [200] * 5


def test_clients_that_begin_quickly_and_trickle_then_hold_no_thread_for_the_rest_of_a_piece(server: int) -> None:
    """What comes at once makes the pieces long; the rest of one would take a minute."""
    stop = threading.Event()
    with begun(server, 3 * THREADS, b" " * 127) as clients:
        trickling = threading.Thread(target=trickle, args=[clients, stop, 0.9], daemon=True)
        trickling.start()
        try:
            assert {client.recv(4096)[:12] for client in clients} <= REFUSED
            assert asked(server) == 200
        finally:
            stop.set()
            trickling.join()


def test_a_body_that_is_there_is_read_while_slow_ones_are_refused(server: int) -> None:
    stop = threading.Event()
    with begun(server, 3 * THREADS, b" ") as clients:
        trickling = threading.Thread(target=trickle, args=[clients, stop, 0.1], daemon=True)
        trickling.start()
        try:
            assert [asked(server, b"{}") for _ in range(20)] == [400] * 20
        finally:
            stop.set()
            trickling.join()


def test_who_is_one_too_many_is_told_to_come_again(server: int) -> None:
    stop = threading.Event()
    with begun(server, 2 * THREADS, b" ") as clients:
        trickling = threading.Thread(target=trickle, args=[clients, stop, 0.1], daemon=True)
        trickling.start()
        try:
            answers = [client.recv(4096).partition(b"\r\n\r\n")[0].lower() for client in clients]
        finally:
            stop.set()
            trickling.join()
    refused = [answer for answer in answers if answer.startswith(b"http/1.1 503")]
    assert refused
    assert all(b"retry-after: 1" in answer for answer in refused)
