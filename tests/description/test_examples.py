"""The examples of the description are answers of the service; `make examples` records them anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec
import pytest

from tests.description import walk_accounts, walk_checkpoints, walk_faults, walk_games, walk_sandbox
from tests.description.recorder import Recorder
from tests.games.people import Person

FILE: Final = Path(__file__).resolve().parents[2] / "taki_project" / "examples.json"

pytestmark = pytest.mark.django_db


def test_every_example_is_what_the_service_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    walk_games.same_deal(monkeypatch)
    record = Recorder()
    walk_checkpoints.walk(record)
    walk_accounts.walk(record)
    noa = walk_games.walk(record)
    walk_sandbox.walk(record, noa, Person("Sam"))
    walk_faults.walk(record, noa.token)
    made = msgspec.json.format(msgspec.json.encode(record.examples), indent=1) + b"\n"
    if os.environ.get("RECORD_EXAMPLES"):
        FILE.write_bytes(made)
    assert made.decode() == FILE.read_text()
