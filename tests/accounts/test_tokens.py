"""Signing in, tokens, and what they open."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.request import Request

from accounts import passwords
from accounts.api.authentication import BearerAuthentication
from accounts.models import Player, Token
from accounts.scopes import Scope
from accounts.services import tokens
from httpapi.problems import Forbidden
from tests.accounts.people import PASSWORD, CountedHasher, Person, SlowedHasher, anyone, guest, human

pytestmark = pytest.mark.django_db


def sign_in(**body: object) -> dict[str, object]:
    return {"username": "noa", "password": PASSWORD} | body


def test_name_and_password_give_a_token() -> None:
    somebody = human("noa")
    answer = anyone("POST", "tokens", sign_in(label="Phone", scopes=["read"], expires_in_days=7))
    token = answer.ok(201)
    assert (token["label"], token["scopes"]) == ("Phone", ["read"])
    assert answer.headers["Cache-Control"] == "no-store"
    row = Token.objects.get(id=token["id"])
    assert row.expires_at - row.created_at == timedelta(days=7)
    assert anyone("GET", "me", authorization=f"Bearer {token['token']}").ok()["id"] == str(somebody.player.id)


def test_passwords_are_the_same_however_the_keyboard_composes_them() -> None:
    anyone("POST", "players", {"username": "noa", "password": "caf\u00e9 and more"}).ok(201)
    anyone("POST", "tokens", sign_in(password="cafe\u0301 and more")).ok(201)


@pytest.mark.parametrize(
    "body",
    [sign_in(password="wrong"), sign_in(username="nobody"), sign_in(username="NOA"), sign_in(username="", password="")],
)
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(body: object) -> None:
    human("noa")
    answer = anyone("POST", "tokens", body)
    document = answer.refused(401, "sign_in_failed")
    assert document["params"] == {}
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.parametrize("state", ["guest", "locked", "closed"])
def test_accounts_that_cannot_sign_in_are_refused_alike(state: str) -> None:
    somebody = human("noa")
    changes: dict[str, dict[str, Any]] = {
        "guest": {"password": "!"},
        "locked": {"is_active": False},
        "closed": {"username": None},
    }
    Player.objects.filter(id=somebody.player.id).update(**changes[state])
    anyone("POST", "tokens", sign_in()).refused(401, "sign_in_failed")


def test_a_name_that_does_not_exist_costs_as_much_hashing_as_one_that_does(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["tests.accounts.people.CountedHasher"]
    human("noa")
    Player.objects.filter(id=human("guest-like").player.id).update(password="!")
    passwords._hash_of_nobody.cache_clear()
    passwords._hash_of_nobody()
    hashes = []
    for username in ("noa", "nobody", "guest-like"):
        before = CountedHasher.hashes
        anyone("POST", "tokens", sign_in(username=username, password="wrong")).refused(401, "sign_in_failed")
        hashes.append(CountedHasher.hashes - before)
    passwords._hash_of_nobody.cache_clear()
    assert hashes == [1, 1, 1]


def test_an_old_hash_is_strengthened_at_sign_in(settings: LazySettings) -> None:
    somebody = human("noa").player
    assert somebody.password.startswith("md5$")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher", *settings.PASSWORD_HASHERS]
    anyone("POST", "tokens", sign_in()).ok(201)
    assert Player.objects.get(id=somebody.id).password.startswith("scrypt$")
    anyone("POST", "tokens", sign_in()).ok(201)


@pytest.mark.parametrize("changes", [{"is_active": False}, {"password": "!changed"}])
def test_whoever_is_locked_or_changes_the_password_meanwhile_finds_no_new_token(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    settings.PASSWORD_HASHERS = ["tests.accounts.people.SlowedHasher"]
    somebody = human("noa")
    monkeypatch.setattr(SlowedHasher, "meanwhile", lambda: Player.objects.update(**changes))
    anyone("POST", "tokens", sign_in()).refused(401, "sign_in_failed")
    assert set(Token.objects.values_list("id", flat=True)) == {somebody.token_id}


def test_a_repeated_sign_in_gives_the_same_token() -> None:
    human("noa")
    first, second = (anyone("POST", "tokens", sign_in(), idempotency_key="k" * 22) for _ in range(2))
    assert (first.status, first.raw) == (second.status, second.raw)


@pytest.mark.parametrize(
    "body, fault",
    [
        (sign_in(scopes=[]), ("/scopes", "too_short")),
        (sign_in(scopes=["everything"]), ("/scopes/0", "not_a_choice")),
        (sign_in(scopes="read"), ("/scopes", "wrong_type")),
        (sign_in(expires_in_days=0), ("/expires_in_days", "out_of_range")),
        (sign_in(expires_in_days=366), ("/expires_in_days", "out_of_range")),
        (sign_in(label="a\nb"), ("/label", "forbidden_character")),
    ],
)
def test_an_unsuitable_wish_is_named(body: object, fault: tuple[str, str]) -> None:
    human("noa")
    anyone("POST", "tokens", body).faulty(*fault)


def test_review_is_for_accounts_that_the_staff_approved() -> None:
    somebody = human("noa")
    refusal = anyone("POST", "tokens", sign_in(scopes=["review"])).refused(403, "scope_not_grantable")
    assert refusal["params"] == {"scope": "review"}
    Player.objects.filter(id=somebody.player.id).update(may_review=True)
    assert anyone("POST", "tokens", sign_in(scopes=["review", "read"])).ok(201)["scopes"] == ["read", "review"]
    assert "review" not in anyone("POST", "tokens", sign_in()).ok(201)["scopes"]


def test_an_approval_taken_back_counts_at_once_for_tokens_that_exist() -> None:
    somebody = human().player
    Player.objects.filter(id=somebody.id).update(may_review=True)
    somebody.refresh_from_db()
    reviewer = Person(somebody, ("review", "read"))
    assert "review" in scopes_of(reviewer)
    Player.objects.filter(id=somebody.id).update(may_review=False)
    assert scopes_of(reviewer) == {"read"}


def test_a_guest_hosts_nothing_until_it_has_a_name() -> None:
    somebody = guest()
    assert scopes_of(somebody) == {"play", "read"}
    with pytest.raises(Forbidden):
        tokens.issue(somebody.player, [Scope.HOST])


def test_tokens_are_listed_newest_first_without_their_secret() -> None:
    somebody = human("noa")
    newer = anyone("POST", "tokens", sign_in(label="Phone")).ok(201)
    answer = somebody.get("tokens")
    rows = answer.ok()["results"]
    assert [row["id"] for row in rows] == [newer["id"], str(somebody.token_id)]
    assert [row["current"] for row in rows] == [False, True]
    assert rows[0] == {name: newer[name] for name in ("id", "label", "scopes", "created_at", "expires_at")} | {
        "current": False
    }
    assert newer["token"].encode() not in answer.raw


def test_the_list_of_tokens_has_pages() -> None:
    somebody = human()
    for _ in range(4):
        tokens.issue(somebody.player)
    path: str | None = "/api/v1/tokens?limit=2"
    seen = []
    while path:
        page = somebody.get(path.removeprefix("/api/v1/")).ok()
        seen += [row["id"] for row in page["results"]]
        path = page["next"]
    assert len(set(seen)) == 5
    assert seen == sorted(seen, reverse=True)


def test_tokens_that_ended_are_not_listed() -> None:
    somebody = human()
    for changes in ({"revoked_at": timezone.now()}, {"expires_at": timezone.now()}):
        Token.objects.filter(id=tokens.issue(somebody.player).row.id).update(**changes)
    assert len(somebody.get("tokens").ok()["results"]) == 1


def test_a_revoked_token_opens_nothing_from_that_moment() -> None:
    somebody = human()
    other = Person(somebody.player)
    assert somebody.delete(f"tokens/{other.token_id}").status == 204
    answer = other.get("me")
    answer.refused(401, "token_revoked")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
    assert somebody.delete(f"tokens/{other.token_id}").status == 204


def test_every_token_may_end_itself_but_only_play_may_end_others() -> None:
    somebody = human()
    reader = Person(somebody.player, ("read",))
    reader.delete(f"tokens/{somebody.token_id}").refused(403, "scope_missing")
    assert reader.delete(f"tokens/{reader.token_id}").status == 204
    reader.get("me").refused(401, "token_revoked")


@pytest.mark.parametrize("token_id", ["01a22bc1-caf7-7096-9ac8-57b3ac132b70", "x", "1"])
def test_an_unknown_token_cannot_be_revoked(token_id: str) -> None:
    human().delete(f"tokens/{token_id}").refused(404, "not_found")


def test_a_token_of_somebody_else_is_an_unknown_one() -> None:
    other = human()
    human().delete(f"tokens/{other.token_id}").refused(404, "not_found")
    other.me()


def test_an_expired_token_says_so() -> None:
    somebody = human()
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    somebody.get("me").refused(401, "token_expired")


def test_a_locked_account_is_told_so() -> None:
    somebody = human()
    Player.objects.update(is_active=False)
    somebody.get("me").refused(401, "account_locked")


@pytest.mark.parametrize(
    "header, code",
    [
        ("Bearer taki_nonsense", "token_unknown"),
        ("Bearer ", "token_unknown"),
        ("Bearer", "token_unknown"),
        ("Bearer taki_eNAbFMgztrj38Vf7b2Tcy0AjiSz7WoBWlnAm1uFgA5S2dPWgd", "token_unknown"),
        ("Bearer \x00é", "token_unknown"),
        ("Basic bm9hOnBhc3M=", "token_missing"),
        ("", "token_missing"),
    ],
)
def test_what_is_no_token_of_ours_is_refused(header: str, code: str) -> None:
    anyone("GET", "me", authorization=header).refused(401, code)


def test_the_scheme_is_read_in_any_case() -> None:
    somebody = human()
    anyone("GET", "me", authorization=f"bEARER  {somebody.token}").ok()


def test_a_bad_token_is_refused_even_where_none_is_needed_to_read() -> None:
    anyone("GET", f"players/{human().player.id}", authorization="Bearer taki_x").refused(401, "token_unknown")


def test_signing_in_overlooks_an_old_token() -> None:
    human("noa")
    anyone("POST", "tokens", sign_in(), authorization="Bearer taki_old").ok(201)


def test_a_signed_in_read_asks_nothing_through_the_orm() -> None:
    somebody = human()
    with CaptureQueriesContext(connection) as through_django:
        answer = somebody.get("me/limits")
    answer.ok()
    assert len(through_django) == 0


def scopes_of(somebody: Person) -> set[str]:
    request = Request(RequestFactory().get("/", headers={"Authorization": f"Bearer {somebody.token}"}))
    found = BearerAuthentication().authenticate(request)
    assert found is not None
    return {scope.value for scope in found[0].scopes}
