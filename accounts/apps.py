"""Django's entry for this app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Players, their accounts and tokens."""

    name = "accounts"
