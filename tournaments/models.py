"""What a tournament adds to a game: read-only, views of the log."""

from django.db import models
from django.db.models import CompositePrimaryKey

from games.models import Game


class StageReached(models.Model):
    """A player emptied a hand and came to the next stage; 0 is through (B62)."""

    pk = CompositePrimaryKey("game_id", "version")
    game = models.ForeignKey(Game, models.DO_NOTHING, related_name="stages_reached", db_constraint=False)
    version = models.IntegerField()
    at = models.DateTimeField()
    seat = models.SmallIntegerField()
    cleared = models.SmallIntegerField()
    reached = models.SmallIntegerField()

    class Meta:
        """The view stands in the migrations."""

        managed = False
        db_table = "tournaments_stage_reached"


class Departure(models.Model):
    """A player left, by choice or by silence, and stays at the stage of that moment (14.11, 15.4)."""

    pk = CompositePrimaryKey("game_id", "version")
    game = models.ForeignKey(Game, models.DO_NOTHING, related_name="departures", db_constraint=False)
    version = models.IntegerField()
    at = models.DateTimeField()
    seat = models.SmallIntegerField()

    class Meta:
        """The view stands in the migrations."""

        managed = False
        db_table = "tournaments_departure"
