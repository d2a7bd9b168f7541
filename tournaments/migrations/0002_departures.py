"""Departures, as a view of the log."""

from django.db import migrations, models

DEPARTURES = """
CREATE VIEW tournaments_departure WITH (security_invoker = true) AS
SELECT stream AS game_id,
       version,
       to_timestamp(at / 1000.0) AS at,
       (payload ->> 'seat')::smallint AS seat
FROM eventlog_event
WHERE kind = 'player_left'
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Departure",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id", "version", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField()),
                ("seat", models.SmallIntegerField()),
            ],
            options={"db_table": "tournaments_departure", "managed": False},
        ),
        migrations.RunSQL(DEPARTURES, "DROP VIEW tournaments_departure"),
    ]
