"""Tokens that this process has looked at. Nothing here says that one still counts: that is asked of the database each time."""

from __future__ import annotations

from typing import Any, ClassVar, Final
from uuid import UUID

from msgspec import Struct

from accounts.caller import Caller
from accounts.proof import BY_DIGEST, Proof
from accounts.scopes import Kind, Scope, in_force
from httpapi.database import one_row
from httpapi.problems import CHALLENGE, Unauthenticated

_MOST: Final = 20_000


class _Row(Struct, array_like=True):
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
    standing: str


class Known(Struct, frozen=True):
    """A token that counted: who calls with it where it is not confined, and what proves that it still counts."""

    caller: Caller
    confined_to: UUID | None
    digest: bytes
    standing: str

    def proof(self) -> Proof:
        """What a call has to prove."""
        return Proof(self.digest, self.standing)

    def caller_at(self, path: str) -> Caller:
        """Who calls this path: a confined token plays only where the path names what it is confined to."""
        if self.confined_to is None or str(self.confined_to) in path.lower().split("/"):
            return self.caller
        whole = self.caller
        return Caller(
            whole.player_id, whole.kind, whole.name, whole.language, whole.token_id, whole.scopes - {Scope.PLAY}
        )


class KnownTokens:
    """By digest; so many at most, then it begins anew."""

    _kept: ClassVar[dict[bytes, Known]] = {}

    @classmethod
    def find(cls, digest: bytes) -> Known | None:
        """What is known, if this process has seen the token."""
        return cls._kept.get(digest)

    @classmethod
    def look(cls, digest: bytes) -> Known:
        """What the database knows now; 401 if the token does not count."""
        cls._kept.pop(digest, None)
        known = _known(digest)
        if len(cls._kept) >= _MOST:
            cls._kept.clear()
        cls._kept[digest] = known
        return known


def refusal(code: str) -> Unauthenticated:
    """A token was sent and does not count (RFC 6750, 3.1)."""
    return Unauthenticated(code, headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'})


def _known(digest: bytes) -> Known:
    found: Any = one_row(BY_DIGEST, (digest,))
    if found is None:
        raise refusal("token_unknown")
    row = _Row(*found)
    if row.revoked:
        raise refusal("token_revoked")
    if row.expired:
        raise refusal("token_expired")
    if not row.is_active:
        raise refusal("account_locked")
    kind = Kind(row.kind)
    scopes = in_force(tuple(row.scopes), kind, may_review=row.may_review)
    caller = Caller(row.player_id, kind, row.display_name, row.language, row.token_id, scopes)
    return Known(caller, row.confined_to, digest, row.standing)
