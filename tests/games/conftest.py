"""Players, tables and moves over real HTTP, as the tests of the game need them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.games import crowds
from tests.games.crowds import Crowd


@pytest.fixture(scope="session")
def pool(django_db_setup: None) -> Iterator[ProcessPoolExecutor]:
    """Processes of the service beside the test's own."""
    with crowds.processes() as started:
        yield started


@pytest.fixture(params=["threads", "processes"])
def crowd(request: pytest.FixtureRequest) -> Crowd:
    """Calls at one moment, from threads or from processes."""
    if request.param == "threads":
        return crowds.in_threads
    return crowds.in_processes(request.getfixturevalue("pool"))
