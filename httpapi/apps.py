"""Django's entry for this app."""

from django.apps import AppConfig

from httpapi import catalog, codes


class HttpapiConfig(AppConfig):
    """Conventions of the HTTP interface."""

    name = "httpapi"

    def ready(self) -> None:
        """Makes the codes known."""
        catalog.register(codes.FOLDER, {**codes.PROBLEMS, **codes.FIELD_FAULTS})
