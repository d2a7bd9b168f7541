"""One's own account, and what others see of it."""

import pytest
from django.conf import LazySettings

from accounts.models import Player, Token
from accounts.selectors import birth_years, public_players
from accounts.services import closing
from tests.accounts.people import PASSWORD, Person, anyone, guest, human

pytestmark = pytest.mark.django_db


def test_a_change_changes_what_it_names_alone() -> None:
    somebody = human()
    before = somebody.me()
    assert somebody.patch("me", {"display_name": " No\u0308a "}).ok() == before | {"display_name": "Nöa"}
    assert somebody.patch("me", {}).ok() == before | {"display_name": "Nöa"}
    assert somebody.patch("me", {"birth_year": None, "language": "gd"}).ok()["birth_year"] is None
    assert somebody.me()["language"] == "gd"


@pytest.mark.parametrize(
    "body, fault",
    [
        ({"username": "other"}, ("/username", "unknown_field")),
        ({"may_review": True}, ("/may_review", "unknown_field")),
        ({"display_name": None}, ("/display_name", "wrong_type")),
        ({"display_name": "\u2067a"}, ("/display_name", "forbidden_character")),
        ({"birth_year": "1990"}, ("/birth_year", "wrong_type")),
    ],
)
def test_what_cannot_be_changed_is_named(body: object, fault: tuple[str, str]) -> None:
    somebody = human()
    before = somebody.me()
    somebody.patch("me", body).faulty(*fault)
    assert somebody.me() == before


@pytest.mark.parametrize(
    "method, path", [("PATCH", "me"), ("DELETE", "me"), ("POST", "me/password"), ("POST", "me/upgrade")]
)
def test_a_token_for_reading_changes_nothing(method: str, path: str) -> None:
    reader = human(scopes=("read",))
    reader.me()
    reader.call(method, path, {}).refused(403, "scope_missing")


@pytest.mark.parametrize(
    "method, path", [("GET", "me"), ("PATCH", "me"), ("DELETE", "me"), ("GET", "tokens"), ("GET", "me/limits")]
)
def test_without_a_token_there_is_no_account(method: str, path: str) -> None:
    answer = anyone(method, path)
    answer.refused(401, "token_missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.parametrize("method", ["FOO", "OPTIONS", "PUT"])
def test_a_method_that_does_not_exist_is_told_before_a_token_is_asked_for(method: str) -> None:
    answer = anyone(method, "me")
    answer.refused(405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD, PATCH, DELETE"


def test_others_see_the_public_part_alone() -> None:
    somebody = human("noa")
    for answer in (anyone("GET", f"players/{somebody.player.id}"), human().get(f"players/{somebody.player.id}")):
        assert answer.ok() == {"id": str(somebody.player.id), "name": "Noa", "kind": "human"}
    assert b"1990" not in answer.raw.replace(str(somebody.player.id).encode(), b"")


@pytest.mark.parametrize("player_id", ["01a22bc1-caf7-7096-9ac8-57b3ac132b70", "x", "7"])
def test_unknown_players_are_not_found(player_id: str) -> None:
    anyone("GET", f"players/{player_id}").refused(404, "not_found")


def test_public_parts_of_several_players_come_in_one_statement() -> None:
    one, two = human().player, guest().player
    found = public_players([one.id, two.id])
    assert {(player.id, player.name, player.kind) for player in found.values()} == {
        (one.id, "Noa", "human"),
        (two.id, two.display_name, "guest"),
    }
    assert public_players([]) == {}


def test_years_of_birth_are_there_for_the_rule_of_the_youngest() -> None:
    one, two = human().player, guest().player
    assert birth_years([one.id, two.id]) == {one.id: 1990, two.id: None}


def test_a_new_password_ends_all_other_tokens() -> None:
    somebody = human("noa")
    other = Person(somebody.player)
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}
    assert somebody.post("me/password", body).ok() == {"revoked_tokens": 1}
    somebody.me()
    other.get("me").refused(401, "token_revoked")
    anyone("POST", "tokens", {"username": "noa", "password": PASSWORD}).refused(401, "sign_in_failed")
    anyone("POST", "tokens", {"username": "noa", "password": "another horse battery"}).ok(201)


def test_a_repeated_change_of_password_is_one_change() -> None:
    somebody = human()
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}
    first, second = (somebody.post("me/password", body, idempotency_key="1") for _ in range(2))
    assert first.raw == second.raw
    somebody.post("me/password", body, idempotency_key="2").refused(403, "wrong_password")


