"""New accounts: of people, of guests, and of guests who become people."""

import re
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import UNSET

from accounts import passwords
from accounts.models import Player
from accounts.requests import ChangeAccount, OpenGuest, SignUp, Upgrade
from accounts.retired import digest_of_retired
from accounts.scopes import Kind
from accounts.selectors import open_account_for_change
from httpapi.names import clean_name
from httpapi.problems import Conflict, invalid_field

_USERNAME: Final = re.compile(r"[a-z0-9_-]{3,30}")


def sign_up(asked: SignUp, language: str) -> Player:
    """An account for a person; `language` counts if the request names none."""
    player = Player(kind=Kind.HUMAN, username=_free_username(asked.username), language=asked.language or language)
    player.display_name = clean_name(asked.display_name or asked.username, "/display_name")
    player.birth_year = _birth_year(asked.birth_year)
    player.password = passwords.hashed(asked.password, player, "/password")
    _save(player)
    return player


def open_guest(asked: OpenGuest, language: str) -> Player:
    """An account without a user name and password, for a device."""
    player = Player(kind=Kind.GUEST, language=asked.language or language)
    player.display_name = clean_name(asked.display_name or f"Guest {player.id.hex[-4:]}", "/display_name")
    player.birth_year = _birth_year(asked.birth_year)
    player.set_unusable_password()
    player.save(force_insert=True)
    return player


@transaction.atomic
def upgrade(player_id: UUID, asked: Upgrade) -> Player:
    """Give a guest a user name and a password; its results, seats and tokens stay its own."""
    player = open_account_for_change(player_id)
    if player.kind != Kind.GUEST:
        raise Conflict("not_a_guest")
    player.kind, player.username = Kind.HUMAN, _free_username(asked.username)
    _apply(player, ChangeAccount(asked.display_name, asked.birth_year, asked.language))
    player.password = passwords.hashed(asked.password, player, "/password")
    _save(player)
    return player


@transaction.atomic
def change(player_id: UUID, asked: ChangeAccount) -> Player:
    """Change what a player may change about itself."""
    player = open_account_for_change(player_id)
    _apply(player, asked)
    player.save()
    return player


def _apply(player: Player, asked: ChangeAccount) -> None:
    if asked.display_name is not UNSET:
        player.display_name = clean_name(asked.display_name, "/display_name")
    if asked.birth_year is not UNSET:
        player.birth_year = _birth_year(asked.birth_year)
    if asked.language is not UNSET:
        player.language = asked.language


def _free_username(username: str) -> str:
    """A user name that nobody has and no deleted account had."""
    if not _USERNAME.fullmatch(username):
        raise invalid_field("/username", "username_pattern")
    taken = Player.objects.filter(username=username) | Player.objects.filter(
        retired_username=digest_of_retired(username)
    )
    if taken.exists():
        raise Conflict("username_taken", params={"username": username})
    return username


def _birth_year(year: int | None) -> int | None:
    if year is not None and year > timezone.now().year:
        raise invalid_field("/birth_year", "birth_year_in_the_future")
    return year


def _save(player: Player) -> None:
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:  # somebody took the name since it was found free
        raise Conflict("username_taken", params={"username": player.username}) from error
