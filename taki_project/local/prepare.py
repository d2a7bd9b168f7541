"""What must be true of the database and under `var/` before anything serves; one process, as the owner role."""

import os
from importlib import import_module

import django
from django.core.management import call_command


def main() -> None:
    """Migrate, make the log's partitions, collect the admin's files; on a first run make the key of checkpoints."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taki_project.settings")
    os.environ["DATABASE_ROLE"] = "owner"
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("make_partitions", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    import_module("eventlog.keyring").opened()


if __name__ == "__main__":
    main()
