"""Raw psycopg cursors on Django's connection: they bind on the server, so statements are prepared once."""

from typing import Any, Final

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections

from httpapi.direct import direct
from httpapi.hangs import watch

_KEPT: Final = "_kept_cursor"


def raw_cursor() -> psycopg.Cursor[Any]:
    """A cursor of psycopg itself, within the transaction that Django has open, if any.

    It does not pass through Django's wrappers: errors are psycopg's own, queries are not logged.
    """
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def kept_cursor() -> psycopg.Cursor[Any]:
    """One raw cursor for each connection, never to be closed: making one costs as much as a short statement.

    What a statement gave must be fetched before the next one.
    """
    wrapper = connections[DEFAULT_DB_ALIAS]
    wrapper.ensure_connection()
    kept: psycopg.Cursor[Any] | None = wrapper.__dict__.get(_KEPT)
    if kept is None or kept.connection is not wrapper.connection:
        kept = wrapper.__dict__[_KEPT] = psycopg.Cursor(wrapper.connection)
    return kept


def one_row(query: str | bytes, params: tuple[Any, ...]) -> Any:
    """The first row of a statement, None without one. To be the first of a request, outside a transaction.

    A connection that the server dropped since the last request is replaced and the question asked once more,
    so that nobody meets the end of an idle connection. Only for reads: they may be asked twice.
    """
    try:
        return _one_row(query, params)
    except (psycopg.OperationalError, psycopg.InterfaceError):
        if connection.in_atomic_block or not _is_lost() or not watch().breaker.lets_through():
            raise
        connection.close()
        return _one_row(query, params)


def _one_row(query: str | bytes, params: tuple[Any, ...]) -> Any:
    way = direct()
    return kept_cursor().execute(query, params, binary=True).fetchone() if way is None else way.row(query, params)


def _is_lost() -> bool:
    return connection.connection is not None and bool(connection.connection.closed)
