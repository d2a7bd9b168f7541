"""Calls over HTTP: one connection for each player, lost answers asked for again under the same key."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from typing import Any, Final
from urllib.parse import urlsplit

Json = dict[str, Any]

ATTEMPTS: Final = 5
LONGEST_WAIT: Final = 20.0
"""Seconds: a limit that takes longer to lift ends the demonstration."""
_REFUSED: Final = 400
_LIMITED: Final = 429
_AWAY: Final = 503


class Stopped(Exception):
    """The demonstration cannot go on; the message is for the person at the terminal."""


class Refused(Exception):
    """The service said no; the problem document says why."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.code = str(problem.get("code"))


class Answer:
    """A status, headers and the bytes of a body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self) -> Json:
        """The body; what is no JSON comes from something other than the service."""
        try:
            return json.loads(self.body)  # type: ignore[no-any-return]
        except ValueError:
            raise Stopped(f"the answer is no JSON: {self.body[:80]!r}") from None


class Client:
    """One caller: a connection, and the token once there is one."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.base_url = base_url.rstrip("/")
        self.connection = kind(parts.netloc, timeout=30)
        self.root = parts.path.rstrip("/")
        self.headers: dict[str, str] = {}

    def sign_in(self, token: str) -> None:
        """From now on call with this token."""
        self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Json:
        """The answer to a question."""
        return self.fetch(path).json()

    def fetch(self, path: str, held: str | None = None) -> Answer:
        """The answer as it is; with the ETag held, a 304 without a body if nothing changed."""
        return self._sure("GET", f"/api/v1{path}", None, {"If-None-Match": held} if held else {})

    def post(self, path: str, body: Json, version: int | None = None) -> Json:
        """Have something done, once; for this version of the game alone, if one is given."""
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
        headers |= {} if version is None else {"If-Match": str(version)}
        return self._sure("POST", f"/api/v1{path}", json.dumps(body), headers).json()

    def serves(self) -> bool:
        """Whether a ready service is behind the address."""
        try:
            return self._once("GET", "/health/ready", None, {}).status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            self.connection.close()

    def _sure(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        for attempt in range(ATTEMPTS):
            try:
                answer = self._once(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                self.connection.close()
                time.sleep(0.2 * 2**attempt)
                continue
            if answer.status in (_LIMITED, _AWAY):
                time.sleep(_patience(answer))
                continue
            if answer.status >= _REFUSED:
                raise Refused(answer.status, answer.json())
            return answer
        raise Stopped(f"{self.base_url} does not answer any more ({method} {path})")

    def _once(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        self.connection.request(method, self.root + path, body, self.headers | headers)
        return Answer(self.connection.getresponse())


def _patience(answer: Answer) -> float:
    """Seconds to wait for a limit or a database; `Stopped` if that is too long."""
    seconds = float(answer.headers.get("Retry-After") or 1)
    if seconds <= LONGEST_WAIT:
        return seconds
    minutes = f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"  # noqa: PLR2004 (a minute and a half)
    raise Stopped(
        f"{answer.json().get('detail')} Try again in {minutes}, or give the service a higher limit "
        "(LIMIT_SIGN_UP, LIMIT_ACCOUNT: docs/operations.md)."
    )
