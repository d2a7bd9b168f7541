"""Bearer tokens: one statement, no model instances; none at all where the use case asks for the proof itself."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.api.known import KnownTokens, refusal
from accounts.caller import Caller
from accounts.token_text import digest, is_well_formed
from httpapi import limits
from httpapi.callers import keep_judge, sign_in
from httpapi.plain import plain
from httpapi.problems import CHALLENGE, Unauthenticated

UNPROVEN: Final = "_unproven"
"""Attribute of a request: the Proof that its use case has to check."""
JUDGED_ANEW: Final = "_judged_anew"
"""Attribute of a request whose token has changed: what is known of it does not count."""


class BearerAuthentication(BaseAuthentication):
    """Turns `Authorization: Bearer <token>` into a Caller and counts the call against the account's limit."""

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """The caller; None without the header. A token that does not count is refused, never overlooked."""
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        inner = plain(request)
        sent = _digest(header)
        caller = self.caller_of(inner, sent)
        sign_in(inner, caller.player_id)
        keep_judge(inner, partial(KnownTokens.look, sent))
        if not limits.spent(inner):
            limits.spend_by_account(inner, caller.player_id.hex)
        return caller, None

    def authenticate_header(self, request: Request) -> str:
        """What 401 asks for."""
        return CHALLENGE

    def caller_of(self, request: HttpRequest, digest: bytes) -> Caller:
        """Who calls, by the database."""
        return KnownTokens.look(digest).caller_at(request.path_info)


class LateBearer(BearerAuthentication):
    """For views that prove the token later (late.py)."""

    def caller_of(self, request: HttpRequest, digest: bytes) -> Caller:
        """Who calls, by what this process knows, still to be proven; by the database if it knows nothing."""
        known = None if JUDGED_ANEW in request.__dict__ else KnownTokens.find(digest)
        if known is None:
            return super().caller_of(request, digest)
        request.__dict__[UNPROVEN] = known.proof()
        return known.caller_at(request.path_info)


def _digest(header: str) -> bytes:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("token_missing")
    token = token.strip()
    if not is_well_formed(token):
        raise refusal("token_unknown")
    return digest(token)
