"""The application's role, whoever made it and whatever it was granted."""

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper

from eventlog import roles
from eventlog.roles import Standing

ROLE = "lamp_lighter"


def rights(cursor: CursorWrapper, table: str) -> set[str]:
    """What the role may do to a table."""
    wanted = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
    cursor.execute(
        "SELECT name FROM unnest(%s::text[]) AS name WHERE has_table_privilege(%s, %s, name)", [wanted, ROLE, table]
    )
    return {name for (name,) in cursor.fetchall()}


def test_a_role_that_is_not_there_is_made(undone: CursorWrapper) -> None:
    assert roles.settle(connection, ROLE) is Standing.CONFINED

    assert rights(undone, "eventlog_event") == {"SELECT", "INSERT"}
    assert rights(undone, "eventlog_event_default") == set()
    assert rights(undone, "eventlog_text") == {"SELECT", "INSERT", "DELETE"}


def test_a_role_that_was_given_everything_keeps_what_is_its_own(undone: CursorWrapper) -> None:
    undone.execute(f"CREATE ROLE {ROLE}")
    undone.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}, PUBLIC")

    assert roles.settle(connection, ROLE) is Standing.CONFINED

    assert rights(undone, "eventlog_event") == {"SELECT", "INSERT"}
    assert rights(undone, "eventlog_event_default") == set()


def test_settling_twice_changes_nothing(undone: CursorWrapper) -> None:
    roles.settle(connection, ROLE)
    undone.execute("SELECT relname, relacl::text, xmin::text FROM pg_class WHERE relname LIKE 'eventlog%' ORDER BY 1")
    before = undone.fetchall()

    roles.settle(connection, ROLE)

    undone.execute("SELECT relname, relacl::text, xmin::text FROM pg_class WHERE relname LIKE 'eventlog%' ORDER BY 1")
    assert undone.fetchall() == before


def test_without_the_right_to_make_roles_the_log_says_so(undone: CursorWrapper) -> None:
    undone.execute("SET LOCAL ROLE taki_owner")

    standing = roles.settle(connection, ROLE)

    assert standing is Standing.ABSENT
    assert "no role lamp_lighter" in standing.told(ROLE)


def test_a_role_that_owns_the_log_is_told_apart(undone: CursorWrapper) -> None:
    undone.execute("SELECT relowner::regrole::text FROM pg_class WHERE relname = 'eventlog_event'")
    (owner,) = undone.fetchone()

    assert roles.settle(connection, owner) is Standing.POWERFUL


def test_a_role_that_inherits_the_right_to_change_is_told_apart(undone: CursorWrapper) -> None:
    undone.execute("CREATE ROLE lamp_breaker")
    undone.execute("GRANT UPDATE ON eventlog_event TO lamp_breaker")
    undone.execute(f"CREATE ROLE {ROLE} IN ROLE lamp_breaker")

    assert roles.settle(connection, ROLE) is Standing.POWERFUL


@pytest.mark.django_db
def test_the_service_itself_does_not_own_the_log() -> None:
    assert not roles.is_owner(connection)
