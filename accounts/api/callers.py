"""The caller of a request, typed."""

from typing import cast

from rest_framework.request import Request

from accounts.caller import Caller


def caller_or_nobody(request: Request) -> Caller | None:
    """The caller; None for a call without a token."""
    return cast("Caller | None", request.user)


def caller_of(request: Request) -> Caller:
    """The caller of a view that only the signed-in reach."""
    return cast("Caller", request.user)
