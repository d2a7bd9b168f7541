"""The demonstration with the whole service: its own, or the one that runs already."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taki_project.local import orphans
from taki_project.local.home import home_at
from tests.platform.local_run import NOT_INHERITED, ROOT, free_port, local_run

pytestmark = pytest.mark.slow
SHORT = ("--stages=2", "--turn-seconds=1")


def demo(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if name not in {*NOT_INHERITED, "BASE_URL"}}
    return subprocess.Popen(
        [sys.executable, "-m", "demo", *arguments],
        cwd=ROOT,
        env=kept | {"VAR_DIR": str(folder), "PORT": str(free_port()), "WEB_WORKERS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_starts_the_service_and_leaves_nothing_running(tmp_path: Path) -> None:
    home = home_at((tmp_path / "var").resolve())
    try:
        said, complaints = demo(home.root, *SHORT).communicate(timeout=300)
        assert complaints == ""
        assert "All of it holds" in said
        assert said.count("acted for the silent player") == 2
        assert said.splitlines()[-1].startswith("The service of the demonstration has ended")
        assert orphans.left_by(home) == []
    finally:
        orphans.end(home)


def test_it_uses_the_service_that_runs_here_and_lets_it_run(tmp_path: Path) -> None:
    with local_run(tmp_path / "var", free_port()) as run:
        said, complaints = demo(run.home.root, *SHORT).communicate(timeout=300)
        assert complaints == ""
        assert said.startswith(f"Playing at the running service, http://127.0.0.1:{run.port}\n")
        assert "All of it holds" in said
        assert run.process.poll() is None


def test_ending_it_ends_its_service(tmp_path: Path) -> None:
    home = home_at((tmp_path / "var").resolve())
    try:
        started = demo(home.root)
        while not orphans.left_by(home):
            assert started.poll() is None
            time.sleep(0.2)
        started.send_signal(signal.SIGTERM)
        _, complaints = started.communicate(timeout=120)
        assert (started.returncode, complaints) == (1, "demo: stopped\n")
        assert orphans.left_by(home) == []
    finally:
        orphans.end(home)
