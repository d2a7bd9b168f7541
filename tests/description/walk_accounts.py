"""Accounts shown: every call, and every refusal."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from accounts.models import Player, Token
from accounts.scopes import Scope
from accounts.services import tokens
from tests.description.recorder import Json, Recorder

PASSWORD = "four blue cards"


def walk(record: Recorder) -> None:
    """Sign up, look around, be refused, leave."""
    noa = record.ok(
        "POST",
        "players",
        {"username": "noa", "password": PASSWORD, "display_name": "Noa", "birth_year": 2011},
        name="a_person",
    )
    guest = record.ok("POST", "players/guest", {"display_name": "Gil", "language": "he"}, name="a_guest")
    _signing_in(record, noa)
    _own(record, noa, guest)
    _refusals(record, noa, guest)
    _tokens_that_do_not_count(record)
    record.call("DELETE", "me", token=guest["token"]["token"])


def _signing_in(record: Recorder, noa: Json) -> None:
    token = noa["token"]["token"]
    record.ok("GET", f"players/{noa['player']['id']}", name="a_player")
    scoreboard = {
        "username": "noa",
        "password": PASSWORD,
        "label": "Scoreboard",
        "scopes": ["read"],
        "expires_in_days": 30,
    }
    read = record.ok("POST", "tokens", scoreboard, name="a_token_for_reading")
    record.ok("GET", "tokens?limit=1", token=token, name="the_newest_token")
    record.refused("scope_missing", "PATCH", "me", {"display_name": "Noa the Great"}, token=read["token"])
    record.call("DELETE", f"tokens/{read['id']}", token=token)
    record.refused("token_revoked", "GET", "me", token=read["token"])
    record.refused("sign_in_failed", "POST", "tokens", {"username": "noa", "password": "three blue cards"})
    record.refused(
        "scope_not_grantable", "POST", "tokens", {"username": "noa", "password": PASSWORD, "scopes": ["review"]}
    )


def _own(record: Recorder, noa: Json, guest: Json) -> None:
    token = noa["token"]["token"]
    record.ok("GET", "me", token=token, name="a_person")
    record.ok("GET", "me", token=guest["token"]["token"], name="a_guest")
    record.ok("PATCH", "me", {"display_name": "נועה", "birth_year": None}, token=token, name="a_name_in_hebrew")
    record.ok("PATCH", "me", {"display_name": "Noa"}, token=token)
    record.ok("GET", "me/limits", token=token, name="limits")
    record.ok(
        "POST",
        "me/password",
        {"current_password": PASSWORD, "new_password": "five green cards"},
        token=token,
        name="a_new_password",
    )
    person = {"username": "gil", "password": "three red cards", "birth_year": 2009}
    upgraded = record.ok("POST", "players/guest", {"display_name": "Gil"})
    record.ok("POST", "me/upgrade", person, token=upgraded["token"]["token"], name="a_guest_no_more")


def _refusals(record: Recorder, noa: Json, guest: Json) -> None:
    token, shy = noa["token"]["token"], guest["token"]["token"]
    person = {"username": "ben", "password": "three red cards"}
    record.refused("username_taken", "POST", "players", person | {"username": "noa"})
    record.refused("username_pattern", "POST", "players", person | {"username": "Ben!"})
    record.refused("too_short", "POST", "players", person | {"username": "b"})
    record.refused("missing_field", "POST", "players", {"username": "ben"})
    for code, password in {
        "password_too_short": "cards",
        "password_too_common": "password123",
        "password_too_similar": "benjamin",
    }.items():
        record.refused(code, "POST", "players", {"username": "benjamin", "password": password})
    record.refused("birth_year_in_the_future", "POST", "players/guest", {"birth_year": 2999})
    record.refused("blank_text", "POST", "players/guest", {"display_name": "\u200b \u200b"})
    record.refused("not_a_guest", "POST", "me/upgrade", person, token=token)
    passwords = {"current_password": "a guess", "new_password": "six yellow cards"}
    record.refused("wrong_password", "POST", "me/password", passwords, token=token)
    record.refused("no_password_yet", "POST", "me/password", passwords, token=shy)
    record.refused("not_found", "GET", f"players/{uuid4()}")
    record.refused("invalid_cursor", "GET", "tokens?cursor=made-up", token=token)


def _tokens_that_do_not_count(record: Recorder) -> None:
    record.refused("token_missing", "GET", "me")
    record.refused("token_unknown", "GET", "me", token="taki_invented")
    player = Player.objects.create(username="dan", display_name="Dan")
    old, locked = (tokens.issue(player, [Scope.READ]) for _ in range(2))
    Token.objects.filter(id=old.row.id).update(expires_at=timezone.now() - timedelta(days=1))
    record.refused("token_expired", "GET", "me", token=old.text)
    Player.objects.filter(id=player.id).update(is_active=False)
    record.refused("account_locked", "GET", "me", token=locked.text)
