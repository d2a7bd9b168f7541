"""The examples of docs/api.md do what it says."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from accounts.api.urls import urlpatterns
from tests.httpapi.calls import Answer, call

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "api.md"
ANYTHING: Final = "…"
_BLOCK: Final = re.compile(r"```http\n(?P<request>.*?)\n\nHTTP/1\.1 (?P<status>\d+)\n(?P<answer>.*?)```", re.DOTALL)


def section(name: str) -> str:
    """One part of the document, from its heading to the next of its rank."""
    return DOCUMENT.read_text().partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def sent(request: str, token: str) -> Answer:
    head, _, body = request.partition("\n\n")
    first, *lines = head.splitlines()
    method, path = first.split(" ")
    headers = {name.lower().replace("-", "_"): value for name, value in (line.split(": ", 1) for line in lines)}
    headers = {name: value.replace("$TOKEN", token) for name, value in headers.items()}
    return call(method, path, body.encode(), **headers)


def fits(documented: Any, given: Any) -> bool:
    if documented == ANYTHING:
        return given is not None
    if isinstance(documented, dict) and isinstance(given, dict):
        return documented.keys() == given.keys() and all(fits(documented[name], given[name]) for name in documented)
    if isinstance(documented, list) and isinstance(given, list):
        return len(documented) == len(given) and all(map(fits, documented, given))
    return bool(documented == given)


@pytest.mark.django_db
def test_every_example_about_conventions_and_accounts_gets_its_answer() -> None:
    token, examples = "", _BLOCK.findall(section("Conventions") + section("Accounts"))
    assert len(examples) >= 14
    for request, status, documented in examples:
        answer = sent(request, token)
        assert answer.status == int(status), (request, answer.raw.decode())
        if documented.strip():
            assert fits(json.loads(documented), answer.body), (request, answer.raw.decode())
        found = re.search(r'"token":\s*"(taki_\w+)"', answer.raw.decode())
        token = found[1] if found else token


def test_every_address_of_accounts_is_documented() -> None:
    table = section("Accounts")
    for pattern in urlpatterns:
        address = str(pattern.pattern).replace("<str:player_id>", "{id}").replace("<str:token_id>", "{id}")
        assert f"/{address}`" in table


def test_no_example_is_left_out_of_the_tests() -> None:
    text = section("Conventions") + section("Accounts")
    assert text.count("```http") == len(_BLOCK.findall(text))
