"""Who is calling: what a valid token tells, without any row of the database behind it."""

from typing import ClassVar
from uuid import UUID

import msgspec

from accounts.scopes import Kind, Scopes


class Caller(msgspec.Struct, frozen=True):
    """The account and the token of a call; `request.user` of every signed-in request."""

    is_authenticated: ClassVar[bool] = True  # asked by Django REST framework's own permissions

    player_id: UUID
    kind: Kind
    name: str
    language: str
    token_id: UUID
    scopes: Scopes
