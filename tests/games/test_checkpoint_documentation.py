"""The lines of docs/checkpoints.md and docs/fairness.md do and say what is true."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from math import comb, factorial, log2, perm
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from eventlog.checkpoint_store import MOST_STREAMS, make_checkpoint, make_checkpoints, rotation
from eventlog.signing import pem_of
from games.engine.cards import DECK, Deck
from tests.eventlog.keys import BOTH, PUBLIC, RING
from tests.games.people import people, play_out, started

ROOT = Path(__file__).resolve().parents[2]
CHECKPOINTS = (ROOT / "docs" / "checkpoints.md").read_text()
FAIRNESS = (ROOT / "docs" / "fairness.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", CHECKPOINTS, re.DOTALL)


def needs(*programs: str) -> pytest.MarkDecorator:
    absent = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")


KEEP, SHELL = blocks("sh")
(PYTHON,), (JAVASCRIPT,) = blocks("python"), blocks("js")
WAYS = [
    pytest.param(["sh", "-eu", "-c", SHELL], marks=needs("jq", "openssl"), id="shell"),
    pytest.param([sys.executable, "-c", PYTHON, PUBLIC], id="python"),
    pytest.param(["node", "check.js", PUBLIC], marks=needs("node"), id="javascript"),
]


def run(command: list[str], path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(path), **variables}
    return subprocess.run(command, cwd=path, env=environment, check=False, capture_output=True, text=True, timeout=60)


@pytest.fixture
def league(live_server: LiveServer, transactional_db: None, tmp_path: Path) -> Path:
    """A folder with checkpoints kept as the page says, through a handover of keys, and the record of a game."""
    players = people(2)
    game = started(players, ruleset={"options": {"hand_size": 3}})
    make_checkpoints(RING)
    play_out(players, game)
    make_checkpoint(rotation(BOTH))
    make_checkpoints(BOTH)
    (tmp_path / "game.ndjson").write_bytes(players[0].get(f"games/{game}/record").raw)
    (tmp_path / "key.pem").write_text(pem_of(PUBLIC))
    (tmp_path / "check.js").write_text(JAVASCRIPT)
    done = run(["sh", "-eu", "-c", KEEP], tmp_path, API=f"{live_server.url}/api/v1")
    assert (done.stderr, len((tmp_path / "checkpoints.ndjson").read_text().splitlines())) == ("", 3)
    again = run(["sh", "-eu", "-c", KEEP], tmp_path, API=f"{live_server.url}/api/v1")
    assert (again.stderr, len((tmp_path / "checkpoints.ndjson").read_text().splitlines())) == ("", 3)
    return tmp_path


def header(path: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((path / "game.ndjson").read_bytes().splitlines()[0])
    return found


@needs("curl")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", WAYS)
def test_the_lines_prove_a_record_and_find_one_that_was_rewritten(league: Path, command: list[str]) -> None:
    variables = {"N": "2", "GAME": header(league)["game"]}

    honest = run(command, league, **variables)
    record = (league / "game.ndjson").read_text()
    head = header(league)["head"]
    (league / "game.ndjson").write_text(record.replace(head, "ab" * 32))
    rewritten = run(command, league, **variables)

    assert (honest.stderr, honest.returncode) == ("", 0)
    assert f"events 1 to {header(league)['events']}" in honest.stdout
    assert rewritten.returncode != 0


@needs("curl")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", WAYS)
def test_the_lines_find_a_list_that_is_not_the_signed_one(league: Path, command: list[str]) -> None:
    file = league / "checkpoints.ndjson"
    file.write_text(re.sub(r'"heads":"([0-9a-f]{64}) \d+ ', r'"heads":"\1 1 ', file.read_text()))

    done = run(command, league, N="2", GAME=header(league)["game"])

    assert done.returncode != 0


def test_the_page_about_checkpoints_states_the_right_size() -> None:
    assert f"{MOST_STREAMS:,} games" in CHECKPOINTS
    assert 1.3e6 < MOST_STREAMS * len(f"{'a' * 64} 61 {'b' * 64}\n") < 1.4e6


def orders(deck: Deck) -> float:
    """The binary logarithm of the orders of a deck that can be told apart."""
    found = factorial(len(DECK[deck]))
    for copies in Counter(DECK[deck]).values():
        found //= factorial(copies)
    return log2(found)


def first_deals(players: int) -> float:
    found = 116 - 8 * players
    for seat in range(players):
        found *= comb(116 - 8 * seat, 8)
    return log2(found)


def test_the_page_about_fairness_states_the_right_numbers() -> None:
    assert f"116! ≈ 2^{log2(factorial(116)):.1f}" in FAIRNESS
    assert f"2^{orders(Deck.FULL_116):.1f} differ" in FAIRNESS
    assert f"112 cards: 2^{orders(Deck.KING_112):.1f}, 110: 2^{orders(Deck.BASIC_110):.1f}" in FAIRNESS
    assert f"one order in 2^{int(orders(Deck.FULL_116) - 256)}" in FAIRNESS
    assert (
        f"2^{first_deals(2):.0f} for two players, 2^{first_deals(4):.0f} for four, 2^{first_deals(6):.0f} for six"
        in FAIRNESS
    )
    assert f"With seven players (2^{first_deals(7):.0f})" in FAIRNESS
    assert f"with ten, one in 2^{first_deals(10) - 256:.0f}" in FAIRNESS
    assert f"first 37 cards of the deck can come up (2^{log2(perm(116, 37)):.1f})" in FAIRNESS
    assert f"first 40 (2^{log2(perm(116, 40)):.1f})" in FAIRNESS


def test_the_page_about_fairness_counts_and_shows_what_is_there() -> None:
    vectors = json.loads((ROOT / "examples" / "deal_vectors.json").read_text())
    program = (ROOT / "examples" / "verify_deal.js").read_text().splitlines()
    assert len(vectors) == 12
    assert "holds twelve, run by the tests" in FAIRNESS
    assert f"in {len(program)} lines of JavaScript" in FAIRNESS
    assert vectors[0]["key"] in FAIRNESS
    assert ", ".join(f"`{card}`" for card in vectors[0]["deal"][:4]) in FAIRNESS
