"""Django's entry for this app."""

from django.apps import AppConfig


class HttpapiConfig(AppConfig):
    """Conventions of the HTTP interface."""

    name = "httpapi"
