"""Changing a password, and leaving for good."""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts import passwords
from accounts.models import Player
from accounts.requests import ChangePassword
from accounts.retired import digest_of_retired
from accounts.selectors import account_for_change, account_to_close
from accounts.services import tokens
from httpapi.problems import Conflict, Forbidden

account_closes: Final = Signal()
"""Sent with `player`, still whole, inside the transaction that closes the account."""


@transaction.atomic
def change_password(player_id: UUID, spared_token: UUID, asked: ChangePassword) -> int:
    """A new password; whoever holds another token must sign in anew. How many were ended."""
    player = account_for_change(player_id)
    if not player.has_usable_password():
        raise Conflict("no_password_yet")
    if not passwords.matches(asked.current_password, player):
        raise Forbidden("wrong_password")
    player.password = passwords.hashed(asked.new_password, player, "/new_password")
    player.save(update_fields=["password"])
    return tokens.revoke_all(player_id, spared_token)


@transaction.atomic
def close(player_id: UUID) -> Player:
    """Delete an account: everything personal goes, an empty shell with a pseudonym stays for the results.

    Whatever it takes part in is left first, and nothing new can be begun from then on: `hold_account` waits for the lock.
    The user name is not given out again, so that nobody can pass for the one who left.
    """
    player = account_to_close(player_id)
    account_closes.send(Player, player=player)
    if player.username is not None:
        player.retired_username = digest_of_retired(player.username)
    player.username, player.birth_year, player.last_login = None, None, None
    player.display_name = f"Player {player.id.hex[-6:]}"
    player.is_active = player.is_staff = player.is_superuser = player.may_review = False
    player.deleted_at = timezone.now()
    player.set_unusable_password()
    player.save()
    player.groups.clear()
    player.user_permissions.clear()
    tokens.revoke_all(player_id)
    player.tokens.update(label="")
    return player
