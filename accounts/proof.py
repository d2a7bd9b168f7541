"""That a token still counts, asked in the statement which a use case begins with: a call then needs no statement for it alone."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

# All that a call takes from the token and its account; whatever of it changes, even the name, changes this text.
_COLUMNS: Final = (
    "t.id, t.player_id, t.scopes, t.revoked_at IS NOT NULL, t.expires_at <= now(), p.kind, p.display_name, p.language, "
    "p.may_review, p.is_active, t.confined_to"
)
_STANDING: Final = f"ROW({_COLUMNS})::text"
_FROM: Final = "FROM tokens t JOIN players p ON p.id = t.player_id WHERE t.digest = %s"
STANDING: Final = f"(SELECT {_STANDING} {_FROM})"
"""An expression of SQL with one parameter, `Proof.digest`; null without such a token."""
BY_DIGEST: Final = f"SELECT {_COLUMNS}, {_STANDING} {_FROM}"
"""The same piece by piece, and as text behind them."""


class TokenChangedError(Exception):
    """What was known of a token is no longer so: the call has done nothing yet and is judged anew."""


class Proof(Struct):
    """The token of a call as it was when this process last looked at it: its digest, and its STANDING."""

    digest: bytes
    standing: str
    checked: bool = False

    def check(self, standing: str | None) -> None:
        """TokenChangedError unless the database says the same now."""
        if standing != self.standing:
            raise TokenChangedError
        self.checked = True
