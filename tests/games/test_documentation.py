"""The documents tell the truth about events."""

import re
from pathlib import Path
from typing import Final

import pytest

from games.engine.events import KINDS, Event

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"


def described(kind: str) -> str:
    """The part of docs/events.md about a kind."""
    return (DOCS / "events.md").read_text().partition(f"\n#### `{kind}`\n")[2].partition("\n#")[0]


@pytest.mark.parametrize("type_", KINDS, ids=lambda type_: KINDS[type_][0])
def test_every_kind_of_event_is_described_with_all_its_fields(type_: type[Event]) -> None:
    text = described(KINDS[type_][0])
    assert "Seen by: " in text
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(type_.__struct_fields__)


def test_no_kind_is_described_that_does_not_exist() -> None:
    headings = re.findall(r"^#### `(\w+)`$", (DOCS / "events.md").read_text(), re.MULTILINE)
    assert headings == [name for name, _ in KINDS.values()]
