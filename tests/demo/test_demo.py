"""The demonstration plays to its end by HTTP alone, and says why where it cannot."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from games.models import DeadlineKind
from games.services import clock
from tests.platform.local_run import NOT_INHERITED, free_port

ROOT = Path(__file__).resolve().parents[2]


def demo(folder: Path, base_url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    return subprocess.run(
        [sys.executable, "-m", "demo", *arguments],
        cwd=ROOT,
        env=kept | {"BASE_URL": base_url, "VAR_DIR": str(folder)},
        check=False,
        capture_output=True,
        text=True,
        timeout=170,
    )


@pytest.fixture
def running_clock() -> Iterator[None]:
    """The sweep that a worker makes each second."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(0.2):
            clock.sweep([DeadlineKind.TURN])
        connections.close_all()

    thread = threading.Thread(target=go_on)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.fixture
def room_for_sign_ups(settings: LazySettings) -> None:
    """Other tests sign up from this address too."""
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sign_up": "1000/3600"}


@pytest.mark.usefixtures("room_for_sign_ups")
@pytest.mark.django_db(transaction=True)
def test_four_players_play_both_the_clock_acts_and_everything_verifies(
    live_server: LiveServer, running_clock: None, tmp_path: Path
) -> None:
    played = demo(tmp_path, live_server.url, "--stages=1", "--turn-seconds=1")
    assert (played.returncode, played.stderr) == (0, ""), played.stdout
    said = played.stdout
    assert said.count("the clock: Gil is silent too long") == said.count("acted for the silent player")
    assert said.count("deal holds") == said.count("moves a second") == 2
    assert "is through" in said
    assert f"{live_server.url}/tournaments/" in said
    assert len(said.splitlines()) < 200
    for name in ("single", "tournament"):
        record = tmp_path / "demo" / f"{name}.ndjson"
        replayed = subprocess.run(
            [sys.executable, "-m", "games.engine.replay", str(record)], cwd=ROOT, check=False, capture_output=True
        )
        assert replayed.returncode == 0
    assert (tmp_path / "demo" / "stages.svg").read_text().startswith("<svg")


@pytest.mark.django_db(transaction=True)
def test_it_says_so_where_the_address_may_sign_nobody_up(
    live_server: LiveServer, settings: LazySettings, tmp_path: Path
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sign_up": "2/3600"}
    played = demo(tmp_path, live_server.url)
    assert played.returncode == 1
    assert "LIMIT_SIGN_UP" in played.stderr
    assert "Try again in" in played.stderr
    assert "Traceback" not in played.stderr


def test_it_says_so_where_no_service_is(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    played = demo(tmp_path, address)
    assert (played.returncode, played.stdout) == (1, "")
    assert played.stderr.startswith(f"demo: no service is ready at {address}")


@pytest.mark.usefixtures("room_for_sign_ups")
@pytest.mark.django_db(transaction=True)
def test_it_gives_up_in_time(live_server: LiveServer, tmp_path: Path) -> None:
    played = demo(tmp_path, live_server.url, "--at-most=0")
    assert played.returncode == 1
    assert "no end within the time set" in played.stderr
