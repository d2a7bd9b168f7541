"""The only writer of the log, and its readers: raw SQL, because the ORM costs more than the insert itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias
from uuid import UUID

import msgspec
import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from msgspec import Raw, Struct
from psycopg import errors

from eventlog.records import Cause, Fact, Head, SaltedText, StoredEvent

Cursor: TypeAlias = psycopg.Cursor[Any]

_COLUMNS: Final = (
    "at bigint, version integer, kind_version smallint, cause smallint, seat smallint, span smallint, stream uuid, "
    "actor uuid, command_id uuid, salt bytea, digest bytea, text_hash bytea, fingerprint bytea, kind text, "
    "request_id text, payload json"
)
_NAMES: Final = [column.split()[0] for column in _COLUMNS.split(", ")]
# All rows travel as one JSON parameter: one statement, so one plan, for any number of rows. Measured against this,
# arrays took 2.7 times the client's CPU, and a parameter a value 3.7 times from the fourth row on.
_INSERT: Final = (
    f"INSERT INTO eventlog_event ({', '.join(_NAMES)}) SELECT {', '.join(f'fresh.{name}' for name in _NAMES)} "  # noqa: S608 (constants alone)
    f"FROM json_to_recordset(%s::json) AS fresh ({_COLUMNS})"
)
_NOTE: Final = (
    "INSERT INTO eventlog_text (stream, version, text, salt) "
    "SELECT fresh.stream, fresh.version, fresh.text, fresh.salt "
    "FROM json_to_recordset(%s::json) AS fresh (stream uuid, version integer, text text, salt bytea)"
)
# A row a write, for the next checkpoint (checkpoint_store.py).
_CHANGED: Final = "changed AS (INSERT INTO eventlog_changed (stream) SELECT id FROM moved)"
# UUIDs as bytes: the driver's own loader took 15 microseconds each.
_SELECT: Final = (
    "SELECT uuid_send(e.stream), e.version, e.kind, e.kind_version, e.at, e.cause, uuid_send(e.actor), e.seat, e.span, "
    "uuid_send(e.command_id), e.fingerprint, e.request_id, e.salt, convert_to(e.payload::text, 'UTF8'), e.text_hash, "
    "e.digest FROM eventlog_event e "
)
_FACTS: Final = (
    "SELECT version, kind, kind_version, at, convert_to(payload::text, 'UTF8') FROM eventlog_event "
    "WHERE stream = %s AND version <= %s ORDER BY version"
)
_CAUSES: Final = {cause.value: cause for cause in Cause}


class Writer(Protocol):
    """What sends a statement that writes: a cursor, or less than one."""

    @property
    def rowcount(self) -> int:
        """How many rows the last one wrote."""

    def execute(self, query: bytes, params: Sequence[Any], /) -> object:
        """Send it, and wait."""


class DuplicateCommandError(Exception):
    """The stream holds this command already: its events are there to be read, nothing was written."""


class VersionTakenError(Exception):
    """The stream holds an event of that version already: the guard did not guard."""


class _Guarded(Struct, frozen=True):
    """Common table expressions before an insert, their parameters, and how the rows are joined to the one named `moved`."""

    guards: str
    params: Sequence[object]
    joined: str


class _Columns(Struct, frozen=True, omit_defaults=True):
    stream: UUID
    version: int
    at: int
    kind: str
    kind_version: int
    cause: Cause
    salt: str
    digest: str
    payload: Raw
    actor: UUID | None = None
    seat: int | None = None
    span: int | None = None
    command_id: UUID | None = None
    text_hash: str | None = None
    fingerprint: str | None = None
    request_id: str | None = None


@contextmanager
def cursor() -> Iterator[Cursor]:
    """A cursor that binds on the server; its errors are Django's, whose own cursors bind on the client."""
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors, psycopg.Cursor(wrapper.connection) as raw:
        yield raw


