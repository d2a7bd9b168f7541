"""The pages for the staff."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Player, Token
from tests.accounts.people import human

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("admin", "a strong password"))
    return client


def test_accounts_and_tokens_are_listed_and_shown(staff: Client) -> None:
    somebody = human("noa")
    for path in ("player/", "player/?q=noa", f"player/{somebody.player.id}/change/", "player/add/", "token/"):
        assert staff.get(f"/admin/accounts/{path}").status_code == 200
    assert staff.get(f"/admin/accounts/token/{somebody.token_id}/change/").status_code == 200


def test_no_page_shows_a_secret(staff: Client) -> None:
    somebody = human("noa")
    row = Token.objects.get(id=somebody.token_id)
    for path in ("token/", f"token/{row.id}/change/", f"player/{somebody.player.id}/change/"):
        page = staff.get(f"/admin/accounts/{path}").content.decode()
        assert somebody.token not in page
        assert bytes(row.digest).hex() not in page
        assert "MD5" not in page.upper().replace("MD5PASSWORDHASHER", "") or somebody.player.password not in page


def test_staff_make_accounts_and_approve_reviewers(staff: Client) -> None:
    body = {"username": "ref", "display_name": "Ref", "usable_password": "true"}
    passwords = {"password1": "a strong password", "password2": "a strong password"}
    assert staff.post("/admin/accounts/player/add/", body | passwords).status_code == 302
    player = Player.objects.get(username="ref")
    change = {"username": "ref", "display_name": "Ref", "language": "en", "is_active": "on", "may_review": "on"}
    assert staff.post(f"/admin/accounts/player/{player.id}/change/", change).status_code == 302
    player.refresh_from_db()
    assert player.may_review
    assert player.kind == "human"


def test_names_are_judged_as_in_the_api(staff: Client) -> None:
    player = human("noa").player
    change = {"username": "noa", "display_name": "a\u202eb", "language": "en", "is_active": "on"}
    page = staff.post(f"/admin/accounts/player/{player.id}/change/", change)
    assert page.status_code == 200
    assert b"forbidden_character" in page.content


def test_closing_accounts_erases_and_deletes_nothing(staff: Client) -> None:
    somebody = human("noa")
    chosen = {"action": "close_accounts", "_selected_action": [str(somebody.player.id)]}
    assert staff.post("/admin/accounts/player/", chosen).status_code == 302
    assert Player.objects.get(id=somebody.player.id).deleted_at is not None
    somebody.get("me").refused(401, "token_revoked")
    assert staff.get(f"/admin/accounts/player/{somebody.player.id}/delete/").status_code == 403


def test_staff_revoke_tokens(staff: Client) -> None:
    somebody = human()
    chosen = {"action": "revoke", "_selected_action": [str(somebody.token_id)]}
    assert staff.post("/admin/accounts/token/", chosen).status_code == 302
    somebody.get("me").refused(401, "token_revoked")


def test_players_cannot_sign_in_to_these_pages() -> None:
    client = Client()
    client.force_login(human().player)
    assert client.get("/admin/accounts/player/").status_code == 302


@pytest.fixture
def clerk() -> Client:
    """A member of the staff who may change accounts, and is no administrator."""
    member = Player.objects.create(username="clerk", display_name="Clerk", is_staff=True)
    member.user_permissions.set(Permission.objects.filter(codename__in=["view_player", "change_player"]))
    client = Client()
    client.force_login(member)
    return client


ALL_RIGHTS = {"is_active": "on", "is_staff": "on", "is_superuser": "on", "may_review": "on"}


def test_no_one_but_an_administrator_gives_rights(clerk: Client) -> None:
    player = human("noa").player
    change = {"username": "noa", "display_name": "Noa B", "language": "en", **ALL_RIGHTS}
    assert clerk.post(f"/admin/accounts/player/{player.id}/change/", change).status_code == 302
    player.refresh_from_db()
    assert player.display_name == "Noa B"
    assert not any((player.is_staff, player.is_superuser, player.may_review))


def test_no_one_but_an_administrator_changes_accounts_of_the_staff(clerk: Client, staff: Client) -> None:
    for name in ("clerk", "admin"):
        member = Player.objects.get(username=name)
        change = {"username": name, "display_name": "X", "language": "en", **ALL_RIGHTS}
        assert clerk.post(f"/admin/accounts/player/{member.id}/change/", change).status_code == 403
        new = {"password1": "a strong password!", "password2": "a strong password!", "usable_password": "true"}
        assert clerk.post(f"/admin/accounts/player/{member.id}/password/", new).status_code == 403
        chosen = {"action": "close_accounts", "_selected_action": [str(member.id)]}
        clerk.post("/admin/accounts/player/", chosen)
        after = Player.objects.get(pk=member.pk)
        assert (after.deleted_at, after.display_name, after.password) == (None, member.display_name, member.password)
    assert staff.get("/admin/").status_code == 200
