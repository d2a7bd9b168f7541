"""Fixtures for every test: real servers, a migrated database, a connection that may do what the service may not."""

from collections.abc import Iterator

import pytest
import redis
from django.db import connections
from pytest_django import DjangoDbBlocker

from taki_project.local.identity import identity
from taki_project.local.postgres import Postgres
from taki_project.local.servers_for_tests import forget, kept_home, running, sweep
from tests.databases import Connection, own_database
from tests.settings import DATABASE_NAME, HOME, REDIS_URL


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
