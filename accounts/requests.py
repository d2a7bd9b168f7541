"""What callers ask for, as it stands in the bodies of their requests."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from accounts.scopes import Scope

EARLIEST_BIRTH: Final = 1900

Username = Annotated[str, Meta(min_length=3, max_length=30)]
Password = Annotated[str, Meta(min_length=1, max_length=1000)]
DisplayName = Annotated[str, Meta(min_length=1, max_length=240)]
BirthYear = Annotated[int, Meta(ge=EARLIEST_BIRTH, le=9999)]
Language = Literal["en", "he", "gd", "cy", "lv", "ms", "mn"]


class OpenGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account for a device."""

    display_name: DisplayName | None = None
    birth_year: BirthYear | None = None
    language: Language | None = None


class SignUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account for a person."""

    username: Username
    password: Password
    display_name: DisplayName | None = None
    birth_year: BirthYear | None = None
    language: Language | None = None


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token for an account with a password. Without `scopes`: all that the account may have, review apart."""

    username: Annotated[str, Meta(max_length=200)]
    password: Annotated[str, Meta(max_length=1000)]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=10)] | None = None
    label: Annotated[str, Meta(max_length=240)] = ""
    expires_in_days: Annotated[int, Meta(ge=1, le=365)] = 90


class Upgrade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password for a guest; what is left out stays as it was."""

    username: Username
    password: Password
    display_name: DisplayName | UnsetType = UNSET
    birth_year: BirthYear | UnsetType | None = UNSET
    language: Language | UnsetType = UNSET


class ChangeAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to one's own account; what is left out stays as it was."""

    display_name: DisplayName | UnsetType = UNSET
    birth_year: BirthYear | UnsetType | None = UNSET
    language: Language | UnsetType = UNSET


class ChangePassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password for the old one."""

    current_password: Annotated[str, Meta(max_length=1000)]
    new_password: Password
