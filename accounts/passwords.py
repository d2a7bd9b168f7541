"""Passwords: composed alike on every device, judged, hashed, and compared so that time tells nothing."""

import secrets
import unicodedata
from functools import cache
from typing import Final

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import Player
from httpapi.problems import FieldError, MalformedRequest

_UNKNOWN_REASON: Final = "invalid_value"
_REASONS: Final = frozenset(
    {"password_too_short", "password_too_common", "password_too_similar", "password_entirely_numeric"}
)


def hashed(password: str, player: Player, pointer: str) -> str:
    """The hash to be stored; refuses a weak password. The player's names must be set already."""
    composed = _composed(password)
    try:
        validate_password(composed, user=player)
    except ValidationError as error:
        raise MalformedRequest(errors=[_fault(reason, pointer) for reason in error.error_list]) from error
    return make_password(composed)


def matches(password: str, player: Player | None) -> bool:
    """Whether this is the player's password. Takes as long without a player, or for one without a password."""
    if player is None or not player.has_usable_password():
        check_password(_composed(password), _hash_of_nobody())
        return False

    verified = player.password

    def store_with_present_strength(fresh: str) -> None:
        player.set_password(fresh)
        # Not over a password that was changed since this one was read.
        Player.objects.filter(pk=player.pk, password=verified).update(password=player.password)

    return check_password(_composed(password), verified, setter=store_with_present_strength)


def _composed(password: str) -> str:
    """One keyboard sends é as one character, another as two (RFC 8265, OpaqueString, asks for NFC)."""
    return unicodedata.normalize("NFC", password)


@cache
def _hash_of_nobody() -> str:
    return make_password(secrets.token_urlsafe())


def _fault(reason: ValidationError, pointer: str) -> FieldError:
    code = reason.code if reason.code in _REASONS else _UNKNOWN_REASON
    limit = (reason.params or {}).get("min_length")
    return FieldError(pointer, code, {"limit": limit} if limit else {})
