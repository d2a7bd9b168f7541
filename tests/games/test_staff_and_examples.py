"""What stands beside the game: the staff's pages and the description's examples hold no hidden card."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.models import Game, Seed
from taki_project import description
from tests.games.people import Json, people, started
from tests.games.ways_out import CODES, spellings

STILL: Final = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
_HIDDEN_CARDS: Final = {"hand_dealt", "deck_shuffled", "cards_drawn", "pile_reshuffled", "player_left"}

LOOKED_BACK_AT: Final = "the_whole_table_afterwards"
"""An earlier version of a finished game, which was running then."""


def staff_pages() -> Iterator[str]:
    """Every list, and the page of every row, that the staff may open."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        names = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{names}_changelist")
        for row in model._default_manager.all():
            yield reverse(f"{names}_change", args=[row.pk])
            yield reverse(f"{names}_history", args=[row.pk])


@pytest.mark.django_db
def test_no_page_of_the_staff_shows_a_card_a_state_or_a_seed_of_a_running_game() -> None:
    players = people(2)
    game = started(players, **STILL)
    players[0].move(game, {"type": "draw"}).ok(201)
    boss = Client()
    boss.force_login(Player.objects.create_superuser(username="boss", password="four blue cards"))
    state, seed = (bytes(value or b"") for value in (Game.objects.get(pk=game).state, Seed.objects.get().value))
    pages = list(staff_pages())
    assert any(game in page for page in pages)
    for page in pages:
        text = boss.get(page, follow=True).content.decode()
        assert CODES.findall(re.sub(r"<[^>]+>", " ", text)) == [], page
        assert not [spelled for secret in (state, seed) for spelled in spellings(secret) if spelled in text]


def parts(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts(part)


def examples() -> Iterator[tuple[str, Any]]:
    """The example answers of all operations, by name, as they are served."""
    for part in parts(description.document()):
        for name, example in part["examples"].items() if isinstance(part.get("examples"), dict) else ():
            if isinstance(example, dict) and "value" in example:
                yield name, example["value"]


def seats_shown(example: Any) -> set[int | None]:
    """The seats whose hidden cards an example shows in its events or as one's own hand."""
    found: set[int | None] = set()
    for part in parts(example):
        if part.get("kind") in _HIDDEN_CARDS and "cards" in part.get("data", {}):
            found.add(part.get("seat"))
        if isinstance(part.get("you"), dict):
            found.add(part["you"]["seat"])
    return found


def is_over(example: Any) -> bool:
    return any(part.get("status") in ("finished", "void") for part in parts(example))


def test_an_example_of_a_running_game_shows_the_cards_of_one_seat_at_most() -> None:
    shown = list(examples())
    assert sum(len(seats_shown(example)) == 1 for _, example in shown) >= 5
    for name, example in shown:
        if is_over(example) or name == LOOKED_BACK_AT:
            continue
        assert len(seats_shown(example)) <= 1, json.dumps(example)
        assert not [part for part in parts(example) if "whole" in part], json.dumps(example)
