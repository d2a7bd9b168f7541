"""Which account a request was signed in for; set by authentication, read by conventions that know no accounts."""

from typing import Final
from uuid import UUID

from django.http import HttpRequest

_ATTRIBUTE: Final = "_account_id"


def sign_in(request: HttpRequest, account_id: UUID) -> None:
    """Remember the account whose token the request carries."""
    request.__dict__[_ATTRIBUTE] = account_id


def account_of(request: HttpRequest) -> UUID | None:
    """The account; None for a call without one."""
    account_id: UUID | None = request.__dict__.get(_ATTRIBUTE)
    return account_id
