"""Limits: counted together through Valkey, in the process alone while it is away, and never waited for."""

import itertools
import socket
import threading
import time
from types import SimpleNamespace

import pytest
import redis
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import RequestFactory

from httpapi import counts, limits
from httpapi.counts import Breaker, LocalCounts, SharedCounts
from httpapi.meter import Meter, meter
from httpapi.problems import TooManyRequests
from tests.settings import REDIS_URL

PATIENCE = counts.PATIENCE_SECONDS


@pytest.fixture
def absent() -> str:
    """A server that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return f"redis://127.0.0.1:{port}/0"


@pytest.fixture(autouse=True)
def small_limits(settings: LazySettings) -> None:
    settings.RATE_LIMITS = {"account": "3/60", "sign_up": "2/3600", "guest": "5/60"}


def spend(address: str = "203.0.113.1", name: str = "sign_up") -> dict[str, str]:
    """One call from an address; the headers of its answer."""
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    limits.spend_by_address(request, name)
    response = HttpResponse()
    limits.add_headers(request, response)
    return dict(response.headers)


def test_each_answer_tells_the_limit_and_what_is_left() -> None:
    first, second = spend(), spend()
    assert first["RateLimit-Policy"] == '"sign_up";q=2;w=3600'
    assert first["RateLimit"].startswith('"sign_up";r=1;t=')
    assert second["RateLimit"].startswith('"sign_up";r=0;t=')
    assert 0 < int(first["RateLimit"].rpartition("=")[2]) <= 3600


def test_beyond_the_limit_the_refusal_says_which_and_when_to_try_again() -> None:
    spend()
    spend()
    with pytest.raises(TooManyRequests) as refusal:
        spend()
    params = refusal.value.params
    assert (params["limit"], params["quota"], params["window_seconds"]) == ("sign_up", 2, 3600)
    assert refusal.value.headers["Retry-After"] == str(params["retry_after_seconds"])


def test_each_address_and_each_limit_is_counted_alone() -> None:
    spend()
    spend()
    assert spend("203.0.113.2")["RateLimit"].startswith('"sign_up";r=1')
    assert spend(name="guest")["RateLimit"].startswith('"guest";r=4')


def test_processes_count_together(redis_client: redis.Redis) -> None:
    here, there = SharedCounts(REDIS_URL), SharedCounts(REDIS_URL)
    here.add({"limit:x": 1}, 60)
    assert there.add({"limit:x": 1}, 60) == {"limit:x": 2}
    assert here.get(["limit:x", "limit:y"]) == {"limit:x": 2, "limit:y": 0}
    assert 0 < redis_client.ttl("limit:x") <= 60


def test_the_quota_is_whole_again_when_its_window_ends(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMITS = {"sign_up": "1/1"}
    spend()
    with pytest.raises(TooManyRequests):
        spend()
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 1_796_000_001.0))
    spend()


def asked(server: socket.socket) -> int:
    """How many connections a server has been offered that nobody took so far."""
    server.setblocking(False)
    for number in itertools.count():
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return number
    raise AssertionError


def test_while_the_server_is_absent_the_process_counts_alone(settings: LazySettings, absent: str) -> None:
    settings.REDIS_URL = absent
    counts.shared.cache_clear()
    spend()
    spend()
    with pytest.raises(TooManyRequests):
        spend()


def test_a_server_that_does_not_answer_costs_one_call_a_fifth_of_a_second_and_the_next_nothing(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PATIENCE * 2 == 0.2
    monkeypatch.setattr(counts, "PATIENCE_SECONDS", PATIENCE)
    monkeypatch.setattr(counts, "BREAK_SECONDS", 3600.0)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        settings.REDIS_URL = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        counts.shared.cache_clear()
        spend(name="guest")
        assert asked(server) == 1
        for _ in range(4):
            spend(name="guest")
        assert asked(server) == 0


def test_after_its_return_the_server_is_asked_again(monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    monkeypatch.setattr(counts, "BREAK_SECONDS", 3600.0)
    shared = SharedCounts(absent)
    shared.add({"limit:x": 1}, 60)
    shared._client = counts._client(REDIS_URL)
    SharedCounts(REDIS_URL).add({"limit:x": 10}, 60)
    assert shared.add({"limit:x": 1}, 60) == {"limit:x": 2}
    shared._breaker._closed_at = time.monotonic()
    assert shared.add({"limit:x": 1}, 60) == {"limit:x": 11}


def test_a_broken_way_is_tried_by_one_caller_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "BREAK_SECONDS", 1.0)
    breaker = Breaker()
    assert breaker.lets_through()
    breaker.failed()
    assert not breaker.lets_through()
    time.sleep(1.1)
    assert [breaker.lets_through() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert [breaker.lets_through() for _ in range(3)] == [True, True, True]


def test_counts_of_the_process_that_have_ended_are_dropped_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_MOST_LOCAL_COUNTS", 3)
    local = LocalCounts()
    for number in range(3):
        local.add(f"old {number}", 1, seconds=0)
    local.add("new", 1, seconds=60)
    assert (local.get("old 1"), local.get("new")) == (0, 1)


def test_a_flood_of_addresses_costs_neither_memory_nor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_MOST_LOCAL_COUNTS", 100)
    local = LocalCounts()
    for number in range(1_000):
        local.add(f"address {number}", 1, seconds=60)
    assert len(local._counts) <= 100


def test_accounts_are_counted_without_a_word_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    askers: list[threading.Thread] = []

    def told(self: SharedCounts, commands: object) -> list[object]:
        askers.append(threading.current_thread())
        return []

    monkeypatch.setattr(SharedCounts, "_ask", told)
    meter.cache_clear()
    request = RequestFactory().get("/")
    for _ in range(3):
        limits.spend_by_account(request, "a")
    with pytest.raises(TooManyRequests):
        limits.spend_by_account(request, "a")
    assert threading.current_thread() not in askers


def test_processes_learn_of_each_others_calls_at_the_next_exchange() -> None:
    here, there = Meter(SharedCounts(REDIS_URL)), Meter(SharedCounts(REDIS_URL))
    for _ in range(5):
        here.add("limit:x", 60)
    assert there.add("limit:x", 60) == 1
    here.exchange()
    there.exchange()
    assert there.add("limit:x", 60) == 7


def test_the_exchange_goes_on_by_itself() -> None:
    here, there = Meter(SharedCounts(REDIS_URL)), SharedCounts(REDIS_URL)
    here.add("limit:exchange", 60)
    deadline = time.monotonic() + 60
    while there.get(["limit:exchange"]) != {"limit:exchange": 1}:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_windows_that_ended_are_forgotten_by_the_meter() -> None:
    own = Meter(SharedCounts(REDIS_URL))
    own.add("limit:x", 0)
    own.exchange()
    assert own._counts == {}


@pytest.mark.parametrize("words", ["", "60", "0/60", "60/0", "a/b", "-1/5", "1.5/5"])
def test_a_limit_that_cannot_be_read_stops_the_service_with_its_name(settings: LazySettings, words: str) -> None:
    settings.RATE_LIMITS = {"sign_up": words}
    with pytest.raises(ImproperlyConfigured, match="sign_up"):
        limits.policy("sign_up")
