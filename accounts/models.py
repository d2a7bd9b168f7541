"""Players and their tokens."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from accounts.scopes import Kind
from httpapi.languages import ENGLISH
from httpapi.names import LONGEST as LONGEST_NAME

LONGEST_USERNAME = 30


def new_id() -> UUID:
    """A UUID of version 7, in order of time."""
    return uuid7()


class Players(BaseUserManager["Player"]):
    """How accounts are made from the command line."""

    def create_superuser(self, username: str, password: str, **fields: Any) -> "Player":
        """An administrator; called by Django's `createsuperuser`."""
        player = self.model(username=username, display_name=username, is_staff=True, is_superuser=True, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """An account: of a person, of a guest without a name and password yet, or of a machine.

    A deleted one stays as an empty shell, because results point to it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=8, choices=[(kind.value, kind.value) for kind in Kind], default=Kind.HUMAN)
    username = models.CharField(max_length=LONGEST_USERNAME, unique=True, null=True, blank=True)
    display_name = models.CharField(max_length=LONGEST_NAME)
    birth_year = models.SmallIntegerField(null=True, blank=True)
    language = models.CharField(max_length=2, default=ENGLISH)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    retired_username = models.BinaryField(null=True, max_length=32)
    may_review = models.BooleanField(default=False, help_text="May make tokens with the scope review.")
    is_active = models.BooleanField(default=True, help_text="Untick to lock the account without deleting it.")
    is_staff = models.BooleanField(default=False, help_text="May sign in to these pages.")

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[Players] = Players()

    class Meta:
        db_table = "players"
        indexes: ClassVar = [
            models.Index(
                fields=["retired_username"],
                name="retired_usernames",
                condition=models.Q(retired_username__isnull=False),
            )
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="player_kind_is_known", condition=models.Q(kind__in=[kind.value for kind in Kind])
            ),
            models.CheckConstraint(
                name="player_username_is_lower_case", condition=models.Q(username__regex=r"^[a-z0-9_-]{3,30}$")
            ),
        ]

    def __str__(self) -> str:
        """The name shown to others."""
        return self.display_name


class Token(models.Model):
    """A key to an account, of which only the SHA-256 is known here.

    A confined one plays at the thing with this id alone: its scope `play` counts in no path without it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens", db_index=False)
    digest = models.BinaryField(max_length=32, unique=True)
    label = models.CharField(max_length=LONGEST_NAME, blank=True)
    scopes: "ArrayField[list[str], list[str]]" = ArrayField(models.CharField(max_length=8))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    confined_to = models.UUIDField(null=True, blank=True, editable=False)

    class Meta:
        db_table = "tokens"
        # The list of an account's tokens, newest first (ids are in order of time).
        indexes: ClassVar = [models.Index(fields=["player", "-id"], name="tokens_of_player")]

    def __str__(self) -> str:
        """Its label, never anything of the secret."""
        return f"{self.label or 'token'} of {self.player_id}"
