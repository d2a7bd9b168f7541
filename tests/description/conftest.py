"""Counts begin at nought for every test."""

import pytest
import redis

from httpapi import counts
from httpapi.meter import meter


@pytest.fixture(autouse=True)
def fresh_counts(redis_client: redis.Redis) -> None:
    counts.shared.cache_clear()
    meter.cache_clear()
