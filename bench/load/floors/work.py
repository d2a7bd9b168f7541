"""What the quick floors share: a signed token, and one statement that raises a version and inserts its event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

import psycopg
from django.core import signing
from django.db import connection
from msgspec import Struct

MOVED: Final = (
    "WITH moved AS (UPDATE floor_game SET version = version + 1, state = %s WHERE id = %s AND version = %s "
    "RETURNING id, version) INSERT INTO floor_event (game_id, version, player, kind, at, payload) "
    "SELECT id, version, %s, %s, clock_timestamp(), %s::jsonb FROM moved RETURNING version"
)
RAISED: Final = (
    "WITH moved AS (UPDATE floor_game SET version = version + 1 WHERE id = %s RETURNING id, version) "
    "INSERT INTO floor_event (game_id, version, player, kind, at, payload) "
    "SELECT id, version, %s, %s, clock_timestamp(), %s::jsonb FROM moved RETURNING version"
)
READ: Final = "SELECT version, state FROM floor_game WHERE id = %s"


class Move(Struct, forbid_unknown_fields=True):
    """What is sent."""

    kind: str
    cards: list[str]


def sign(player: int) -> str:
    """A token that needs no look into the database."""
    return signing.dumps(player)


def player_of(meta: Mapping[str, Any]) -> int | None:
    """The player whose token the request carries."""
    scheme, _, token = meta.get("HTTP_AUTHORIZATION", "").partition(" ")
    try:
        return int(signing.loads(token)) if scheme == "Bearer" else None
    except signing.BadSignature:
        return None


@contextmanager
def cursor() -> Iterator[psycopg.Cursor[Any]]:
    """A cursor that binds on the server."""
    connection.ensure_connection()
    with psycopg.Cursor(cast("psycopg.Connection[Any]", connection.connection)) as raw:
        yield raw
