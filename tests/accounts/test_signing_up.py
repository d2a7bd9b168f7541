"""New accounts."""

import logging

import pytest
from django.conf import LazySettings

from accounts.models import Player, Token
from tests.accounts.people import PASSWORD, Person, anyone, guest, human

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef0123456789"


def sign_up(**body: object) -> dict[str, object]:
    return {"username": "noa", "password": PASSWORD} | body


def test_whoever_signs_up_gets_an_account_and_a_token_that_works() -> None:
    answer = anyone("POST", "players", sign_up(display_name="Noa", birth_year=1990, language="he"))
    player, token = answer.ok(201)["player"], answer.body["token"]
    assert (player["kind"], player["username"], player["display_name"]) == ("human", "noa", "Noa")
    assert (player["birth_year"], player["language"], player["scopes"]) == (1990, "he", ["play", "read", "host"])
    assert token["scopes"] == ["play", "read", "host"]
    assert answer.headers["Location"] == f"/api/v1/players/{player['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert anyone("GET", "me", authorization=f"Bearer {token['token']}").ok() == player


def test_ids_are_of_version_seven_and_in_order_of_time() -> None:
    players = [human().player.id for _ in range(5)]
    assert {player.version for player in players} == {7}
    assert players == sorted(players)


def test_without_a_display_name_the_user_name_is_shown() -> None:
    assert anyone("POST", "players", sign_up()).ok(201)["player"]["display_name"] == "noa"


def test_without_a_language_that_of_the_request_is_kept() -> None:
    assert anyone("POST", "players", sign_up(), accept_language="lv").ok(201)["player"]["language"] == "lv"


@pytest.mark.parametrize(
    "body, fault",
    [
        (sign_up(username="No"), ("/username", "too_short")),
        (sign_up(username="x" * 31), ("/username", "too_long")),
        (sign_up(username="Noa"), ("/username", "username_pattern")),
        (sign_up(username="noa\n"), ("/username", "username_pattern")),
        (sign_up(username="nöa"), ("/username", "username_pattern")),
        (sign_up(username="noa\x00"), ("/username", "nul_character")),
        (sign_up(password="short"), ("/password", "password_too_short")),
        (sign_up(password="x" * 1001), ("/password", "too_long")),
        (sign_up(password="password123"), ("/password", "password_too_common")),
        (sign_up(username="horseback", password="horseback1"), ("/password", "password_too_similar")),
        (sign_up(display_name="a\u202eb"), ("/display_name", "forbidden_character")),
        (sign_up(display_name="x" * 61), ("/display_name", "too_long")),
        (sign_up(display_name=" "), ("/display_name", "blank_text")),
        (sign_up(display_name=""), ("/display_name", "too_short")),
        (sign_up(birth_year=1899), ("/birth_year", "out_of_range")),
        (sign_up(birth_year=9000), ("/birth_year", "birth_year_in_the_future")),
        (sign_up(language="de"), ("/language", "not_a_choice")),
        (sign_up(kind="bot"), ("/kind", "unknown_field")),
        ({"password": PASSWORD}, ("/username", "missing_field")),
    ],
)
def test_an_unsuitable_field_is_named_and_nothing_is_made(body: object, fault: tuple[str, str]) -> None:
    anyone("POST", "players", body).faulty(*fault)
    assert not Player.objects.exists()


def test_all_that_is_wrong_with_a_password_is_told_at_once() -> None:
    errors = anyone("POST", "players", sign_up(password="1234567")).refused(400, "invalid_request")["errors"]
    assert {error["code"] for error in errors} >= {"password_too_short", "password_too_common"}
    assert {error["pointer"] for error in errors} == {"/password"}


def test_a_name_that_is_taken_is_refused() -> None:
    human("noa")
    assert anyone("POST", "players", sign_up()).refused(409, "username_taken")["params"] == {"username": "noa"}


def test_a_repeat_gets_the_same_account_and_the_same_token() -> None:
    first, second = (anyone("POST", "players", sign_up(), idempotency_key=KEY) for _ in range(2))
    assert (first.ok(201), first.raw) == (second.ok(201), second.raw)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.headers["Cache-Control"] == "no-store"
    assert (Player.objects.count(), Token.objects.count()) == (1, 1)


def test_the_password_and_the_token_are_stored_as_hashes_alone() -> None:
    token = anyone("POST", "players", sign_up()).ok(201)["token"]["token"]
    row = Token.objects.get()
    assert PASSWORD not in Player.objects.get().password
    assert len(bytes(row.digest)) == 32
    assert token.encode() not in bytes(row.digest)


