"""The rows of the log as Django sees them: for reading; `store` is the only writer."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from eventlog.records import Cause


class ExactJsonField(models.TextField):  # type: ignore[type-arg]
    """A column of PostgreSQL's type `json`, read as the very text that was written."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Name the column's type."""
        return "json"

    def select_format(self, compiler: Any, sql: str, params: Any) -> tuple[str, Any]:
        """Keep the driver from parsing it."""
        return f"{sql}::text", params


class Event(models.Model):
    """One event. Partitioned by range of `stream`, guarded by a trigger: see migration 0001."""

    pk = models.CompositePrimaryKey("stream", "version")
    at = models.BigIntegerField(help_text="milliseconds since 1970, by the database's clock")
    version = models.IntegerField()
    kind_version = models.SmallIntegerField()
    cause = models.SmallIntegerField(choices=[(cause.value, cause.word) for cause in Cause])
    seat = models.SmallIntegerField(null=True)
    span = models.SmallIntegerField(null=True, help_text="events of the command, on its first event")
    stream = models.UUIDField()
    actor = models.UUIDField(null=True)
    command_id = models.UUIDField(null=True, help_text="on the first event of a command")
    salt = models.BinaryField()
    digest = models.BinaryField()
    text_hash = models.BinaryField(null=True)
    fingerprint = models.BinaryField(null=True)
    kind = models.TextField()
    request_id = models.TextField(null=True, help_text="on the first event of a command")  # noqa: DJ001 (null takes no byte)
    payload = ExactJsonField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["stream", "command_id"],
                condition=models.Q(command_id__isnull=False),
                name="eventlog_event_command",
            ),
        ]


class FreeText(models.Model):
    """Words of people that an event is about; erasable, while the event keeps their salted hash."""

    pk = models.CompositePrimaryKey("stream", "version")
    stream = models.UUIDField()
    version = models.IntegerField()
    text = models.TextField()
    salt = models.BinaryField()

    class Meta:
        db_table = "eventlog_text"


class Checkpoint(models.Model):
    """A signed checkpoint: `signed` is the header's very text. Guarded by a trigger, see migration 0002."""

    number = models.IntegerField(primary_key=True)
    signed = models.TextField()
    signature = models.BinaryField()
    key = models.TextField(editable=False, help_text="the public key that the signature is by")


class Mention(models.Model):
    """The head of a stream as a checkpoint holds it."""

    pk = models.CompositePrimaryKey("stream", "number")
    number = models.IntegerField()
    version = models.IntegerField()
    stream = models.UUIDField()
    digest = models.BinaryField()


class Changed(models.Model):
    """A stream that was written to since the last checkpoint: a row a write, so it has no key in truth."""

    stream = models.UUIDField(primary_key=True)
