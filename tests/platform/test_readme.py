"""The README keeps its word."""

import re
import subprocess
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def first_game() -> str:
    match = re.search(r"<!-- first game: begin -->\n```sh\n(.*?)```\n<!-- first game: end -->", README, re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.django_db(transaction=True)
def test_the_first_game_of_the_readme_is_played_to_its_end_and_verifies(live_server: LiveServer) -> None:
    lines = first_game().replace("http://127.0.0.1:8000", live_server.url)
    played = subprocess.run(["sh", "-eu", "-c", lines], check=False, capture_output=True, text=True, timeout=240)
    assert (played.returncode, played.stderr) == (0, "")
    hand, moves, events, result, checks = played.stdout.splitlines()
    assert len(eval(hand)) == 8
    assert "draw" in moves
    assert "cards_drawn" in events
    assert eval(result)["ended"] in {"won", "stalemate", "no_winner"}
    assert [check["name"] for check in eval(checks) if not check["ok"]] == ["checkpoints"], "the first is yet to come"


def test_the_readme_is_short_and_names_documents_that_exist() -> None:
    assert len(README.splitlines()) < 120
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / name).exists(), name
