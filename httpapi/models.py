"""Keys of POST requests that changed something, with what it takes to answer a repeat."""

from typing import ClassVar, Final

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Now

HOUR_OF: Final = "(date_trunc('hour', %(expressions)s AT TIME ZONE 'UTC'))"
"""The expression that the index holds: only in these words is it used."""


class IdempotencyKey(models.Model):
    """One kept answer: sealed here, or a span of a stream of events from which it is made again.

    The key itself is not stored: `scope_key` is a hash of it, and it alone opens `sealed`. `fingerprint` is the first half of
    the request's; the whole stands in the log.
    """

    scope_key = models.BinaryField(primary_key=True, max_length=32)
    fingerprint = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(db_default=Now())
    status = models.SmallIntegerField()
    sealed = models.BinaryField(null=True)
    stream = models.UUIDField(null=True)
    version_from = models.IntegerField(null=True)
    version_to = models.IntegerField(null=True)

    class Meta:
        db_table = "idempotency_keys"
        # Rows come in order of time and leave by time. By the hour: a range of pages is then noted once an hour, not with each row.
        indexes: ClassVar = [
            BrinIndex(
                models.Func(models.F("created_at"), template=HOUR_OF),
                name="idempotency_keys_by_hour",
                autosummarize=True,
            )
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="idempotency_key_holds_one_answer",
                condition=models.Q(sealed__isnull=False, stream__isnull=True)
                | models.Q(
                    sealed__isnull=True,
                    stream__isnull=False,
                    version_from__isnull=False,
                    version_to__isnull=False,
                ),
            )
        ]

    def __str__(self) -> str:
        """Nothing that would help to guess the key."""
        return f"answer {self.status} of {self.created_at}"
