"""Where a local run keeps its things."""

import os
import time
from pathlib import Path

import pytest

from taki_project.local import orphans
from taki_project.local.complaints import CannotStart
from taki_project.local.home import LONGEST_SOCKET_FOLDER, Home
from taki_project.local.identity import Identity
from taki_project.local.supervisor import FIRST_PAUSE, RESTARTS, Entry, Supervisor

PLAIN = Identity(Path("/"))


def test_sockets_lie_inside_unless_their_path_would_be_too_long(tmp_path: Path) -> None:
    assert Home(tmp_path).sockets == tmp_path / "sockets"
    deep = Home(tmp_path / ("x" * 120))
    assert len(os.fsencode(deep.sockets)) <= LONGEST_SOCKET_FOLDER
    assert deep.sockets != Home(tmp_path / ("x" * 121)).sockets


def test_only_the_own_account_may_enter_what_was_made(tmp_path: Path) -> None:
    home = Home(tmp_path / "var")
    home.prepare(PLAIN)
    assert {path.stat().st_mode & 0o777 for path in (home.root, home.sockets, home.log, home.valkey)} == {0o700}


def test_a_socket_folder_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    home = Home(tmp_path / "var")
    home.root.mkdir()
    (tmp_path / "elsewhere").mkdir()
    home.sockets.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotStart, match="belongs to somebody else"):
        home.prepare(PLAIN)


def test_a_home_is_held_by_one_run_and_free_again_afterwards(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.held():
        assert home.is_held()
        with pytest.raises(CannotStart, match="already running"), home.held():
            pass
    assert not home.is_held()


def test_a_process_in_a_session_of_its_own_is_found_and_ended(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare(PLAIN)
    supervisor = Supervisor()
    command = ("sh", "-c", "setsid sleep 600 & exec sleep 600")
    supervisor.start(Entry(name="sleepers", command=command, log=home.log / "x.log", environment=orphans.mark(home)))
    assert len(orphans.left_by(home)) >= 1
    supervisor.stop()
    orphans.end(home)
    assert orphans.left_by(home) == []


def test_processes_that_end_together_start_again_without_waiting_for_each_other(tmp_path: Path) -> None:
    supervisor = Supervisor()
    for name in ("one", "two", "three", "four"):
        supervisor.start(Entry(name=name, command=("sleep", "600"), log=tmp_path / "x.log"))
    try:
        for running in supervisor.running:
            running.process.kill()
            running.process.wait()
        began = time.monotonic()
        supervisor.look_after(lambda _: None)
        due = [running.starts_at for running in supervisor.running]
        assert all(moment is not None and moment >= began + FIRST_PAUSE for moment in due)
        time.sleep(max(0.0, 2 * FIRST_PAUSE + max(moment or 0 for moment in due) - time.monotonic()))
        supervisor.look_after(lambda _: None)
        assert all(running.process.poll() is None for running in supervisor.running)
    finally:
        supervisor.stop()


@pytest.mark.slow
def test_a_process_that_keeps_ending_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    supervisor = Supervisor()
    command = ("sh", "-c", "echo Error: no such thing; exit 3")
    said: list[str] = []
    supervisor.start(Entry(name="the loser", command=command, log=tmp_path / "x.log"))
    with pytest.raises(CannotStart, match="the loser keeps ending: Error: no such thing"):
        supervisor.watch(said.append)
    assert len(said) == RESTARTS
