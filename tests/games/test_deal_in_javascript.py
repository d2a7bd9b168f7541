"""The deal proven by the JavaScript that is given to client developers, under node, without a line of ours in Python."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from games.engine.ruleset import FirstPlayer, Mode, Ruleset
from tests.games.engine.recorded import play_record, record_lines
from tests.games.people import Json, opened, people, play_out, started

NODE = shutil.which("node")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PROGRAM = EXAMPLES / "verify_deal.js"
VECTORS = EXAMPLES / "deal_vectors.json"

COMPARE = """
const { deepStrictEqual } = require("node:assert");
const { commitmentOf, deckOf, keyOf, pick, shuffle } = require(process.argv[1]);
const vectors = require(process.argv[2]);
for (const vector of vectors) {
  const key = keyOf(vector.server_seed, vector.client_seeds);
  deepStrictEqual(commitmentOf(vector.server_seed), vector.commitment);
  deepStrictEqual(key.toString("hex"), vector.key);
  deepStrictEqual(shuffle(key, 0, deckOf(vector.deck)), vector.deal);
  deepStrictEqual(pick(key, vector.client_seeds.length), vector.first_player);
  for (const { round, cards, shuffled } of vector.reshuffles) deepStrictEqual(shuffle(key, round, cards), shuffled);
}
console.log(vectors.length);
"""

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    return subprocess.run([NODE, *arguments], check=False, capture_output=True, text=True, timeout=60)


def proven(path: Path, record: bytes) -> subprocess.CompletedProcess[str]:
    file = path / "game.ndjson"
    file.write_bytes(record)
    return run(str(PROGRAM), str(file))


def test_the_program_is_short_and_needs_nothing_but_node() -> None:
    text = PROGRAM.read_text()

    assert len(text.splitlines()) < 80
    assert text.count("require(") == text.count('require("node:') > 0


@needs_node
def test_it_gives_the_deals_of_all_vectors() -> None:
    done = run("-e", COMPARE, str(PROGRAM), str(VECTORS))

    assert (done.stdout, done.stderr) == (f"{len(json.loads(VECTORS.read_text()))}\n", "")


@needs_node
@pytest.mark.django_db
def test_it_proves_the_record_of_a_game_played_over_http(tmp_path: Path) -> None:
    players = people(10)
    for _ in range(12):  # one in some games ends before the pile is used up
        game = started(players, ruleset={"options": {"hand_size": 10}})
        play_out(players, game)

        done = proven(tmp_path, players[0].get(f"games/{game}/record").raw)

        assert done.stderr == ""
        assert done.stdout.startswith(f"game {game}: commitment, deal and ")
        if " 0 reshuffles" not in done.stdout:
            return
    pytest.fail("no game of twelve was shuffled anew")


@needs_node
@pytest.mark.django_db
def test_it_proves_what_a_void_table_promised(tmp_path: Path) -> None:
    (host,) = people(1)
    game = opened(host)["id"]
    host.post(f"games/{game}/cancel").ok()

    assert proven(tmp_path, host.get(f"games/{game}/record").raw).returncode == 0


@needs_node
@pytest.mark.parametrize(
    "rules",
    [
        Ruleset(first_player=FirstPlayer.RANDOM),
        Ruleset(mode=Mode.TOURNAMENT),
        Ruleset(hand_size=3, last_card_penalty=20),
    ],
    ids=["drawn first player", "tournament", "many penalties"],
)
@pytest.mark.parametrize("seed", range(3))
def test_it_proves_records_under_other_rules(tmp_path: Path, rules: Ruleset, seed: int) -> None:
    record = b"\n".join(record_lines(play_record(seed, rules), rules))

    assert proven(tmp_path, record).stderr == ""


FORGERIES: dict[str, tuple[Callable[[Json], object], str]] = {
    "seed_revealed": (lambda data: data.update(seed="00" * 32), "not the one that was promised"),
    "seat_taken": (lambda data: data.update(client_seed="mine"), "other seeds than before the start"),
    "game_started": (lambda data: data.update(first=1 - data["first"]), "another seat was drawn"),
    "deck_shuffled": (lambda data: data["cards"].reverse(), "another deck"),
    "hand_dealt": (lambda data: data["cards"].reverse(), "another hand"),
    "cards_drawn": (lambda data: data.update(cards=["king", "king", "king"]), "other cards lay on the pile"),
    "pile_reshuffled": (lambda data: data["cards"].reverse(), "another reshuffle"),
}


@needs_node
@pytest.mark.parametrize("kind", FORGERIES)
def test_it_finds_a_forged_event(tmp_path: Path, kind: str) -> None:
    rules = Ruleset(first_player=FirstPlayer.RANDOM)
    header, *events = [json.loads(line) for line in record_lines(play_record(6, rules), rules)]
    forged: Json = next(event for event in events if event["kind"] == kind)
    change, fault = FORGERIES[kind]
    change(forged["data"])

    done = proven(tmp_path, "\n".join(map(json.dumps, [header, *events])).encode())

    assert done.returncode == 1
    assert fault in done.stderr