def insert_guarded(cursor: Writer, guards: str, guard_params: Sequence[object], rows: Sequence[StoredEvent]) -> bool:
    """Insert the rows if the first guard returns a row; all in ONE statement. False: it returned none, nothing is kept.

    `guards` are common table expressions of which the first is named `moved` and returns the stream, or nothing:
    `moved AS (UPDATE … WHERE id = %s AND version = %s RETURNING id)`, others after a comma may select from `moved`.
    """
    return _insert(cursor, _Guarded(guards, guard_params, "CROSS JOIN moved"), rows) > 0


def insert_moved(cursor: Cursor, guards: str, guard_params: Sequence[object], rows: Sequence[StoredEvent]) -> None:
    """Insert the rows of several streams in ONE statement; the guard `moved` must return each of their ids as `id`.

    RuntimeError, and with it the caller's transaction rolled back, if a stream did not move.
    """
    inserted = _insert(cursor, _Guarded(guards, guard_params, "JOIN moved ON moved.id = fresh.stream"), rows)
    if inserted != len(rows):
        raise RuntimeError(f"{len(rows)} events to insert, {inserted} inserted: a stream was not moved")


def append(cursor: Cursor, rows: Sequence[StoredEvent]) -> None:
    """Insert the rows unguarded, inside a transaction that holds a lock of its own on the stream."""
    if noted := _texts(rows):
        cursor.execute(_NOTE, [noted])
    streams = list({row.stream for row in rows})
    with _told(rows):
        cursor.execute(f"WITH moved AS (SELECT unnest(%s::uuid[]) AS id), {_CHANGED} {_INSERT}", [streams, _rows(rows)])


def _insert(cursor: Writer, guarded: _Guarded, rows: Sequence[StoredEvent]) -> int:
    noted = _texts(rows)
    params = [*guarded.params, _rows(rows)] if noted is None else [*guarded.params, noted, _rows(rows)]
    with _told(rows):
        cursor.execute(_statement(guarded.guards, guarded.joined, with_texts=noted is not None), params)
    return cursor.rowcount


@lru_cache(maxsize=64)
def _statement(guards: str, joined: str, *, with_texts: bool) -> bytes:
    """The one statement; bytes, of which the driver need not make some at each call."""
    noted = f", noted AS ({_NOTE} {joined})" if with_texts else ""
    return f"WITH {guards}, {_CHANGED}{noted} {_INSERT} {joined}".encode()


@contextmanager
def _told(rows: Sequence[StoredEvent]) -> Iterator[None]:
    """Tell the two ways in which a stream may refuse an event from each other, and from refusals of other tables."""
    try:
        yield
    except errors.UniqueViolation as violation:
        if not (violation.diag.table_name or "").startswith("eventlog_event"):
            raise
        refused = "pkey" in (violation.diag.constraint_name or "")
        refusal = VersionTakenError if refused else DuplicateCommandError
        raise refusal(f"stream {rows[0].stream}, events from {rows[0].version} on") from violation
    except (errors.DataError, errors.CheckViolation, errors.NotNullViolation) as fault:
        # The detail quotes the row, hidden cards and salt included, and would be logged.
        raise type(fault)(fault.diag.message_primary or "") from None


def _rows(rows: Sequence[StoredEvent]) -> str:
    return msgspec.json.encode([_columns(row) for row in rows]).decode()


def _columns(row: StoredEvent) -> _Columns:
    return _Columns(
        stream=row.stream,
        version=row.version,
        at=row.at,
        kind=row.kind,
        kind_version=row.kind_version,
        cause=row.cause,
        salt=_bytea(row.salt),
        digest=_bytea(row.digest),
        payload=Raw(row.payload),
        actor=row.actor,
        seat=row.seat,
        span=row.span,
        command_id=row.command_id,
        text_hash=None if row.text_hash is None else _bytea(row.text_hash),
        fingerprint=None if row.fingerprint is None else _bytea(row.fingerprint),
        request_id=row.request_id,
    )


