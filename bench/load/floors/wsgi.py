"""What granian serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.load.floors.settings"

application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 (as the service does it)
