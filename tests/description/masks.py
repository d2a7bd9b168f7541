"""What differs from run to run, made to stand still, so that examples can be compared."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Any, Final

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CURSOR: Final = re.compile(r"(?<=cursor=)[A-Za-z0-9_-]+")
_WAIT: Final = re.compile(r"(?<=in )\d+(?= seconds\.)")
_NOW: Final = "2026-11-30T18:03:00.123Z"
_STILL: Final[dict[str, Any]] = {
    "request_id": "7d1f0c2b9a3e4f56b8c1d2e3f4a5b6c7",
    "join_code": "K7QX2MWP",
    "created_at": "2026-11-30T17:58:00.000Z",
    "opened_at": "2026-11-30T18:00:00.000Z",
    "started_at": "2026-11-30T18:02:00.000Z",
    "finished_at": "2026-11-30T18:20:00.000Z",
    "expires_at": "2027-02-28T18:00:00.000Z",
    "closes_at": "2026-11-30T18:03:15.123Z",
    "deadline": "2026-11-30T18:04:00.123Z",
    "noticed": "2026-11-30T18:04:00.456Z",
    "server_time": _NOW,
    "since": _NOW,
    "at": _NOW,
    "salt": "5a" * 16,
    "fingerprint": "f1" * 32,
    "text_hash": "7e" * 32,
    "reset_seconds": 41,
    "retry_after_seconds": 41,
    "ms": 90_000,
    "until": _NOW,
    "signature": "c2lnbmF0dXJl" * 7 + "Zw==",
}
_COUNTED: Final = ("head", "digest", "list", "previous")
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b")


class Masks:
    """One recording: an id is the same wherever it stands."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        self._number = count(1)

    def still(self, value: Any) -> Any:
        """A value with everything that differs made to stand still."""
        if isinstance(value, dict):
            return {name: self._member(name, member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.still(each) for each in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        """A text with its ids and cursors made to stand still."""
        known = _UUID.sub(lambda found: self._id(found[0]), text)
        return _WAIT.sub("41", _CURSOR.sub("kwHEEA", known))

    def body(self, text: str, media: str) -> str:
        """A body that is no JSON: newline-delimited JSON line by line, of a drawing its beginning."""
        if "ndjson" not in media:
            return text.partition(">")[0] + "> …"
        return "".join(
            json.dumps(self.still(json.loads(line)), separators=(",", ":")) + "\n" for line in text.splitlines()
        )

    def _member(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, dict | list):
            return self.still(value)
        if name == "token":
            return "taki_" + "0123456789" * 4 + "abcexample"[:9]
        if name == "remaining_ms":
            return 15_000 if value <= 15_000 else 60_000
        if name == "signed":
            return json.dumps(self.still(json.loads(value)), separators=(",", ":"))
        if name == "heads":
            return _DIGEST.sub(lambda found: self._digest(found[0]), value)
        if name in _COUNTED:
            return self._digest(value)
        return _STILL[name] if name in _STILL else self.still(value)

    def _digest(self, text: str) -> str:
        if not _DIGEST.fullmatch(text):  # an address, such as that of a page before
            return self.text(text)
        return self._digests.setdefault(text, f"{len(self._digests) + 1:064x}")

    def _id(self, uuid: str) -> str:
        if uuid not in self._ids:
            self._ids[uuid] = f"019ad5f0-3c00-7000-8000-{next(self._number):012d}"
        return self._ids[uuid]
