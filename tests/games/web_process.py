"""A real web server on the database of this test run, and calls that see what a network shows."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import msgspec

from tests.platform.local_run import ROOT, free_port


class Got(msgspec.Struct, frozen=True):
    """What came of a call: `body` None if the connection ended before the answer was whole."""

    status: int | None
    body: bytes | None
    headers: dict[str, str]


class WebProcess:
    """Granian with one worker and four threads, as `make run` starts it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Got:
        """One call on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=90)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = None if body is None else msgspec.json.encode(body)
        try:
            connection.request(method, path, sent, {"Host": "localhost", "Content-Type": "application/json", **named})
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return _whole(answer.status, answer.read, told)
        except (HTTPException, OSError):
            return Got(None, None, {})
        finally:
            connection.close()


def _whole(status: int, read: object, headers: dict[str, str]) -> Got:
    try:
        body: bytes = read()  # type: ignore[operator]
    except (HTTPException, OSError):
        return Got(status, None, headers)
    return Got(status, body, headers)


@contextmanager
def web_process(folder: Path) -> Iterator[WebProcess]:
    """The server, from its first answer to the end of the block."""
    port = free_port()
    with (folder / "web.log").open("w") as log:
        process = subprocess.Popen(
            [
                Path(sys.executable).parent / "granian",
                "--interface=wsgi",
                "--http=1",
                f"--port={port}",
                "--workers=1",
                "--blocking-threads=4",
                "--no-ws",
                "--workers-kill-timeout=1",
                "taki_project.wsgi:application",
            ],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "taki_project.settings"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    web = WebProcess(port)
    try:
        give_up = time.monotonic() + 60
        while web.call("GET", "/health/live").status is None:
            assert time.monotonic() < give_up, (folder / "web.log").read_text()
            time.sleep(0.1)
        yield web
    finally:
        process.terminate()
        process.wait(90)
