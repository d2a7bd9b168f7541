"""Django's entry for this app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments of eight stages."""

    name = "tournaments"