def test_neither_password_nor_token_is_ever_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        token = anyone("POST", "players", sign_up()).ok(201)["token"]["token"]
        anyone("GET", "me", authorization=f"Bearer {token}").ok()
        anyone("GET", "me", authorization=f"Bearer {token[:-1]}").refused(401, "token_unknown")
    lines = " ".join(f"{record.getMessage()} {record.__dict__.get('params')}" for record in caplog.records)
    assert PASSWORD not in lines
    assert token[:-1] not in lines


def test_a_guest_plays_at_once() -> None:
    answer = anyone("POST", "players/guest")
    player, token = answer.ok(201)["player"], answer.body["token"]
    assert (player["kind"], player["username"], player["scopes"]) == ("guest", None, ["play", "read"])
    assert player["display_name"].startswith("Guest ")
    assert anyone("GET", "me", authorization=f"Bearer {token['token']}").ok() == player


def test_a_guest_may_say_who_it_is() -> None:
    body = {"display_name": "Noa", "birth_year": 2015, "language": "mn"}
    player = anyone("POST", "players/guest", body).ok(201)["player"]
    assert {name: player[name] for name in body} == body


def test_a_repeat_for_a_guest_makes_no_second_one() -> None:
    first, second = (anyone("POST", "players/guest", {}, idempotency_key=KEY) for _ in range(2))
    assert first.raw == second.raw
    assert Player.objects.count() == 1


def test_a_guest_becomes_a_person_and_keeps_what_it_has() -> None:
    somebody = guest()
    upgraded = somebody.post("me/upgrade", sign_up(birth_year=1990)).ok()
    assert (upgraded["id"], upgraded["kind"], upgraded["username"]) == (str(somebody.player.id), "human", "noa")
    assert upgraded["display_name"] == somebody.player.display_name
    assert somebody.me() == upgraded
    anyone("POST", "tokens", {"username": "noa", "password": PASSWORD}).ok(201)


def test_a_repeated_upgrade_is_one_upgrade() -> None:
    somebody = guest()
    first, second = (somebody.post("me/upgrade", sign_up(), idempotency_key="1") for _ in range(2))
    assert first.ok() == second.ok()
    assert second.headers["Idempotent-Replayed"] == "true"


def test_the_key_of_an_account_with_another_body_is_refused() -> None:
    somebody = guest()
    somebody.post("me/upgrade", sign_up(), idempotency_key="1").ok()
    somebody.post("me/upgrade", sign_up(username="other"), idempotency_key="1").refused(422, "idempotency_key_reused")


def test_each_account_has_keys_of_its_own() -> None:
    guest().post("me/upgrade", sign_up(username="one"), idempotency_key="1").ok()
    guest().post("me/upgrade", sign_up(username="two"), idempotency_key="1").ok()


def test_only_guests_can_be_upgraded() -> None:
    human().post("me/upgrade", sign_up()).refused(409, "not_a_guest")


def test_a_guest_cannot_take_a_name_that_is_taken() -> None:
    human("noa")
    guest().post("me/upgrade", sign_up()).refused(409, "username_taken")


@pytest.mark.parametrize("path, limit", [("players", "sign_up"), ("players/guest", "guest"), ("tokens", "sign_in")])
def test_each_way_in_has_its_limit_by_address(settings: LazySettings, path: str, limit: str) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, limit: "2/3600"}
    for _ in range(2):
        answer = anyone("POST", path, b"{")
        answer.refused(400, "malformed_json")
        assert answer.headers["RateLimit-Policy"] == f'"{limit}";q=2;w=3600'
    refused = anyone("POST", path, b"{")
    assert refused.refused(429, "too_many_requests")["params"]["limit"] == limit
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert refused.headers["RateLimit"].startswith(f'"{limit}";r=0;t=')


def test_limits_come_before_keys_and_keys_before_bodies(settings: LazySettings) -> None:
    anyone("POST", "players", b"{", idempotency_key="short").refused(400, "idempotency_key_invalid")
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "sign_up": "1/3600"}
    anyone("POST", "players", b"{", idempotency_key="short").refused(429, "too_many_requests")


def test_a_token_with_another_ones_scopes_cannot_upgrade() -> None:
    reader = Person(guest().player, ("read",))
    assert reader.post("me/upgrade", sign_up()).refused(403, "scope_missing")["params"] == {"needed": ["play"]}
