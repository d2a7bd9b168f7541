"""A query that a call does not take is refused, not overlooked."""

import pytest

from tests.games.people import people, seated

pytestmark = pytest.mark.django_db


def test_a_call_that_takes_no_query_refuses_one() -> None:
    host, guest = people(2)
    game = seated([host, guest])

    host.get(f"games/{game}?seat=1").refused(400, "invalid_request")
    host.get("me?x=1").refused(400, "invalid_request")
    guest.post(f"games/{game}/leave?dry_run=true").refused(400, "invalid_request")
    assert len(host.view(game)["seats"]) == 2
