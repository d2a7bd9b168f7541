"""The staff's pages about games: they show no hidden card and change nothing."""

import pytest
from django.db import connection
from django.test import Client

from accounts.models import Player
from games.models import Game, Seat, Seed
from tests.databases import Connection
from tests.games.people import opened, people, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser(username="staff", password="pass"))
    return client


def test_pages_of_a_game_show_neither_cards_nor_seeds(staff: Client) -> None:
    host, guest = people(2)
    open_game = opened(host)["id"]
    guest.post(f"games/{open_game}/join", {"client_seed": "notforyou"}).ok()
    running = started([host, guest])
    for game in (open_game, running):
        seed = bytes(Seed.objects.get(game_id=game).value)
        row = Game.objects.get(pk=game)
        for page in ("/admin/games/game/", f"/admin/games/game/{game}/change/"):
            answer = staff.get(page)
            assert answer.status_code == 200
            text = answer.content.decode()
            assert str(row.id) in text
            assert "notforyou" not in text
            assert seed.hex() not in text
            assert not [card for card in host.view(running)["you"]["hand"] if card in text]


def test_a_game_can_be_neither_changed_nor_deleted_there(staff: Client) -> None:
    host = people(1)[0]
    game = opened(host)["id"]
    for page in (f"/admin/games/game/{game}/delete/", "/admin/games/game/add/"):
        assert staff.get(page).status_code == 403
    staff.post(f"/admin/games/game/{game}/change/", {"name": "Changed"})
    assert host.view(game)["name"] == ""


def test_seats_and_seeds_have_no_pages(staff: Client) -> None:
    for model in (Seat, Seed):
        assert staff.get(f"/admin/games/{model._meta.model_name}/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_page_that_meets_a_dropped_connection_is_503_and_the_next_is_whole(superuser: Connection) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(Player.objects.create_superuser("chief", "a long password"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
    page = client.get("/admin/games/game/")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "2")
    assert client.get("/admin/games/game/").status_code == 200
