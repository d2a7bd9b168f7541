"""Which account a request was signed in for; set by authentication, read by conventions that know no accounts."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.http import HttpRequest

_ATTRIBUTE: Final = "_account_id"
_JUDGE: Final = "_judge_again"


def sign_in(request: HttpRequest, account_id: UUID) -> None:
    """Remember the account whose token the request carries."""
    request.__dict__[_ATTRIBUTE] = account_id


def account_of(request: HttpRequest) -> UUID | None:
    """The account; None for a call without one."""
    account_id: UUID | None = request.__dict__.get(_ATTRIBUTE)
    return account_id


def keep_judge(request: HttpRequest, judge: Callable[[], object]) -> None:
    """Remember how to ask whether the token still counts; it raises if not."""
    request.__dict__[_JUDGE] = judge


def judge_again(request: HttpRequest) -> None:
    """Refuse a token that has ended since it was looked at; without one, nothing."""
    if judge := request.__dict__.get(_JUDGE):
        judge()
