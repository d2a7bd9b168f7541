"""A line feed at the end of a text is part of it: what must match a form does not match with one."""

import msgspec
import pytest
from msgspec.inspect import StrType, StructType, UnionType, multi_type_info

from games.api import requests
from games.engine.ruleset import Ruleset
from tests.games.people import opened, people, started

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", ["x" * 64 + "\n", "abc\n", "\n"])
def test_a_client_seed_does_not_end_in_a_line_feed(seed: str) -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    guest.post(f"games/{game}/join", {"client_seed": seed}).faulty("/client_seed", "wrong_pattern")


def test_a_deadline_does_not_end_in_a_line_feed() -> None:
    host = people(1)[0]
    options = {"last_card_deadline": "seconds:5\n"}
    answer = host.post("games", {"ruleset": {"options": options}})
    answer.faulty("/ruleset/options/last_card_deadline", "impossible_option")


@pytest.mark.parametrize("seat", ["all%0A", "0%0A"])
def test_a_seat_of_the_past_does_not_end_in_a_line_feed(seat: str) -> None:
    players = people(2)
    game = started(players)
    players[0].get(f"games/{game}/history/3?seat={seat}").faulty("/?seat", "wrong_pattern")


def test_no_text_of_a_request_or_a_ruleset_has_a_form_that_overlooks_a_line_feed() -> None:
    structs = [each for each in vars(requests).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    found = [
        (kind.cls.__name__, field.name, text.pattern)
        for kind in multi_type_info([*structs, Ruleset])
        if isinstance(kind, StructType)
        for field in kind.fields
        for text in (field.type.types if isinstance(field.type, UnionType) else (field.type,))
        if isinstance(text, StrType) and text.pattern
    ]
    assert found
    assert [each for each in found if each[2].endswith("$")] == []
