"""Who may call: anyone, the signed-in, or those whose token has a scope."""

from typing import Any, ClassVar

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.api.callers import caller_of, caller_or_nobody
from accounts.scopes import Scope, ordered
from httpapi.problems import Forbidden, Unauthenticated


class SignedIn(BasePermission):
    """Any valid token."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or 401."""
        if caller_or_nobody(request) is None:
            raise Unauthenticated("token_missing")
        return True


def scoped(*scopes: str) -> type[SignedIn]:
    """A permission: the token has at least one of these scopes."""
    needed = frozenset(Scope(scope) for scope in scopes)

    class Scoped(SignedIn):
        """The token has one of the wanted scopes."""

        wanted: ClassVar = tuple(ordered(needed))

        def has_permission(self, request: Request, view: Any) -> bool:
            """True, or 401 or 403."""
            super().has_permission(request, view)
            require(request, *needed)
            return True

    return Scoped


def require(request: Request, *scopes: Scope) -> None:
    """403 unless the token of a signed-in caller has at least one of these scopes."""
    if caller_of(request).scopes.isdisjoint(scopes):
        raise Forbidden("scope_missing", params={"needed": ordered(scopes)})
