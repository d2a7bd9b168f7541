"""The documents tell the truth about events and calls."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from games.api.urls import urlpatterns
from games.engine.events import KINDS, Event
from tests.accounts.test_documentation import ANYTHING, fits
from tests.games.people import Person

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


_EXAMPLE: Final = re.compile(r"```http\n(?P<request>.*?)\n\nHTTP/1\.1 (?P<status>\d+)\n(?P<answer>.*?)```", re.DOTALL)


def api_games() -> str:
    return (DOCS / "api-games.md").read_text()


@pytest.mark.django_db
def test_every_example_about_games_gets_its_answer() -> None:
    people = {"$NOA": Person("Noa"), "$BEN": Person("Ben")}
    game = ""
    examples = _EXAMPLE.findall(api_games())
    assert len(examples) == api_games().count("```http")
    for request, status, documented in examples:
        head, _, body = request.replace("$GAME", game).partition("\n\n")
        (method, path), *lines = (line.split(" ", 1) for line in head.splitlines())
        headers = {name.lower().rstrip(":").replace("-", "_"): value for name, value in lines}
        caller = people[headers.pop("authorization").removeprefix("Bearer ")]
        headers.pop("content_type", None)
        answer = caller.call(method, path.removeprefix("/api/v1/"), body.encode() or None, **headers)
        assert answer.status == int(status), (request, answer.raw.decode())
        assert documented.strip() == ANYTHING or fits(json.loads(documented), answer.body), answer.raw.decode()
        game = game or answer.body.get("id", "")


def test_every_address_of_games_is_documented() -> None:
    for pattern in urlpatterns:
        address = str(pattern.pattern).replace("<str:game_id>", "{id}")
        address = address.replace("<str:number>", "{seat}").replace("<str:version>", "{version}")
        address = address.replace("<str:checkpoint>", "{number}")
        assert f"/{address}`" in api_games(), address
