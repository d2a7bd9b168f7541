"""Whoever may look at the staff's lists can ask them for nothing that they do not show."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Player
from httpapi.staff_lists import ListedLookups
from tests.games.people import people, started

pytestmark = pytest.mark.django_db

GAMES = "/admin/games/game/"
PLAYERS = "/admin/accounts/player/"
TOKENS = "/admin/accounts/token/"
GROUPS = "/admin/auth/group/"


@pytest.fixture
def looker() -> Client:
    """A member of the staff who may only look."""
    member = Player.objects.create(username="looker", display_name="Looker", is_staff=True)
    member.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client = Client()
    client.force_login(member)
    return client


@pytest.mark.parametrize(
    "asked",
    [
        f"{GAMES}?awaited=1",
        f"{GAMES}?awaited__gt=0",
        f"{GAMES}?state__isnull=True",
        f"{GAMES}?state__regex=a",
        f"{GAMES}?state__gt=a",
        f"{GAMES}?state__length=3",
        f"{GAMES}?join_code__startswith=A",
        f"{GAMES}?commitment__gt=a",
        f"{GAMES}?head__gt=a",
        f"{GAMES}?ahead_ms=1",
        f"{GAMES}?seats__client_seed__startswith=a",
        f"{GAMES}?host__password__startswith=s",
        f"{GAMES}?host__birth_year=1990",
        f"{GAMES}?status__regex=(",
        f"{GAMES}?status__exact=%00",
        f"{GAMES}?id__gt=a",
        f"{PLAYERS}?password__startswith=s",
        f"{PLAYERS}?username__gt=%00",
        f"{PLAYERS}?display_name__regex=(",
        f"{PLAYERS}?birth_year__gt=1990",
        f"{PLAYERS}?retired_username__gt=a",
        f"{PLAYERS}?tokens__digest__contains=a",
        f"{PLAYERS}?deleted_at__gt=2026-01-01",
        f"{TOKENS}?digest__gt=a",
        f"{TOKENS}?digest=a",
        f"{TOKENS}?player__password__startswith=s",
        f"{GROUPS}?name__regex=(",
        f"{GROUPS}?user=1",
    ],
)
def test_a_list_refuses_to_be_narrowed_by_what_is_no_filter_of_it(looker: Client, asked: str) -> None:
    assert looker.get(asked).status_code == 400


@pytest.mark.parametrize(
    "asked",
    [
        f"{GAMES}?status__exact=running",
        f"{GAMES}?mode=single",
        f"{GAMES}?sandbox__exact=0",
        f"{GAMES}?q=%00",
        f"{GAMES}?q=((",
        f"{GAMES}?o=1.2.-3",
        f"{GAMES}?p=99999999999",
        f"{PLAYERS}?kind__exact=human",
        f"{PLAYERS}?deleted_at__isempty=1",
        f"{PLAYERS}?is_active__exact=zz",
        f"{PLAYERS}?deleted_at__isempty=9",
        f"{PLAYERS}?id__exact=x",
        f"{TOKENS}?revoked_at__isempty=1",
        f"{GROUPS}?q=a",
    ],
)
def test_the_filters_of_a_list_and_odd_values_of_them_are_answered(looker: Client, asked: str) -> None:
    assert looker.get(asked).status_code in {200, 302}


def test_a_filter_narrows_a_list(looker: Client) -> None:
    game = started(people(2))
    assert str(game) in looker.get(f"{GAMES}?status__exact=running").content.decode()
    assert str(game) in looker.get(f"{GAMES}?id__exact={game}").content.decode()
    assert str(game) not in looker.get(f"{GAMES}?status__exact=void").content.decode()


@pytest.mark.parametrize("column", ["state", "awaited", "join_code", "head"])
def test_a_list_is_not_ordered_by_a_hidden_column(looker: Client, column: str) -> None:
    started(people(2))
    plain, ordered = (
        looker.get(f"{GAMES}{query}").context["cl"].queryset.query.order_by for query in ("", f"?o={column}")
    )
    assert set(plain) == set(ordered)


def test_every_list_of_the_staff_is_such_a_one() -> None:
    assert [type(each) for each in admin.site._registry.values() if not isinstance(each, ListedLookups)] == []