def test_a_guest_has_no_password_to_change() -> None:
    body = {"current_password": "", "new_password": "another horse battery"}
    guest().post("me/password", body).refused(409, "no_password_yet")


def test_a_weak_new_password_is_refused_and_ends_no_token() -> None:
    somebody = human()
    other = Person(somebody.player)
    somebody.post("me/password", {"current_password": PASSWORD, "new_password": "password"}).faulty(
        "/new_password", "password_too_common"
    )
    other.me()


def test_guessing_a_password_with_a_stolen_token_is_limited(settings: LazySettings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sign_in": "1/300"}
    somebody = human()
    body = {"current_password": "wrong", "new_password": "another horse battery"}
    somebody.post("me/password", body).refused(403, "wrong_password")
    somebody.post("me/password", body).refused(429, "too_many_requests")


def test_whoever_leaves_is_erased_and_keeps_a_pseudonym_for_the_results() -> None:
    somebody, other = human("noa"), guest()
    assert somebody.delete("me").status == 204
    row = Player.objects.get(id=somebody.player.id)
    shown = anyone("GET", f"players/{row.id}").ok()
    assert shown == {"id": str(row.id), "name": f"Player {row.id.hex[-6:]}", "kind": "human"}
    assert (row.username, row.birth_year, row.is_active, row.has_usable_password()) == (None, None, False, False)
    assert row.deleted_at is not None
    # An unusable password is chance, in which any letters may stand.
    kept = {name: value for name, value in Player.objects.values().get(id=row.id).items() if name != "password"}
    assert "noa" not in str(kept).lower()
    other.me()


def test_whoever_left_has_no_token_and_no_way_back() -> None:
    somebody = human("noa")
    other = Person(somebody.player)
    somebody.delete("me")
    for person in (somebody, other):
        person.get("me").refused(401, "token_revoked")
    anyone("POST", "tokens", {"username": "noa", "password": PASSWORD}).refused(401, "sign_in_failed")
    assert set(Token.objects.values_list("label", flat=True)) == {""}


def test_the_name_of_whoever_left_is_given_to_nobody() -> None:
    human("noa").delete("me")
    anyone("POST", "players", {"username": "noa", "password": PASSWORD}).refused(409, "username_taken")


def test_rights_end_with_the_account() -> None:
    player = human().player
    Player.objects.filter(id=player.id).update(is_staff=True, is_superuser=True, may_review=True)
    closed = closing.close(player.id)
    assert not (closed.is_staff)
    assert not (closed.is_superuser)
    assert not (closed.may_review)


def test_a_guest_can_leave_too() -> None:
    somebody = guest()
    assert somebody.delete("me").status == 204
    somebody.get("me").refused(401, "token_revoked")


def test_answers_to_the_signed_in_are_theirs_alone_and_tell_their_limit() -> None:
    somebody = human()
    for answer in (somebody.get("me"), somebody.get("nothing"), somebody.get(f"players/{somebody.player.id}")):
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Authorization, Accept-Language"
    answer = somebody.get("me")
    assert answer.headers["RateLimit-Policy"] == '"account";q=6000;w=60'
    assert answer.headers["RateLimit"].startswith('"account";r=599')


def test_refusals_to_the_signed_in_tell_their_limit_too() -> None:
    somebody = human()
    assert "RateLimit" in somebody.patch("me", {"x": 1}).headers
    assert "RateLimit" in somebody.call("PUT", "me", {}).headers


def test_an_account_that_calls_too_often_is_told_to_wait(settings: LazySettings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "account": "2/60"}
    somebody = human()
    somebody.me()
    somebody.me()
    answer = somebody.get("me")
    assert answer.refused(429, "too_many_requests")["params"]["limit"] == "account"
    assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_the_limits_are_listed_with_what_is_left() -> None:
    somebody = human()
    anyone("POST", "players/guest", {}).ok(201)
    found = {limit["name"]: limit for limit in somebody.get("me/limits").ok()["limits"]}
    assert list(found) == ["account", "verification", "sandbox", "sign_up", "guest", "sign_in"]
    assert (found["account"]["counted_by"], found["account"]["remaining"]) == ("account", 5999)
    assert (found["guest"]["counted_by"], found["guest"]["remaining"]) == ("address", 1199)
    assert found["sign_up"]["remaining"] == found["sign_up"]["quota"] == 600
    assert all(0 < limit["reset_seconds"] <= limit["window_seconds"] for limit in found.values())
