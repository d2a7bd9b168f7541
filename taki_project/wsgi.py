"""The WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")

application = get_wsgi_application()

from taki_project import pulse  # noqa: E402 (after the applications are loaded)

pulse.start()
