"""Counts begin at nought for every test, and views of tests have addresses."""

from collections.abc import Iterator

import pytest
import redis

from httpapi import counts
from httpapi.meter import meter
from tests.httpapi.urls import Work


@pytest.fixture(autouse=True)
def fresh_counts(redis_client: redis.Redis) -> Iterator[None]:
    counts.shared.cache_clear()
    meter.cache_clear()
    Work.inside.clear()
    Work.go_on.clear()
    yield
    Work.go_on.set()
