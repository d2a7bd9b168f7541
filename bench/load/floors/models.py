"""The rows that every floor writes."""

from typing import ClassVar

from django.db import models


class Game(models.Model):
    """A game: a version, and a folded state of some hundred bytes."""

    id = models.UUIDField(primary_key=True)
    version = models.IntegerField(default=0)
    state = models.BinaryField()

    objects: ClassVar["models.Manager[Game]"] = models.Manager()

    class Meta:
        db_table = "floor_game"

    def __str__(self) -> str:
        """Its id."""
        return str(self.pk)


class Event(models.Model):
    """An event of its log."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False)
    version = models.IntegerField()
    player = models.IntegerField()
    kind = models.CharField(max_length=32)
    at = models.DateTimeField(auto_now_add=True)
    payload = models.JSONField()

    objects: ClassVar["models.Manager[Event]"] = models.Manager()

    class Meta:
        db_table = "floor_event"
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "version"], name="floor_event_version")]

    def __str__(self) -> str:
        """Its place."""
        return f"{self.game.pk}/{self.version}"
