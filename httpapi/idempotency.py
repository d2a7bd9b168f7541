"""Repeats of a POST: the first answer again, byte for byte, and nothing done twice."""

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from psycopg.errors import UniqueViolation

from httpapi import sealing
from httpapi.answers import Answer
from httpapi.bodies import body_of
from httpapi.callers import account_of
from httpapi.database import kept_cursor
from httpapi.plain import plain
from httpapi.problems import Conflict, KeyReused, MalformedRequest, Problem

LONGEST: Final = 255
# Whoever has no account is told apart by nothing but the key and the body, so the key must be hard to guess.
SHORTEST_WITHOUT_ACCOUNT: Final = 22
REPLAYED: Final = "Idempotent-Replayed"
_KEPT_BYTES: Final = 16
_PRINTABLE: Final = re.compile(r"[\x20-\x7e]+")

_TRY_LOCK: Final = "SELECT pg_try_advisory_xact_lock(%s)"
_FIND: Final = """
SELECT fingerprint, status, sealed, stream, version_from, version_to FROM idempotency_keys WHERE scope_key = %s"""
_KEEP: Final = "INSERT INTO idempotency_keys (scope_key, fingerprint, status, sealed) VALUES (%s, %s, %s, %s)"


class Key(msgspec.Struct, frozen=True):
    """The key of a request: as sent, hashed with its scope, and what the request was."""

    sent: str
    scope_key: bytes
    fingerprint: bytes

    @property
    def kept_fingerprint(self) -> bytes:
        """What is kept of the fingerprint to know the request again: 128 bits of it."""
        return self.fingerprint[:_KEPT_BYTES]

    @property
    def lock(self) -> int:
        """The number of the advisory lock that a request with this key holds while it is at work."""
        return int.from_bytes(self.scope_key[:8], "big", signed=True)


class Record(msgspec.Struct, frozen=True):
    """What is kept of the first request: `sealed`, or the span of a stream that holds its answer."""

    fingerprint: bytes
    status: int
    sealed: bytes | None
    stream: UUID | None
    version_from: int | None
    version_to: int | None

    def is_of(self, key: Key) -> bool:
        """Whether the first request was this one; earlier releases kept whole fingerprints."""
        return len(self.fingerprint) >= _KEPT_BYTES and key.fingerprint.startswith(self.fingerprint)


def key_of(request: Any) -> Key | None:
    """The Idempotency-Key of a request, judged; None if it carries none."""
    inner = plain(request)
    sent = inner.META.get("HTTP_IDEMPOTENCY_KEY")
    if sent is None:
        return None
    account_id = account_of(inner)
    shortest = SHORTEST_WITHOUT_ACCOUNT if account_id is None else 1
    if not shortest <= len(sent) <= LONGEST or not _PRINTABLE.fullmatch(sent):
        raise MalformedRequest("idempotency_key_invalid", params={"shortest": shortest, "longest": LONGEST})
    body = body_of(inner)
    return Key(sent, _scope_key(sent, account_id, body), _fingerprint(inner, body))


def lookup(key: Key) -> Record | None:
    """What is kept under a key. Refuses the key if it came with another request."""
    row = kept_cursor().execute(_FIND, (key.scope_key,), binary=True).fetchone()
    if row is None:
        return None
    record = Record(*row)
    if not record.is_of(key):
        raise KeyReused
    return record


def once(request: Any, work: Callable[[], Answer | Problem]) -> HttpResponse:
    """Do the work of a POST in one transaction and keep its answer with it, or give the kept answer again.

    A refusal that `work` raises undoes all; one that it returns leaves what was done meanwhile. No refusal is kept.
    Not for moves, whose answer is made from the log.
    """
    key = key_of(request)
    body_of(plain(request))  # read before the transaction begins, since a client may be slow
    with transaction.atomic():
        if key is not None:
            claim(key)
            record = lookup(key)
            if record is not None:
                return _replay(record, key)
        outcome = work()
        if key is not None and isinstance(outcome, Answer):
            _keep(key, outcome)
    if isinstance(outcome, Problem):
        raise outcome
    return outcome.response()


def claim(key: Key) -> None:
    """Hold a key until the end of the transaction; refuses it while another request does."""
    row = kept_cursor().execute(_TRY_LOCK, (key.lock,)).fetchone()
    if row is None or not row[0]:
        raise Conflict("idempotency_key_in_progress", headers={"Retry-After": "1"})


def _replay(record: Record, key: Key) -> HttpResponse:
    if record.sealed is None:  # the key of a move, sent to another address: its fingerprint differs, so never here
        raise KeyReused
    response = sealing.unseal(record.sealed, key.sent, _context(key)).response()
    response.headers[REPLAYED] = "true"
    return response


def _keep(key: Key, answer: Answer) -> None:
    sealed = sealing.seal(answer, key.sent, _context(key))
    try:
        kept_cursor().execute(_KEEP, (key.scope_key, key.kept_fingerprint, answer.status, sealed))
    except UniqueViolation as taken:  # a move, which holds no lock on its key, came first with this one
        raise KeyReused from taken


def _context(key: Key) -> bytes:
    return key.scope_key + key.fingerprint


def _scope_key(sent: str, account_id: UUID | None, body: bytes) -> bytes:
    scope = b"account\0" + account_id.bytes if account_id else b"anyone\0" + hashlib.sha256(body).digest()
    return hashlib.sha256(scope + sent.encode()).digest()


def _fingerprint(request: HttpRequest, body: bytes) -> bytes:
    target = f"{request.method}\0{request.path_info}\0{request.META.get('QUERY_STRING', '')}\0"
    return hashlib.sha256(target.encode("utf-8", "surrogateescape") + body).digest()
