"""Tokens: issued, and revoked."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts import passwords, selectors
from accounts.models import Player, Token
from accounts.requests import SignIn
from accounts.scopes import Kind, Scope, allowed, ordered
from accounts.token_text import digest, new_token
from httpapi.names import clean_name
from httpapi.problems import Forbidden, NotFound, Unauthenticated

FIRST_DAYS: Final = 90
GUEST_DAYS: Final = 365  # a guest cannot sign in again


class Issued(msgspec.Struct, frozen=True):
    """A token, and its text, which nobody will see again."""

    row: Token
    text: str


def issue(player: Player, scopes: Iterable[Scope] | None = None, days: int | None = None, label: str = "") -> Issued:
    """A new token; by default with all that the account may give, review apart."""
    return _issued(player, scopes, days, Token(label=label))


def issue_confined(player: Player, confined_to: UUID, scopes: Iterable[Scope], days: int, label: str) -> Issued:
    """A new token that plays at the thing with this id alone."""
    return _issued(player, scopes, days, Token(label=label, confined_to=confined_to))


def _issued(player: Player, scopes: Iterable[Scope] | None, days: int | None, row: Token) -> Issued:
    may = allowed(Kind(player.kind), may_review=player.may_review)
    chosen = may - {Scope.REVIEW} if scopes is None else frozenset(scopes)
    if not_his := chosen - may:
        raise Forbidden("scope_not_grantable", params={"scope": ordered(not_his)[0]})
    days = days or (GUEST_DAYS if player.kind == Kind.GUEST else FIRST_DAYS)
    text = new_token()
    now = timezone.now()
    row.player, row.digest, row.scopes = player, digest(text), ordered(chosen)
    row.created_at, row.expires_at = now, now + timedelta(days=days)
    row.save(force_insert=True)
    return Issued(row, text)


@transaction.atomic
def sign_in(asked: SignIn) -> Issued:
    """A token for user name and password; the refusal does not tell which of them was wrong."""
    found = selectors.account_of_username(asked.username)
    if not passwords.matches(asked.password, found) or found is None:
        raise Unauthenticated("sign_in_failed")
    # Hashing took its time: whoever changed the password or left meanwhile must not find a new token.
    player = selectors.account_for_change(found.pk)
    if not player.is_active or player.password != found.password:
        raise Unauthenticated("sign_in_failed")
    label = clean_name(asked.label, "/label") if asked.label else ""
    return issue(player, asked.scopes, asked.expires_in_days, label)


def revoke(player_id: UUID, token_id: UUID) -> None:
    """End a token of this account at once; one that ended already stays so."""
    if not Token.objects.filter(player_id=player_id, id=token_id).exists():
        raise NotFound
    Token.objects.filter(id=token_id, revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(player_id: UUID, spared: UUID | None = None) -> int:
    """End all tokens of an account but one; how many were ended."""
    alive = Token.objects.filter(player_id=player_id, revoked_at=None, expires_at__gt=timezone.now())
    ended = alive.exclude(id=spared) if spared else alive
    return ended.update(revoked_at=timezone.now())
