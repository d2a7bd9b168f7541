"""Django's entry for this app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """The game of TAKI."""

    name = "games"
