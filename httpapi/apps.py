"""Django's entry for this app."""

from django.apps import AppConfig
from django.conf import settings
from django.core.cache import close_caches
from django.core.handlers.base import reset_urlconf
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries

from httpapi import catalog, codes


class HttpapiConfig(AppConfig):
    """Conventions of the HTTP interface."""

    name = "httpapi"

    def ready(self) -> None:
        """Makes the codes known, and keeps Django from clearing up at each call what is never there.

        Connections are looked after by HangMiddleware; no cache is configured; nothing sets another URLconf.
        """
        request_started.disconnect(close_old_connections)
        request_finished.disconnect(close_old_connections)
        request_finished.disconnect(close_caches)
        request_finished.disconnect(reset_urlconf)
        if not settings.DEBUG:
            request_started.disconnect(reset_queries)
        catalog.register(codes.FOLDER, {**codes.PROBLEMS, **codes.FIELD_FAULTS})
