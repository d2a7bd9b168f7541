"""Django's entry for this app."""

from django.apps import AppConfig

from accounts import codes
from httpapi import catalog


class AccountsConfig(AppConfig):
    """Players, their accounts and tokens."""

    name = "accounts"

    def ready(self) -> None:
        """Makes the codes known."""
        catalog.register(codes.FOLDER, {**codes.PROBLEMS, **codes.FIELD_FAULTS})
