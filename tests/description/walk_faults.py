"""What any call may be refused with: each fault of a request once, shown by a call where it can happen."""

from __future__ import annotations

import gzip

from django.conf import settings
from django.test import override_settings

from tests.description.recorder import Recorder

KEY = "7f9c24e8-3b12-4fef-91e0-56a2d0b1c301"


def walk(record: Recorder, token: str) -> None:
    """Every fault of a body, a query, a header."""
    _bodies(record, token)
    _names(record, token)
    _headers(record, token)
    record.refused("bad_request", "GET", "games?" + "&".join(f"a{number}=1" for number in range(60)), token=token)
    record.refused("invalid_value", "GET", "games?player=noa", token=token)
    record.refused("out_of_range", "GET", "games?limit=0", token=token)
    record.refused("method_not_allowed", "PUT", "me", {}, token=token)
    with override_settings(RATE_LIMITS=settings.RATE_LIMITS | {"guest": "1/3600"}):
        record.refused("too_many_requests", "POST", "players/guest", {})


def _bodies(record: Recorder, token: str) -> None:
    for code, body in {
        "malformed_json": b'{"name": "Friday table",}',
        "duplicate_field": b'{"name": "Friday table", "name": "Saturday table"}',
        "wrong_type": b'{"auto_start": "yes"}',
        "not_a_choice": b'{"visibility": "secret"}',
        "unknown_field": b'{"nane": "Friday table"}',
        "too_long": b'{"name": "' + b"x" * 61 + b'"}',
        "nul_character": b'{"name": "Friday\\u0000table"}',
        "lone_surrogate": b'{"name": "\\ud83d"}',
        "nested_too_deeply": b'{"ruleset": {"options": {"deck": ' + b"[" * 5000 + b"]" * 5000 + b"}}}",
    }.items():
        record.refused(code, "POST", "games", body, token=token)
    record.refused("body_too_large", "POST", "games", b" " * 65_537, token=token)
    record.refused("unsupported_media_type", "POST", "games", b"name=Friday", token=token, content_type="text/plain")
    record.refused(
        "content_encoding_unsupported", "POST", "games", gzip.compress(b"{}"), token=token, content_encoding="gzip"
    )


def _names(record: Recorder, token: str) -> None:
    record.refused("forbidden_character", "POST", "games", {"name": "Friday\u202etable"}, token=token)


def _headers(record: Recorder, token: str) -> None:
    record.refused("unknown_host", "GET", "games", token=token, host="elsewhere.example")
    record.refused("idempotency_key_invalid", "POST", "players/guest", {}, idempotency_key="1")
    record.ok("POST", "games", {"name": "Friday table"}, token=token, idempotency_key=KEY)
    record.refused(
        "idempotency_key_reused", "POST", "games", {"name": "Saturday table"}, token=token, idempotency_key=KEY
    )
