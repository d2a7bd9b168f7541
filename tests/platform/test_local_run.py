"""What `make run` promises to the person who types it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import psycopg
import pytest
import redis

from taki_project.local import orphans
from taki_project.local.home import Home, home_at, outside_of
from taki_project.local.postgres import APPLICATION, OWNER
from tests.platform.local_run import LocalRun, free_port, local_run


def keep_something(home: Home) -> None:
    with psycopg.connect(home.database_url(OWNER)) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with redis.Redis.from_url(home.redis_url) as client:
        client.set("kept", "42")


def what_was_kept(home: Home) -> tuple[object, object]:
    with psycopg.connect(home.database_url(APPLICATION)) as connection:
        row = connection.execute("SELECT answer FROM kept").fetchone()
    with redis.Redis.from_url(home.redis_url) as client:
        return row and row[0], client.get("kept")


def status(port: int, path: str) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = LocalRun(tmp_path, port)
        assert run.said() == f"make run: port {port} of 127.0.0.1 is taken; another one: make run PORT={port + 1}\n"
    assert run.process.returncode == 1


def test_a_second_run_beside_the_first_is_told_in_one_line(tmp_path: Path) -> None:
    with home_at(tmp_path).held("http://127.0.0.1:8000"):
        run = LocalRun(tmp_path, free_port())
        said = run.said()
    assert said.startswith("make run: already running here (process ")
    assert said.endswith(", http://127.0.0.1:8000)\n")
    assert run.process.returncode == 1


@pytest.mark.parametrize(
    "name, value, complaint",
    [
        ("PORT", "eighty", "PORT must be a whole number, not 'eighty'"),
        ("PORT", "70000", "PORT must lie between 1 and 65535, not at 70000"),
        ("VAR_DIR", "/proc/nowhere", "cannot write to /proc/nowhere: No such file or directory"),
    ],
)
def test_an_impossible_setting_is_told_in_one_line(tmp_path: Path, name: str, value: str, complaint: str) -> None:
    run = LocalRun(tmp_path, free_port(), **{name: value})
    assert (run.said(), run.process.returncode) == (f"make run: {complaint}\n", 1)


def test_the_data_outlives_a_supervisor_that_is_killed_and_a_stop_leaves_no_process(tmp_path: Path) -> None:
    port = free_port()
    with local_run(tmp_path, port, CHECKPOINT_KEYS="") as first:
        assert status(port, "/health/ready") == 200
        assert first.terminal.read_text().startswith("a key to sign checkpoints was made, kept in ")
        keep_something(first.home)
        first.process.kill()
        first.process.wait()
        assert first.processes(), "PostgreSQL, Valkey and the web server have sessions of their own"
        with local_run(tmp_path, port) as second:
            assert what_was_kept(second.home) == (42, b"42")
            sessions = second.processes()
            assert second.stop(signal.SIGINT) == "Stopped; everything is kept."
            assert second.process.returncode == 0
            assert not [process for process in sessions if orphans._is_at_work(process)]


@pytest.mark.slow
def test_the_data_outlives_a_kill_of_everything_three_times_running(tmp_path: Path) -> None:
    port = free_port()
    with local_run(tmp_path, port) as first:
        keep_something(first.home)
        first.kill_everything()
    for _ in range(3):
        with local_run(tmp_path, port) as run:
            assert what_was_kept(run.home) == (42, b"42")
            run.kill_everything()


@pytest.mark.slow
def test_a_kill_during_the_first_start_leaves_nothing_half_made(tmp_path: Path) -> None:
    for pause in (0.3, 0.6, 0.9, 1.2, 1.6, 2.0):
        run = LocalRun(tmp_path, free_port())
        time.sleep(pause)
        run.kill_everything()
    with local_run(tmp_path, free_port()) as run:
        assert status(run.port, "/health/ready") == 200


@pytest.mark.slow
@pytest.mark.parametrize("name", ["postgres", "valkey-server", "granian"])
def test_a_process_that_dies_is_started_again(tmp_path: Path, name: str) -> None:
    with local_run(tmp_path, free_port()) as run:
        keep_something(run.home)
        leaders = {process.pid: process for process in run.processes() if process.ppid() == run.process.pid}
        next(process for process in leaders.values() if name in " ".join(process.cmdline())).kill()
        run.await_line("starting it again")
        give_up = time.monotonic() + 15
        while True:
            try:
                assert what_was_kept(run.home) == (42, b"42")
                assert status(run.port, "/health/ready") == 200
                break
            except (OSError, AssertionError, psycopg.Error, redis.RedisError):
                assert time.monotonic() < give_up
                time.sleep(0.1)
        run.stop()


@pytest.mark.slow
def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    start = f"VAR_DIR={tmp_path} {sys.executable} -m taki_project.local.run"
    script = f"mount -t tmpfs -o size=30m none {tmp_path} && {start}"
    run = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script], check=False, capture_output=True, text=True
    )
    assert run.stderr.startswith(f"make run: the disk of {tmp_path} is full: ")
    assert run.stderr.count("\n") == run.returncode == 1


@pytest.mark.slow
def test_with_both_addresses_given_nothing_embedded_starts(tmp_path: Path) -> None:
    with local_run(tmp_path / "one", free_port()) as servers:
        addresses = dict(line.split("=", 1) for line in servers.home.addresses.read_text().splitlines())
        del addresses["VAR_DIR"]
        with local_run(tmp_path / "two", free_port(), **addresses) as run:
            assert status(run.port, "/health/ready") == 200
            assert not {process.name() for process in run.processes()} & {"postgres", "valkey-server"}
            run.stop()
        servers.stop()


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_where_namespaces_are_refused_root_runs_the_database_as_somebody_else(tmp_path: Path) -> None:
    refusing = tmp_path / "programs" / "unshare"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    run = LocalRun(tmp_path / "var", free_port(), PATH=f"{refusing.parent}:{os.environ['PATH']}")
    run.home = Home(run.home.root, outside_of(run.home.root))
    try:
        run.await_line("Ready after")
        keep_something(run.home)
        assert what_was_kept(run.home) == (42, b"42")
        servers = [process for process in run.processes() if process.name() == "postgres"]
        assert servers
        assert all(process.username() != "root" for process in servers)
        run.stop()
        assert not run.processes()
    finally:
        orphans.end(run.home)
        shutil.rmtree(run.home.database)
