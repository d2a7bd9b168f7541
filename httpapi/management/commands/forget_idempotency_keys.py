"""Deletes kept answers once nobody may count on them any more."""

from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from httpapi.database import raw_cursor
from httpapi.models import HOUR_OF

BATCH: Final = 10_000
PROMISED_HOURS: Final = 24


def _hour(moment: str) -> str:
    return HOUR_OF % {"expressions": moment}


# The hour for the index, the moment for the promise.
_FORGET: Final = f"""
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys, (SELECT now() - make_interval(hours => %s) AS at) AS last
    WHERE {_hour("created_at")} <= {_hour("last.at")} AND created_at < last.at LIMIT %s))"""  # noqa: S608 (constants alone)


class Command(BaseCommand):
    """Run it daily; it works in batches and disturbs nobody."""

    help = "Deletes kept answers older than IDEMPOTENCY_KEEP_HOURS (never younger than 24 hours)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Deletes batch by batch until none is left."""
        hours = max(PROMISED_HOURS, settings.IDEMPOTENCY_KEEP_HOURS)
        total = 0
        with raw_cursor() as cursor:
            while (deleted := cursor.execute(_FORGET, (hours, BATCH)).rowcount) > 0:
                total += deleted
        self.stdout.write(f"{total} kept answers forgotten")
