"""Raw statements."""

import pytest

from httpapi.database import one_row


@pytest.mark.django_db
def test_raw_statements_are_prepared_on_the_server() -> None:
    for _ in range(8):
        one_row("SELECT 'prepared by the test'", ())
    found = one_row("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ("%prepared by the test%",))
    assert found == (1,)
