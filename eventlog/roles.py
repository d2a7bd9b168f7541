"""What the application's database role may do to the log: add to it and read it."""

from __future__ import annotations

from enum import Enum
from typing import Final

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

_RIGHTS: Final = {
    "eventlog_event": "SELECT, INSERT",
    "eventlog_text": "SELECT, INSERT, DELETE",
    "eventlog_checkpoint": "SELECT, INSERT",
    "eventlog_mention": "SELECT, INSERT",
    "eventlog_changed": "SELECT, INSERT, DELETE",
}
_ERASABLE: Final = [table for table, rights in _RIGHTS.items() if "DELETE" in rights]
# Tables on which the role holds too much or too little, by whatever way it came to it.
_UNSETTLED: Final = """
SELECT relname FROM pg_class
WHERE (oid IN (SELECT to_regclass(name) FROM unnest(%(tables)s::text[]) AS name)
       OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'eventlog_event'::regclass))
  AND (has_table_privilege(%(role)s, oid, 'UPDATE, TRUNCATE, REFERENCES, TRIGGER')
       OR has_table_privilege(%(role)s, oid, 'DELETE') <> (relname = ANY(%(erasable)s))
       OR has_table_privilege(%(role)s, oid, 'SELECT') <> (relname = ANY(%(tables)s))
       OR has_table_privilege(%(role)s, oid, 'INSERT') <> (relname = ANY(%(tables)s)))
"""


class Standing(Enum):
    """How far the database itself keeps the application from changing the log."""

    CONFINED = "role {role} may add to the log and read it, nothing else"
    POWERFUL = "role {role} owns the log, or is or inherits from one that may change it: the trigger alone guards it"
    ABSENT = "there is no role {role}, and this one may not create it: the trigger alone guards the log"

    def told(self, role: str) -> str:
        """The sentence for the operator."""
        return self.value.format(role=role)


def is_owner(connection: BaseDatabaseWrapper) -> bool:
    """Whether this connection may change the schema of the log; False also if there is no log."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        return _owns(cursor, cursor.fetchone()[0])


def settle(connection: BaseDatabaseWrapper, role: str) -> Standing:
    """Leave the application's role SELECT and INSERT on events and take all else, whatever it was granted before.

    A role that is not there yet is created without a login, if this one may create roles.
    """
    name = connection.ops.quote_name(role)
    with connection.cursor() as cursor:
        if not _exists(cursor, role) and not _created(cursor, role, name):
            return Standing.ABSENT
        if _owns(cursor, role):
            return Standing.POWERFUL
        for table in _unsettled(cursor, role):
            cursor.execute(f"REVOKE ALL ON {table} FROM PUBLIC, {name}")
            if table in _RIGHTS:
                cursor.execute(f"GRANT {_RIGHTS[table]} ON {table} TO {name}")
        return Standing.POWERFUL if _unsettled(cursor, role) else Standing.CONFINED


def _owns(cursor: CursorWrapper, role: str) -> bool:
    cursor.execute(
        "SELECT pg_has_role(%s, relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('eventlog_event')", [role]
    )
    return bool(cursor.fetchone() == (True,))


def _exists(cursor: CursorWrapper, role: str) -> bool:
    cursor.execute("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)", [role])
    return bool(cursor.fetchone()[0])


def _created(cursor: CursorWrapper, role: str, name: str) -> bool:
    try:
        with transaction.atomic(using=cursor.db.alias):
            cursor.execute(f"CREATE ROLE {name} NOLOGIN")
    except DatabaseError:  # not allowed, or another database of this server was faster
        return _exists(cursor, role)
    return True


def _unsettled(cursor: CursorWrapper, role: str) -> list[str]:
    cursor.execute(_UNSETTLED, {"role": role, "tables": list(_RIGHTS), "erasable": _ERASABLE})
    return [table for (table,) in cursor.fetchall()]
