"""The Celery application: tasks hold ids, no result is kept, an absent broker delays no request."""

import os
from importlib import import_module
from typing import Any

import django
from celery import Celery, signals
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")

app = Celery("taki")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.celeryd_init.connect
def keep_the_clock_going(conf: Any, options: dict[str, Any] | None = None, **_: Any) -> None:
    """Let the worker of the clock's queue sweep by itself where no broker tells it to."""
    if "clock" in str((options or {}).get("queues")):
        django.setup()
        import_module("taki_project.standby").start()


@signals.task_prerun.connect
def replace_lost_connection(task: Any, **_: Any) -> None:
    """Begin with a connection to the database that works; Celery would open a new one for each task."""
    if not task.request.is_eager:
        close_old_connections()
