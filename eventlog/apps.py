"""Django's entry for this app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class EventlogConfig(AppConfig):
    """An append-only, hash-chained event log in PostgreSQL."""

    name = "eventlog"

    def ready(self) -> None:
        """Look after partitions and the application's role whenever the schema was settled."""
        from eventlog.upkeep import after_migrate  # noqa: PLC0415 (settings are not complete before)

        post_migrate.connect(after_migrate, sender=self)
