"""The document about tournaments tells the truth."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from tests.accounts.test_documentation import ANYTHING, fits
from tests.games.people import Person
from tournaments.api.urls import urlpatterns
from tournaments.selectors import Contestant

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "api-tournaments.md"
_EXAMPLE: Final = re.compile(r"```http\n(?P<request>.*?)\n\nHTTP/1\.1 (?P<status>\d+)\n(?P<answer>.*?)```", re.DOTALL)


@pytest.mark.django_db
def test_every_example_about_tournaments_gets_its_answer() -> None:
    people = {"$NOA": Person("Noa"), "$BEN": Person("Ben")}
    tournament, text = "", DOCUMENT.read_text()
    examples = _EXAMPLE.findall(text)
    assert len(examples) == text.count("```http")
    for request, status, documented in examples:
        head, _, body = request.replace("$TOURNAMENT", tournament).partition("\n\n")
        (method, path), *lines = (line.split(" ", 1) for line in head.splitlines())
        headers = {name.lower().rstrip(":").replace("-", "_"): value for name, value in lines}
        caller = people[headers.pop("authorization").removeprefix("Bearer ")]
        headers.pop("content_type", None)
        answer = caller.call(method, path.removeprefix("/api/v1/"), body.encode() or None, **headers)
        assert answer.status == int(status), (request, answer.raw.decode())
        assert documented.strip() == ANYTHING or fits(json.loads(documented), answer.body), answer.raw.decode()
        tournament = tournament or answer.body["id"]


def test_every_address_of_tournaments_is_documented() -> None:
    for pattern in urlpatterns:
        assert f"/{pattern.pattern}`".replace("<str:tournament_id>", "{id}") in DOCUMENT.read_text()


def test_every_field_of_a_player_is_explained_or_plain() -> None:
    plain = {"seat", "player", "status"}
    rows = set(re.findall(r"^\| `(\w+)` \| ", DOCUMENT.read_text(), re.MULTILINE))
    assert rows == set(Contestant.__struct_fields__) - plain
