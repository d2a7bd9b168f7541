"""The Celery application: tasks hold ids, no result is kept, an absent broker delays no request."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")

app = Celery("taki")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
