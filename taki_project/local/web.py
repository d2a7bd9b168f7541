"""The web server of a local run: where it listens, how it is started, how one asks whether it serves."""

import errno
import os
import socket
import sys
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from msgspec import Struct

from taki_project import environment
from taki_project.local.complaints import CannotStart
from taki_project.local.home import Home
from taki_project.local.supervisor import Entry


class Address(Struct, frozen=True):
    """A host and a port of this machine."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """For people on this machine."""
        host = "127.0.0.1" if self.host == "0.0.0.0" else self.host  # noqa: S104 (compared, not bound)
        return f"http://{host}:{self.port}"

    def check_free(self) -> None:
        """`CannotStart` if somebody else listens there."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    reason = f"is taken; another one: make run PORT={self.port + 1}"
                else:
                    reason = f"cannot be used: {os.strerror(error.errno or 0)}"
                raise CannotStart(f"port {self.port} of {self.host} {reason}") from error

    def serves(self) -> bool:
        """Whether the service behind it is ready."""
        connection = HTTPConnection(self.host, self.port, timeout=2)
        try:
            connection.request("GET", "/health/ready", headers={"Host": "localhost"})
            return connection.getresponse().status == 200  # noqa: PLR2004 (the status itself)
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


def address() -> Address:
    """Where to listen, from HOST and PORT."""
    port = environment.whole_number("PORT", 8000)
    if not 0 < port < 2**16:
        raise CannotStart(f"PORT must lie between 1 and 65535, not at {port}")
    return Address(environment.text("HOST", "127.0.0.1"), port)


def entry(home: Home, where: Address, variables: dict[str, str]) -> Entry:
    """Granian with the WSGI application and the admin's static files."""
    static = Path(home.root) / "static"
    return Entry(
        name="the web server",
        command=(
            str(Path(sys.executable).parent / "granian"),
            "--interface=wsgi",
            "--http=1",
            f"--host={where.host}",
            f"--port={where.port}",
            f"--workers={environment.whole_number('WEB_WORKERS', 2)}",
            f"--blocking-threads={environment.whole_number('WEB_THREADS', 4)}",
            "--no-ws",
            "--respawn-failed-workers",
            "--workers-kill-timeout=5",
            "--http1-header-read-timeout=10000",
            f"--static-path-mount={static}",
            "taki_project.wsgi:application",
        ),
        log=home.log / "web.log",
        answers=where.serves,
        environment=variables,
        rank=3,
        start_patience=90.0,
    )