def _texts(rows: Sequence[StoredEvent]) -> str | None:
    texts = [
        {"stream": row.stream, "version": row.version, "text": row.text.text, "salt": _bytea(row.text.salt)}
        for row in rows
        if row.text is not None
    ]
    return msgspec.json.encode(texts).decode() if texts else None


def _bytea(value: bytes) -> str:
    return "\\x" + value.hex()


def read(stream: UUID, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
    """The events of a stream behind a version, oldest first."""
    return _read("WHERE e.stream = %s AND e.version > %s ORDER BY e.version LIMIT %s", [stream, after, limit])


def facts(stream: UUID, last: int) -> list[Fact]:
    """The first `last` events of a stream, as far as it takes to fold them: five columns of sixteen."""
    with cursor() as raw:
        return [Fact(*row) for row in raw.execute(_FACTS, [stream, last], binary=True).fetchall()]


def read_all(streams: Collection[UUID]) -> dict[UUID, list[StoredEvent]]:
    """All events of several streams; a stream without events has an empty list."""
    found: dict[UUID, list[StoredEvent]] = {stream: [] for stream in streams}
    for event in _read("WHERE e.stream = ANY(%s) ORDER BY e.stream, e.version", [list(streams)]):
        found[event.stream].append(event)
    return found


def find_command(stream: UUID, command_id: UUID) -> list[StoredEvent] | None:
    """The events that a command caused, if the stream holds it."""
    # Two looks into the index, not a join: the plan of a join read the whole stream.
    first = "FROM eventlog_event WHERE stream = %s AND command_id = %s"
    condition = f"""WHERE e.stream = %s AND e.version >= (SELECT version {first})
        AND e.version < (SELECT version + span {first}) ORDER BY e.version"""
    return _read(condition, [stream, stream, command_id, stream, command_id]) or None


def find_head(stream: UUID) -> Head:
    """The head of a stream as its last event tells it; version 0 if there is none."""
    last = _read("WHERE e.stream = %s ORDER BY e.version DESC LIMIT 1", [stream])
    return last[0].head if last else Head.before(stream)


def texts(stream: UUID) -> dict[int, SaltedText]:
    """The free text of a stream by version; what was erased is not there."""
    return all_texts([stream])[stream]


def all_texts(streams: Collection[UUID]) -> dict[UUID, dict[int, SaltedText]]:
    """The free text of several streams; a stream without any has an empty dict."""
    found: dict[UUID, dict[int, SaltedText]] = {stream: {} for stream in streams}
    statement = "SELECT uuid_send(stream), version, text, salt FROM eventlog_text WHERE stream = ANY(%s)"
    with cursor() as raw:
        for stream, version, text, salt in raw.execute(statement, [list(streams)], binary=True):
            found[_uuid(stream)][version] = SaltedText(text, salt)
    return found


def erase_text(stream: UUID, version: int) -> bool:
    """Forget the free text of an event, with its salt; the event and its proof stay. False: there was none."""
    with cursor() as raw:
        raw.execute("DELETE FROM eventlog_text WHERE stream = %s AND version = %s", [stream, version])
        return raw.rowcount > 0


def _read(condition: str, params: Sequence[object]) -> list[StoredEvent]:
    with cursor() as raw:
        statement = _SELECT + condition
        return [_event(row) for row in raw.execute(statement, params, binary=True).fetchall()]


def _event(row: tuple[Any, ...]) -> StoredEvent:
    stream, version, kind, kind_version, at, cause, actor, seat, span, command_id, *rest = row
    return StoredEvent(
        _uuid(stream), version, kind, kind_version, at, _CAUSES[cause], actor and _uuid(actor), seat, span,
        command_id and _uuid(command_id), *rest,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _uuid(value: bytes) -> UUID:
    return UUID(bytes=value)
