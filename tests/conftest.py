"""Fixtures for every test: real servers, a migrated database, a connection that may do what the service may not."""

import logging
import os
import random
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import redis
from django.db import connections
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from games.engine.fairness import SEED_BYTES
from taki_project.local.identity import identity
from taki_project.local.postgres import Postgres
from taki_project.local.servers_for_tests import forget, kept_home, running, sweep
from tests.databases import Connection, own_database
from tests.settings import DATABASE_NAME, HOME, REDIS_URL

SLOW_TO_DRAW = [HealthCheck.too_slow, HealthCheck.data_too_large]
# The same examples every time, or `HYPOTHESIS_PROFILE=deep` for many new ones; never a limit of time.
settings.register_profile("suite", max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW_TO_DRAW)
settings.register_profile("deep", max_examples=3000, deadline=None, suppress_health_check=SLOW_TO_DRAW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--deals`: which cards the tests play with."""
    parser.addoption("--deals", default="1", help="another word deals other cards in every test; default 1")


@pytest.fixture(autouse=True)
def deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test have the same cards in every run: what it plays depends on its name alone.

    Processes beside the test's own draw their seeds themselves, as the service does.
    """
    chance = random.Random(f"{request.config.getoption('deals')} {request.node.nodeid}")
    monkeypatch.setattr("games.services.lobby.new_seed", lambda: chance.randbytes(SEED_BYTES))


@pytest.fixture(autouse=True)
def no_window_of_a_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each limit's window lasts as long as its test: none ends between two calls that are counted together."""
    monkeypatch.setattr("httpapi.limits.time", SimpleNamespace(time=lambda: 1_796_000_000.0))


@pytest.fixture(autouse=True)
def counts_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may keep Valkey from its tenth of a second."""
    monkeypatch.setattr("httpapi.counts.PATIENCE_SECONDS", 60.0)


@pytest.fixture(scope="session")
def servers() -> Iterator[Postgres]:
    """PostgreSQL and Valkey: the kept ones, or own ones from the first test that asks to the last."""
    if kept_home() == HOME:
        yield Postgres(HOME, identity(HOME.database))
        return
    sweep()
    try:
        with running(HOME) as postgres:
            yield postgres
            logging.disable()  # threads that see the servers go have nobody left to tell
    finally:
        forget(HOME)


@pytest.fixture(scope="session")
def django_db_setup(servers: Postgres, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A copy of the migrated template, used as the application's role."""
    with redis.Redis.from_url(REDIS_URL) as client:
        client.flushdb()
    with own_database(servers, DATABASE_NAME), django_db_blocker.unblock():
        yield
        connections.close_all()


@pytest.fixture
def superuser(servers: Postgres, transactional_db: None) -> Iterator[Connection]:
    """A connection that no right stops, to forge and to look; autocommit."""
    with servers.connect(DATABASE_NAME) as connection:
        yield connection


@pytest.fixture
def redis_client(servers: Postgres) -> Iterator[redis.Redis]:
    """Our own database of Valkey, emptied before and after."""
    with redis.Redis.from_url(REDIS_URL) as client:
        client.flushdb()
        yield client
        client.flushdb()
