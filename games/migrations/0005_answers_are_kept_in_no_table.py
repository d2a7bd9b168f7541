"""Verifications are kept by the processes that make them: a table of answers could be written like any other."""

from typing import ClassVar

from django.db import migrations
from django.db.migrations.operations.base import Operation


class Migration(migrations.Migration):
    """Drops the table of answers."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("games", "0004_games_of_host")]
    operations: ClassVar[list[Operation]] = [migrations.DeleteModel(name="Verification")]
