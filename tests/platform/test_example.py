"""The example for client developers plays by HTTP alone."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "play.py"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_example_plays_a_game_and_a_tournament_and_both_verify(live_server: LiveServer) -> None:
    played = subprocess.run(
        [sys.executable, str(EXAMPLE), live_server.url], check=False, capture_output=True, text=True, timeout=600
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.count("deal holds") == 2
