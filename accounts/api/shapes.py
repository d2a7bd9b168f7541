"""What callers see of accounts and tokens."""

from uuid import UUID

import msgspec

from accounts.models import Player, Token
from accounts.scopes import Kind, Scope, allowed, ordered
from accounts.services.tokens import Issued
from httpapi.clock import isoformat
from httpapi.limits import Standing


class Account(msgspec.Struct, frozen=True):
    """An account as its owner sees it; `scopes` are those its tokens may have."""

    id: UUID
    kind: str
    username: str | None
    display_name: str
    birth_year: int | None
    language: str
    created_at: str
    scopes: list[str]


class TokenShown(msgspec.Struct, frozen=True):
    """A token as its owner sees it later; `current`: it is the one this call was made with."""

    id: UUID
    label: str
    scopes: list[str]
    created_at: str
    expires_at: str
    current: bool


class NewToken(msgspec.Struct, frozen=True):
    """A token as its owner sees it once: `token` is the text for the header Authorization."""

    id: UUID
    token: str
    label: str
    scopes: list[str]
    created_at: str
    expires_at: str


class SignedUp(msgspec.Struct, frozen=True):
    """A new account with its first token."""

    player: Account
    token: NewToken


class PasswordChanged(msgspec.Struct, frozen=True):
    """How many other tokens ended with the old password."""

    revoked_tokens: int


class LimitShown(msgspec.Struct, frozen=True):
    """Where the caller stands with one limit; `counted_by` is what calls are added up by."""

    name: str
    counted_by: str
    quota: int
    window_seconds: int
    remaining: int
    reset_seconds: int


class Limits(msgspec.Struct, frozen=True):
    """All limits."""

    limits: list[LimitShown]


def account_shown(player: Player) -> Account:
    """For the owner."""
    return Account(
        id=player.id,
        kind=str(player.kind),
        username=player.username,
        display_name=player.display_name,
        birth_year=player.birth_year,
        language=player.language,
        created_at=isoformat(player.created_at),
        scopes=ordered(allowed(Kind(player.kind), may_review=player.may_review)),
    )


def token_shown(row: Token, current: UUID) -> TokenShown:
    """For the owner, without the secret."""
    return TokenShown(
        id=row.id,
        label=row.label,
        scopes=ordered(Scope(word) for word in row.scopes),
        created_at=isoformat(row.created_at),
        expires_at=isoformat(row.expires_at),
        current=row.id == current,
    )


def new_token(issued: Issued) -> NewToken:
    """For the owner, this once with the secret."""
    row = issued.row
    return NewToken(
        id=row.id,
        token=issued.text,
        label=row.label,
        scopes=list(row.scopes),
        created_at=isoformat(row.created_at),
        expires_at=isoformat(row.expires_at),
    )


def limit_shown(standing: Standing, counted_by: str) -> LimitShown:
    """One line of the list of limits."""
    rule = standing.policy
    return LimitShown(
        name=rule.name,
        counted_by=counted_by,
        quota=rule.quota,
        window_seconds=rule.window_seconds,
        remaining=standing.remaining,
        reset_seconds=standing.reset_seconds,
    )
