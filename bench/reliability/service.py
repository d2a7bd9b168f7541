"""The service's own processes, for proofs that talk to them over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Final

from taki_project.local import web
from taki_project.local.home import Home
from taki_project.local.supervisor import Entry

SETTINGS: Final = {"DJANGO_SETTINGS_MODULE": "taki_project.settings", "LOG_LEVEL": "ERROR"}
BOUNDLESS: Final = {f"LIMIT_{name}": "1000000/1" for name in ("ACCOUNT", "SIGN_UP", "GUEST", "SIGN_IN")}
"""Limits would only slow a proof down; they have tests of their own."""


def free_address() -> web.Address:
    """A port of this machine that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return web.Address("127.0.0.1", int(probe.getsockname()[1]))


def web_entry(home: Home, where: web.Address, variables: Mapping[str, str]) -> Entry:
    """The web server as `make run` starts it: granian, two processes of four threads."""
    return web.entry(home, where, {**variables, **SETTINGS, **BOUNDLESS})
