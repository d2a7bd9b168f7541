"""The rows of the game: what a table is now. The log is the truth; these rows are its cache, and can be rebuilt from it."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import CompositePrimaryKey, Deferrable
from uuid_utils.compat import uuid7

STATE_BYTES_AT_MOST = 500


def new_id() -> UUID:
    """An id of version 7: it sorts by time of birth, which is also what the log is partitioned by."""
    return uuid7()


class Status(models.TextChoices):
    """How far a table has come."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    VOID = "void"


class Visibility(models.TextChoices):
    """Who may find a table: everybody in the lists, or who knows its id."""

    PUBLIC = "public"
    UNLISTED = "unlisted"


class DeadlineKind(models.TextChoices):
    """What runs out: the awaited turn or window, a last-card call, an open table."""

    TURN = "turn"
    CALL = "call"
    EXPIRY = "expiry"


class PinnedRuleset(models.Model):
    """A ruleset as games pin it, stored once: `digest` is the SHA-256 of `content`, the JSON that views show."""

    id = models.AutoField(primary_key=True)
    digest = models.BinaryField(unique=True)
    content = models.BinaryField()


class Game(models.Model):
    """One table.

    The fields that a move changes stand last and in no index: a move's update then stays on its page (HOT) and writes
    little to the write-ahead log. `state` is the packed table with the number of its format before it; null until the
    start. `acted_at` is the time of the last event. `awaited` (a mask of the seats that may act now) is hidden.
    `ahead_ms` is how far the clock of a sandbox game goes ahead, null for every other game; deadlines stand in real time.
    """

    id = models.UUIDField(primary_key=True, default=new_id)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False)
    ruleset = models.ForeignKey(PinnedRuleset, models.PROTECT, related_name="+", db_index=False)
    mode = models.CharField(max_length=10)
    name = models.CharField(max_length=60, blank=True)
    visibility = models.CharField(max_length=8, choices=Visibility.choices)
    min_players = models.SmallIntegerField()
    max_players = models.SmallIntegerField()
    auto_start = models.BooleanField()
    sandbox = models.BooleanField(default=False)
    join_code = models.CharField(max_length=8, unique=True)
    commitment = models.BinaryField()
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    finished_at = models.DateTimeField(null=True)
    acted_at = models.DateTimeField()
    version = models.IntegerField(default=0)
    turn = models.SmallIntegerField(null=True)
    awaited = models.SmallIntegerField(default=0)
    head = models.BinaryField()
    state = models.BinaryField(null=True)
    ahead_ms = models.BigIntegerField(null=True)

    class Meta:
        """Lists ask for the listed tables of one status, newest first; the status changes twice in a game's life.

        A host finds the tables he opened, with a seat or without.
        """

        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["status", "-id"],
                name="games_listed",
                condition=models.Q(visibility=Visibility.PUBLIC, sandbox=False),
            ),
            models.Index(fields=["host", "-id"], name="games_of_host"),
            models.Index(
                fields=["opened_at"],
                name="games_in_sandbox",
                condition=models.Q(sandbox=True, status=Status.RUNNING),
            ),
        ]

    def __str__(self) -> str:
        """The id: names are free text and stay out of log lines."""
        return str(self.id)


class Seed(models.Model):
    """The server seed of a game, apart from its row so that no ordinary read selects it; revealed by an event."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="+")
    value = models.BinaryField()


class Seat(models.Model):
    """A player at a table. Numbers are final from the start; name and kind are those of the moment of joining.

    `client_seed` is shown to nobody before the start.
    """

    pk = CompositePrimaryKey("game_id", "player_id")
    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False)
    number = models.SmallIntegerField()
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=8)
    client_seed = models.CharField(max_length=64, null=True)  # noqa: DJ001 (absent and empty differ in the deal)

    class Meta:
        """Numbers move down together when a seat is given back, hence the check at the end of the statement."""

        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["game", "number"], name="games_seat_number", deferrable=Deferrable.IMMEDIATE
            )
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["player", "-game"], name="games_of_player")]


class Deadline(models.Model):
    """A moment at which the clock has to act; a table of its own, because an index on the game's row would end HOT."""

    pk = CompositePrimaryKey("game_id", "kind")
    game = models.ForeignKey(Game, models.CASCADE, related_name="deadlines", db_index=False)
    kind = models.CharField(max_length=8, choices=DeadlineKind.choices)
    at = models.DateTimeField(db_index=True)


class Heartbeat(models.Model):
    """When a web process last reached the database: one row. Players can act only while one does."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()


class Outage(models.Model):
    """A time in which no web process reached the database."""

    id = models.AutoField(primary_key=True)
    began = models.DateTimeField()
    ended = models.DateTimeField(db_index=True)


class Move(models.Model):
    """What a player, or the clock for a player, did with cards: read-only, a view of the log without its hidden part."""

    pk = CompositePrimaryKey("game_id", "version")
    game = models.ForeignKey(Game, models.DO_NOTHING, related_name="moves", db_constraint=False)
    version = models.IntegerField()
    at = models.DateTimeField()
    seat = models.SmallIntegerField()
    kind = models.CharField(max_length=40)
    cause = models.SmallIntegerField()
    cards = models.JSONField(null=True)
    reason = models.CharField(max_length=20, null=True)  # noqa: DJ001 (a view has no default)
    count = models.SmallIntegerField()

    class Meta:
        """The view stands in the migrations."""

        managed = False
        db_table = "games_move"
