"""What schemathesis must know to come beyond the first refusal: ids that exist, and accounts that may be lost."""

from __future__ import annotations

import json
import os
import urllib.request
from typing import Any, Final

import schemathesis

_WORLD: Final[dict[str, Any]] = json.loads(os.environ["FUZZ_WORLD"])
"""`url`, `token`, and ids of things that exist by the name of their path parameter."""

_LOSING: Final = {"deleteMe", "revokeToken", "changePassword", "upgradeMe"}
_ADDRESSES: Final = {"guest", "join", "presets"}
_turn = 0


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Two of three ids are ones that exist, in turn; schemathesis alone would never guess one."""
    global _turn  # noqa: PLW0603 (one process, and the same order each time)
    if not path_parameters:
        return path_parameters
    _turn += 1
    known = {name: ids[_turn % len(ids)] for name, ids in _WORLD["ids"].items()}
    return {name: known.get(name, value) if _turn % 3 else value for name, value in path_parameters.items()}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """An id that is the last word of another address (`/players/guest`) leads there: no such id is asked for.

    Nor is an answer that gets lost on purpose: there would be nothing to look at.
    """
    if case.headers:
        case.headers.pop("X-Sandbox-Fault", None)
    for name, value in (case.path_parameters or {}).items():
        if value in _ADDRESSES:
            case.path_parameters[name] = _WORLD["ids"][name][0]


@schemathesis.auth(refresh_interval=None)
class Token:
    """The token of who is in the middle of the world; calls that lose an account or a token get one to lose."""

    def get(self, case: Any, context: Any) -> str:
        """The token for a call."""
        name = case.operation.definition.raw.get("operationId")
        return _guest() if name in _LOSING else str(_WORLD["token"])

    def set(self, case: Any, data: str, context: Any) -> None:
        """Sign in with it."""
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.deserializer("application/x-ndjson")
def lines(context: Any, response: Any) -> str:
    """A record is a text; its lines are compared elsewhere."""
    text: str = response.content.decode()
    return text


def _guest() -> str:
    asked = urllib.request.Request(f"{_WORLD['url']}/api/v1/players/guest", b"{}", {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        token: str = json.load(answer)["token"]["token"]
    return token
