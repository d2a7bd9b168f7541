"""What passes between beat, broker and worker, and what of it may fail without anyone waiting."""

from __future__ import annotations

import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import redis
from django.conf import settings
from kombu.exceptions import OperationalError

from games.tasks import draw_due_penalties, settle_expired_turns
from taki_project import beat, standby
from taki_project.celery import app

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("settle_expired_turns", "draw_due_penalties")


@pytest.mark.parametrize("name", TASKS)
def test_each_second_a_sweep_is_asked_for_in_the_clocks_own_queue(name: str) -> None:
    entry: Any = settings.CELERY_BEAT_SCHEDULE[name]
    assert (entry["task"], entry["schedule"]) == (name, 1)
    assert entry["options"]["queue"] == "clock"
    assert app.amqp.router.route({}, name)["queue"].name == "clock"
    assert name in app.tasks


@pytest.fixture
def scheduler(redis_client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[beat.Scheduler]:
    """Beat's scheduler, before its first tick, with a broker that a busy machine may hold up."""
    for name in ("socket_connect_timeout", "socket_timeout"):
        monkeypatch.setitem(app.conf.broker_transport_options, name, 60)
    made = beat.Scheduler(app, schedule_filename=str(tmp_path / "beat"))
    yield made
    made.close()


def test_a_sweep_that_comes_late_by_an_interval_is_not_made(
    scheduler: beat.Scheduler, redis_client: redis.Redis
) -> None:
    before = time.time()
    scheduler.apply_entry(scheduler.schedule["settle_expired_turns"])
    after = time.time()
    message = json.loads(redis_client.lindex("clock", 0))  # type: ignore[arg-type]
    expires = datetime.fromisoformat(message["headers"]["expires"]).timestamp()
    assert before + 0.9 < expires < after + 1.1


def test_beat_stops_filling_a_queue_that_nobody_empties(
    scheduler: beat.Scheduler, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beat, "MOST_WAITING", 5)
    for _ in range(10):
        scheduler.apply_entry(scheduler.schedule["settle_expired_turns"])
    assert redis_client.llen("clock") == 5
    redis_client.delete("clock")
    scheduler.apply_entry(scheduler.schedule["draw_due_penalties"])
    assert redis_client.llen("clock") == 1


def test_beat_says_once_a_minute_that_the_broker_is_away(
    scheduler: beat.Scheduler, absent: str, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler.__dict__["producer"] = app.amqp.Producer(app.connection_for_write(absent))
    for _ in range(3):
        scheduler.apply_entry(scheduler.schedule["settle_expired_turns"])
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert warnings[0].startswith("the broker does not take settle_expired_turns: ")


@pytest.fixture
def absent() -> str:
    """A broker that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@pytest.fixture
def silent() -> Iterator[str]:
    """A broker that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@pytest.mark.parametrize("broker", ["absent", "silent"])
def test_to_ask_an_absent_broker_fails_at_once(broker: str, request: pytest.FixtureRequest) -> None:
    """Two tenths of a second to connect, two to be answered, no second try; with the defaults it took 19 seconds.

    How long it took is not measured: a busy machine may take longer.
    """
    url, task = request.getfixturevalue(broker), cast("Any", settle_expired_turns)
    options = app.conf.broker_transport_options
    assert options == {"socket_connect_timeout": 0.2, "socket_timeout": 0.2, "max_retries": 0}
    assert app.conf.task_publish_retry is False
    with pytest.raises(OperationalError), app.connection_for_write(url) as connection:
        task.apply_async(connection=connection)


def test_no_request_enqueues_anything() -> None:
    """So no answer depends on a broker: what has to be done later has a due row that a sweep finds."""
    rooms = ("accounts", "eventlog", "games", "httpapi", "tournaments")
    sources = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    assert len(sources) > 50
    assert [str(path) for path in sources if re.search(r"\.(delay|apply_async|send_task)\(", path.read_text())] == []


def test_the_worker_stands_in_only_while_nobody_asks_or_a_sweep_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = SimpleNamespace(now=100.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(standby, "time", clock)
    watch = standby.Watch()
    assert not watch.is_silent()
    clock.now += standby.PATIENCE + 0.1
    assert watch.is_silent()
    watch.began()
    assert not watch.is_silent()
    clock.now += standby.LONGEST_SWEEP - 0.1
    assert not watch.is_silent()
    clock.now += 0.2
    assert watch.is_silent()
    watch.ended()
    assert not watch.is_silent()


def test_both_tasks_are_named_for_what_they_do() -> None:
    assert (settle_expired_turns.name, draw_due_penalties.name) == TASKS
