"""The page about the sandbox tells the truth."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest

from games.api import faults, sandbox_requests
from games.engine import position
from games.services import sandbox
from tests.accounts.test_documentation import ANYTHING, fits
from tests.games.people import Person
from tests.games.sandboxes import SeatHolder
from tests.games.test_documentation import DOCS

_EXAMPLE: Final = re.compile(r"```http\n(?P<request>.*?)\n\nHTTP/1\.1 (?P<status>\d+)\n(?P<answer>.*?)```", re.DOTALL)


def page() -> str:
    return (DOCS / "sandbox.md").read_text()


@pytest.mark.django_db
def test_every_example_about_the_sandbox_gets_its_answer() -> None:
    people: dict[str, Person] = {"$HOST": Person("Host")}
    game = ""
    examples = _EXAMPLE.findall(page())
    assert len(examples) == page().count("```http")
    for request, status, documented in examples:
        head, _, body = request.replace("$GAME", game).partition("\n\n")
        (method, path), *lines = (line.split(" ", 1) for line in head.splitlines())
        headers = {name.lower().rstrip(":").replace("-", "_"): value for name, value in lines}
        caller = people[headers.pop("authorization").removeprefix("Bearer ")]
        headers.pop("content_type", None)
        answer = caller.call(method, path.removeprefix("/api/v1/"), body.encode() or None, **headers)
        assert answer.status == int(status), (request, answer.raw.decode())
        assert documented.strip() == ANYTHING or fits(json.loads(documented), answer.body), answer.raw.decode()
        if not game:
            game = answer.body["game"]["id"]
            people |= {f"${shown['name'].upper()}": SeatHolder(shown) for shown in answer.body["seats"]}


def test_the_page_names_every_field_of_a_position() -> None:
    rows = "".join(line.split("|")[1] for line in page().splitlines() if line.startswith("| `"))
    assert set(position._FIELDS) <= set(re.findall(r"`(\w+)`", rows))


def test_the_page_names_the_bounds() -> None:
    assert f"1 to {sandbox_requests.MOST_SECONDS:,}" in page()
    assert f"0 to {faults.LONGEST_DELAY_MS:,}" in page()
    assert f"{sandbox.LIVES.total_seconds() / 3600:.0f} hours after" in page()
    assert all(f"`{value}" in page() for value in ("drop_answer", "delay_ms", "duplicate_delivery"))
