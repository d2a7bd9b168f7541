import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings

from eventlog import record as lines
from eventlog.records import StoredEvent
from games.engine.record import Check, RecordFault, checks, read_record
from games.engine.replay import main
from games.engine.ruleset import Ruleset
from tests.games.engine.recorded import SEED, forged, header_of, play_record, record_lines
from tests.games.engine.strategies import rulesets, seeds

ROWS = play_record(3, Ruleset(), most_moves=300)


def made(rows: list[StoredEvent], rules: Ruleset | None = None) -> dict[str, Check]:
    return {check.name: check for check in checks(read_record(record_lines(rows, rules or Ruleset())))}


def with_payload(rows: list[StoredEvent], kind: str, change: Callable[[dict[str, object]], None]) -> list[StoredEvent]:
    """The rows with the data of the first event of a kind changed, and chained anew."""
    at = next(place for place, row in enumerate(rows) if row.kind == kind)
    data = msgspec.json.decode(rows[at].payload)
    change(data)
    payload = msgspec.json.encode(data, order="sorted")
    return forged([*rows[:at], msgspec.structs.replace(rows[at], payload=payload), *rows[at + 1 :]])


def test_every_proof_of_an_honest_record_holds() -> None:
    proofs = made(ROWS)

    assert list(proofs) == ["numbers", "chain", "commitment", "table", "deal", "replay", "decisions"]
    assert all(proof.ok for proof in proofs.values())


@settings(max_examples=25)
@given(rulesets(), seeds)
def test_records_under_any_options_are_decided_again_event_by_event(rules: Ruleset, seed: int) -> None:
    proofs = made(play_record(seed, rules, most_moves=150), rules)

    assert all(proof.ok for proof in proofs.values()), proofs


def test_a_missing_event_is_named() -> None:
    check = made(ROWS[:40] + ROWS[41:])["numbers"]

    assert (check.ok, check.detail) == (False, "event 41: missing: event 42 stands in its place")


def test_a_cut_tail_is_found_by_the_header() -> None:
    texts = [msgspec.json.encode(header_of(ROWS, Ruleset())), *(lines.line(row) for row in ROWS[:-3])]

    (check,) = checks(read_record(texts))

    assert (check.name, check.ok) == ("numbers", False)


def test_an_altered_event_breaks_the_chain_there() -> None:
    rows = list(ROWS)
    rows[50] = msgspec.structs.replace(rows[50], at=rows[50].at + 1)

    assert made(rows)["chain"].detail.startswith("event 51:")


def test_a_forged_seed_is_not_the_one_committed_to() -> None:
    rows = with_payload(ROWS, "seed_revealed", lambda data: data.update(seed="00" * 32))

    assert made(rows)["commitment"].ok is False


def test_another_client_seed_at_the_start_is_found() -> None:
    def change(data: dict[str, object]) -> None:
        data["client_seeds"] = ["mine"] * len(data["players"])  # type: ignore[arg-type]

    assert made(with_payload(ROWS, "game_started", change))["commitment"].ok is False


def test_a_forged_deal_is_found() -> None:
    def change(data: dict[str, object]) -> None:
        cards = data["cards"]
        assert isinstance(cards, list)
        cards.reverse()

    proofs = made(with_payload(ROWS, "hand_dealt", change))

    assert proofs["deal"].ok is False
    assert "another deal" in proofs["deal"].detail


def test_other_rules_in_the_header_are_found() -> None:
    assert made(ROWS, Ruleset(win_on_plus=True))["table"].ok is False


def test_a_card_played_twice_is_found_by_the_replay() -> None:
    at = next(place for place, row in enumerate(ROWS) if row.kind == "cards_played")

    proofs = made(forged([*ROWS[: at + 1], ROWS[at], *ROWS[at + 1 :]]))

    assert proofs["replay"].ok is False


def test_a_decision_against_the_rules_is_found() -> None:
    at = next(place for place, row in enumerate(ROWS) if row.kind == "turn_passed")
    rows = with_payload(ROWS, "turn_passed", lambda data: data.update(to=(data["to"] + 1) % 2))  # type: ignore[operator]

    proof = made(rows)["decisions"]

    assert proof.ok is False
    assert int(proof.detail.split(":")[0].removeprefix("event ")) <= at + 1


def test_a_record_without_a_start_proves_what_there_is() -> None:
    rows = [row for row in ROWS if row.kind in ("game_opened", "seat_taken")]

    proofs = made(forged(rows))

    assert [proof.ok for proof in proofs.values()] == [True, True, None, True, None, None, None]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense\n",
        b'{"format": "taki-record", "format_version": 2}\n',
        record_lines(ROWS, Ruleset())[0] + b"\n{}\n",
        record_lines(ROWS, Ruleset())[0].replace(b'"format_version":1', b'"format_version":7') + b"\n",
        record_lines(ROWS, Ruleset())[0] + b"\n" + lines.line(ROWS[0]).replace(b"game_opened", b"game_eaten") + b"\n",
    ],
)
def test_what_is_no_record_is_refused_by_line(content: bytes) -> None:
    with pytest.raises(RecordFault):
        read_record(content.splitlines())


def test_the_command_line_prints_every_proof_and_its_status_tells_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honest, cut = tmp_path / "honest.ndjson", tmp_path / "cut.ndjson"
    texts = record_lines(ROWS, Ruleset())
    honest.write_bytes(b"\n".join(texts) + b"\n")
    cut.write_bytes(b"\n".join(texts[:-1]) + b"\n")

    assert main([str(honest)]) == 0
    assert capsys.readouterr().out.count(" ok ") == 7
    assert main([str(cut)]) == 1
    assert "WRONG" in capsys.readouterr().out
    assert main([str(tmp_path / "none.ndjson")]) == 1
    with pytest.raises(SystemExit, match="2"):
        main([])


def test_a_record_is_verified_without_django_settings_or_cryptography(tmp_path: Path) -> None:
    record = tmp_path / "game.ndjson"
    record.write_bytes(b"\n".join(record_lines(ROWS, Ruleset())))
    program = (
        "import sys; from games.engine.replay import main; status = main(sys.argv[1:]); "
        "sys.exit(status or bool({'django', 'cryptography'} & sys.modules.keys()))"
    )

    done = subprocess.run([sys.executable, "-c", program, str(record)], check=False, capture_output=True)

    assert done.returncode == 0, done.stderr


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert header_of(ROWS, Ruleset())["commitment"] == hashlib.sha256(SEED).hexdigest()
