"""Who may call: anyone, the signed-in, or those whose token has a scope."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.api.authentication import refuse
from accounts.scopes import Scope, ordered
from httpapi.problems import Forbidden


class SignedIn(BasePermission):
    """Any valid token."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or 401."""
        if request.user is None:
            raise refuse("token_missing")
        return True


def scoped(*scopes: str) -> type[SignedIn]:
    """A permission: the token has at least one of these scopes."""
    wanted = frozenset(Scope(scope) for scope in scopes)

    class Scoped(SignedIn):
        """The token has one of the wanted scopes."""

        def has_permission(self, request: Request, view: Any) -> bool:
            """True, or 401 or 403."""
            super().has_permission(request, view)
            if wanted.isdisjoint(request.user.scopes):
                names = ordered(wanted)
                raise Forbidden("scope_missing", params={"needed": names})
            return True

    return Scoped
