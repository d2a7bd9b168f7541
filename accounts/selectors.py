"""Reading accounts: one's own whole, of others the public part alone."""

from collections.abc import Collection, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from django.utils import timezone

from accounts.models import Player, Token
from httpapi.database import kept_cursor, one_row
from httpapi.paging import Position
from httpapi.problems import NotFound, Unauthenticated

_PUBLIC: Final = "SELECT id, display_name, kind FROM players WHERE id = ANY(%s)"
_HOLD: Final = "SELECT 1 FROM players WHERE id = %s AND deleted_at IS NULL FOR SHARE"
_BIRTH_YEARS: Final = "SELECT id, birth_year FROM players WHERE id = ANY(%s)"


class PublicPlayer(msgspec.Struct, frozen=True):
    """What everybody may know of a player; of a deleted one the name is a pseudonym."""

    id: UUID
    name: str
    kind: str


def public_players(ids: Collection[UUID]) -> dict[UUID, PublicPlayer]:
    """The public part of several players by id."""
    return {row[0]: PublicPlayer(*row) for row in _rows(_PUBLIC, ids)}


def birth_years(ids: Collection[UUID]) -> dict[UUID, int | None]:
    """Years of birth by id: for `the youngest goes first` (B20) alone, never for an answer."""
    return dict(_rows(_BIRTH_YEARS, ids))


def _rows(query: str, ids: Collection[UUID]) -> list[Any]:
    return kept_cursor().execute(query, (list(ids),), binary=True).fetchall()


def public_player(player_id: UUID) -> PublicPlayer:
    """The public part of one player."""
    player = public_players([player_id]).get(player_id)
    if player is None:
        raise NotFound
    return player


def account(player_id: UUID) -> Player:
    """A whole account, for its owner."""
    return Player.objects.get(id=player_id)


def account_for_change(player_id: UUID) -> Player:
    """A whole account, locked until the end of the transaction."""
    return Player.objects.select_for_update(no_key=True).get(id=player_id)


def open_account_for_change(player_id: UUID) -> Player:
    """The same; 401 if it is closed, as its tokens are from then on."""
    player = account_for_change(player_id)
    if player.deleted_at is not None:
        raise Unauthenticated("token_revoked")
    return player


def account_to_close(player_id: UUID) -> Player:
    """A whole account, locked also against `hold_account`, but not against references to it.

    A start, which holds its game, has its reference to the host looked at by PostgreSQL once more: a stronger lock here,
    where whoever closes waits for that game, would be a deadlock.
    """
    return account_for_change(player_id)


def hold_account(player_id: UUID) -> None:
    """Keep an account from being closed until the end of the transaction; 401 if it is closed.

    To be called before any game is locked: whoever closes locks the account first, then the games.
    """
    if one_row(_HOLD, (player_id,)) is None:
        raise Unauthenticated("token_revoked")


def account_of_username(username: str) -> Player | None:
    """The account with a user name; NUL cannot be asked of the database."""
    return Player.objects.filter(username=username.replace("\x00", "")).first()


def token(token_id: UUID) -> Token:
    """One token."""
    return Token.objects.get(id=token_id)


def tokens_of(player_id: UUID, position: Position[tuple[UUID]] | None, count: int) -> Sequence[Token]:
    """Tokens of an account that count, newest first, from a position on."""
    alive = Token.objects.filter(player_id=player_id, revoked_at=None, expires_at__gt=timezone.now())
    if position is None:
        return list(alive.order_by("-id")[:count])
    if position.backward:
        return list(alive.filter(id__gt=position.key[0]).order_by("id")[:count])
    return list(alive.filter(id__lt=position.key[0]).order_by("-id")[:count])
