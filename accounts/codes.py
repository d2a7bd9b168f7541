"""The codes of refusals about accounts, and the status each comes with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "locale"

PROBLEMS: Final[Mapping[str, int]] = {
    "token_missing": 401,
    "token_unknown": 401,
    "token_expired": 401,
    "token_revoked": 401,
    "account_locked": 401,
    "sign_in_failed": 401,
    "scope_missing": 403,
    "scope_not_grantable": 403,
    "wrong_password": 403,
    "username_taken": 409,
    "not_a_guest": 409,
    "no_password_yet": 409,
}

FIELD_FAULTS: Final[Mapping[str, int]] = {
    "username_pattern": 400,
    "password_too_short": 400,
    "password_too_common": 400,
    "password_too_similar": 400,
    "password_entirely_numeric": 400,
    "birth_year_in_the_future": 400,
}
