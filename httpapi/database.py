"""Raw psycopg cursors on Django's connection: they bind on the server, so statements are prepared once."""

from typing import Any

import psycopg
from django.db import connection


def raw_cursor() -> psycopg.Cursor[Any]:
    """A cursor of psycopg itself, within the transaction that Django has open, if any.

    It does not pass through Django's wrappers: errors are psycopg's own, queries are not logged.
    """
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def one_row(query: str, params: tuple[Any, ...]) -> Any:
    """The first row of a statement, None without one. To be the first of a request, outside a transaction.

    A connection that the server dropped since the last request is replaced and the question asked once more,
    so that nobody meets the end of an idle connection. Only for reads: they may be asked twice.
    """
    try:
        return _one_row(query, params)
    except (psycopg.OperationalError, psycopg.InterfaceError):
        if connection.in_atomic_block or not _is_lost():
            raise
        connection.close()
        return _one_row(query, params)


def _one_row(query: str, params: tuple[Any, ...]) -> Any:
    with raw_cursor() as cursor:
        return cursor.execute(query, params, binary=True).fetchone()


def _is_lost() -> bool:
    return connection.connection is not None and bool(connection.connection.closed)
