"""Bearer tokens: one statement, no model instances."""

from typing import Any, Final
from uuid import UUID

import msgspec
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.caller import Caller
from accounts.scopes import Kind, Scope, Scopes, in_force
from accounts.token_text import digest, is_well_formed
from httpapi import limits
from httpapi.callers import sign_in
from httpapi.database import one_row
from httpapi.plain import plain
from httpapi.problems import CHALLENGE, Unauthenticated

_BY_DIGEST: Final = """
SELECT t.id, t.player_id, t.scopes, t.revoked_at IS NOT NULL, t.expires_at <= now(),
       p.kind, p.display_name, p.language, p.may_review, p.is_active, t.confined_to
FROM tokens t JOIN players p ON p.id = t.player_id WHERE t.digest = %b"""


class _Row(msgspec.Struct, array_like=True):
    token_id: UUID
    player_id: UUID
    scopes: list[str]
    revoked: bool
    expired: bool
    kind: str
    display_name: str
    language: str
    may_review: bool
    is_active: bool
    confined_to: UUID | None


class BearerAuthentication(BaseAuthentication):
    """Turns `Authorization: Bearer <token>` into a Caller and counts the call against the account's limit."""

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """The caller; None without the header. A token that does not count is refused, never overlooked."""
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        inner = plain(request)
        caller = _caller(_bearer(header), inner.path_info)
        sign_in(inner, caller.player_id)
        limits.spend_by_account(inner, caller.player_id.hex)
        return caller, None

    def authenticate_header(self, request: Request) -> str:
        """What 401 asks for."""
        return CHALLENGE


def _refusal(code: str) -> Unauthenticated:
    """A token was sent and does not count (RFC 6750, 3.1)."""
    return Unauthenticated(code, headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'})


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("token_missing")
    return token.strip()


def _caller(token: str, path: str) -> Caller:
    found: Any = one_row(_BY_DIGEST, (digest(token),)) if is_well_formed(token) else None
    if found is None:
        raise _refusal("token_unknown")
    row = _Row(*found)
    if row.revoked:
        raise _refusal("token_revoked")
    if row.expired:
        raise _refusal("token_expired")
    if not row.is_active:
        raise _refusal("account_locked")
    kind = Kind(row.kind)
    return Caller(
        player_id=row.player_id,
        kind=kind,
        name=row.display_name,
        language=row.language,
        token_id=row.token_id,
        scopes=_scopes(row, kind, path),
    )


def _scopes(row: _Row, kind: Kind, path: str) -> Scopes:
    """What counts here: a confined token plays only where the path names what it is confined to."""
    scopes = in_force(tuple(row.scopes), kind, may_review=row.may_review)
    if row.confined_to is None or str(row.confined_to) in path.lower().split("/"):
        return scopes
    return scopes - {Scope.PLAY}
