"""HTTP by hand, so that a connection can be dropped at any moment of a call."""

from __future__ import annotations

import socket
import struct
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from taki_project.local.web import Address

PATIENCE: Final = 10.0
"""Seconds: what is promised of the service, however badly it is doing; an answer that takes longer is a hang."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)  # closing resets the connection instead of seeing it off
_END: Final = b"\r\n\r\n"
_PIECE: Final = 65_536
_REFUSED: Final = 400


class Cut(Exception):
    """The connection ended before the answer was whole, or there was none to be had."""


class Hang(Exception):
    """No answer for so long that it counts as none."""


class Reply(Struct, frozen=True):
    """An answer; the names of its headers are small."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_repeat(self) -> bool:
        """Whether the service says that it has answered this before."""
        return self.headers.get("idempotent-replayed") == "true"

    @property
    def is_refusal(self) -> bool:
        """Whether nothing was done."""
        return self.status >= _REFUSED

    @property
    def code(self) -> str:
        """The status, and what a problem document names."""
        if not self.is_refusal:
            return str(self.status)
        try:
            return f"{self.status} {self.json()['code']}"
        except (ValueError, KeyError, TypeError):
            return f"{self.status} without a problem document"

    def json(self) -> Any:
        """The body."""
        return msgspec.json.decode(self.body)


def request(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """The bytes of a call."""
    lines = [f"{method} /api/v1/{path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    if body:
        lines.append("Content-Type: application/json")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + _END + body


class Line:
    """One connection, opened when it is needed and kept while it is good."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        self._address, self._patience = address, patience
        self._socket: socket.socket | None = None

    def ask(self, sent: bytes) -> Reply:
        """One call; `Cut` or `Hang` if there is no whole answer."""
        self.send(sent)
        return self.receive()

    def send(self, sent: bytes) -> None:
        """The first half of a call."""
        try:
            if self._socket is None:
                self._socket = socket.create_connection((self._address.host, self._address.port), self._patience)
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.sendall(sent)
        except OSError as error:
            raise self._ended(error) from error

    def receive(self) -> Reply:
        """The second half."""
        if self._socket is None:
            raise Cut("nothing was sent")
        try:
            reply = _read(self._socket)
        except OSError as error:
            raise self._ended(error) from error
        if reply.headers.get("connection", "").lower() == "close":
            self.close()
        return reply

    def drop(self) -> None:
        """Let go of the call without waiting for its answer."""
        if self._socket is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.close()

    def close(self) -> None:
        """End the connection; the next call opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _ended(self, error: OSError) -> Exception:
        self.close()
        return Hang(str(error)) if isinstance(error, TimeoutError) else Cut(str(error))


def _read(source: socket.socket) -> Reply:
    received = b""
    while _END not in received:
        received += _piece(source)
    head, _, body = received.partition(_END)
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", "0"))
    while len(body) < length:
        body += _piece(source)
    return Reply(int(first.split(" ", 2)[1]), headers, body)


def _piece(source: socket.socket) -> bytes:
    piece = source.recv(_PIECE)
    if not piece:
        raise ConnectionResetError("the connection ended before the answer was whole")
    return piece
