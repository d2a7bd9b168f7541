"""Django's entry for this app."""

from django.apps import AppConfig


class EventlogConfig(AppConfig):
    """An append-only, hash-chained event log in PostgreSQL."""

    name = "eventlog"
