"""Statements prepared once a connection and sent by libpq's own blocking call: half of what a cursor costs them.

For the two statements of a move and the one of a view. A cursor of psycopg sends, waits and reads in steps of its own, each
of which lets go of the interpreter's lock and takes it again; libpq does all of it in one. Whoever gives up a connection
that hangs (hangs.py) ends this wait too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import errors
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus

_KEPT: Final = "_direct"
_FORGOTTEN: Final = (errors.InvalidSqlStatementName, errors.FeatureNotSupported)
_GOOD: Final = frozenset({ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK})
Query = str | bytes


class _Prepared:
    """A statement that a connection knows by name, and what reads its rows."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.reader: Any = None


class Direct:
    """The statements of one connection, each a transaction of its own. Parameters are `%s`; bytes, words, numbers, UUIDs, null."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.rowcount = -1
        self._known: dict[Query, _Prepared] = {}
        self._made = 0

    def execute(self, query: Query, params: Sequence[object]) -> None:
        """Send it and wait until it is done; `rowcount` tells how many rows it wrote."""
        self.rowcount = self._sent(query, params)[1].command_tuples or 0

    def row(self, query: Query, params: Sequence[object]) -> tuple[Any, ...] | None:
        """The first row, None without one."""
        statement, result = self._sent(query, params)
        if not result.ntuples:
            return None
        if statement.reader is None:
            statement.reader = Transformer(self.connection)
            statement.reader.set_pgresult(result)
        else:
            statement.reader.set_pgresult(result, set_loaders=False)
        row: tuple[Any, ...] = statement.reader.load_row(0, tuple)
        return row

    def _sent(self, query: Query, params: Sequence[object]) -> tuple[_Prepared, Any]:
        """Send it; once more, prepared anew, where the server no longer knows it and so has done nothing.

        A rollback of the driver's forgets all that was prepared (DEALLOCATE ALL), and a migration may change what it gives.
        """
        statement = self._prepared(query)
        try:
            return statement, self._send(statement, params)
        except _FORGOTTEN:
            del self._known[query]  # this one alone: the server would keep the others
            statement = self._prepare(query)
            return statement, self._send(statement, params)

    def _prepared(self, query: Query) -> _Prepared:
        known = self._known.get(query)
        return self._prepare(query) if known is None else known

    def _prepare(self, query: Query) -> _Prepared:
        words = (query if isinstance(query, bytes) else query.encode()).split(b"%s")
        numbered = words[0] + b"".join(b"$%d%b" % (number, part) for number, part in enumerate(words[1:], 1))
        self._made += 1
        statement = _Prepared(b"direct_%d" % self._made)
        self._check(self.connection.pgconn.prepare(statement.name, numbered))
        self._known[query] = statement
        return statement

    def _send(self, statement: _Prepared, params: Sequence[object]) -> Any:
        values: list[Any] = []
        formats: list[Format] = []
        for param in params:
            value, form = _dumped(param)
            values.append(value)
            formats.append(form)
        result = self.connection.pgconn.exec_prepared(statement.name, values, formats, Format.BINARY)
        return self._check(result)

    def _check(self, result: Any) -> Any:
        if result.status in _GOOD:
            return result
        if self.connection.pgconn.status != ConnStatus.OK:
            raise psycopg.OperationalError(result.error_message.decode(errors="replace").strip())
        raise error_from_result(result, encoding="utf-8")


def _dumped(param: object) -> tuple[bytes | None, Format]:
    if param is None:
        return None, Format.TEXT
    if isinstance(param, bytes):
        return param, Format.BINARY
    if isinstance(param, str):
        if "\x00" in param:
            raise psycopg.DataError("PostgreSQL text cannot contain NUL (0x00) bytes")
        return param.encode(), Format.TEXT
    if isinstance(param, int):
        return b"%d" % param, Format.TEXT
    if isinstance(param, UUID):
        return str(param).encode(), Format.TEXT
    raise TypeError(type(param).__name__)


def direct() -> Direct | None:
    """The direct way to the database of this thread; None inside a transaction, or where nothing may be prepared."""
    return _direct(connections[DEFAULT_DB_ALIAS])


def _direct(wrapper: Any) -> Direct | None:
    if wrapper.in_atomic_block or not wrapper.autocommit:
        return None
    wrapper.ensure_connection()
    kept: Direct | None = wrapper.__dict__.get(_KEPT)
    if kept is None or kept.connection is not wrapper.connection:
        if settings.DATABASES[DEFAULT_DB_ALIAS]["OPTIONS"]["prepare_threshold"] is None:
            return None
        kept = wrapper.__dict__[_KEPT] = Direct(wrapper.connection)
    if kept.connection.pgconn.transaction_status != TransactionStatus.IDLE:
        return None
    return kept


@contextmanager
def writing() -> Iterator[Direct | psycopg.Cursor[Any]]:
    """The direct way, or a cursor where there is none; with Django's errors for the driver's."""
    wrapper: Any = connections[DEFAULT_DB_ALIAS]
    way = _direct(wrapper)
    with wrapper.wrap_database_errors:
        if way is not None:
            yield way
        else:
            with psycopg.Cursor(wrapper.connection) as cursor:
                yield cursor
