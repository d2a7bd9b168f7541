"""Stages reached, as a view of the log."""

from django.db import migrations, models

STAGES = """
CREATE VIEW tournaments_stage_reached WITH (security_invoker = true) AS
SELECT stream AS game_id,
       version,
       to_timestamp(at / 1000.0) AS at,
       (payload ->> 'seat')::smallint AS seat,
       (payload ->> 'cleared')::smallint AS cleared,
       (payload ->> 'reached')::smallint AS reached
FROM eventlog_event
WHERE kind = 'stage_cleared'
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="StageReached",
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
                ("cleared", models.SmallIntegerField()),
                ("reached", models.SmallIntegerField()),
            ],
            options={"db_table": "tournaments_stage_reached", "managed": False},
        ),
        migrations.RunSQL(STAGES, "DROP VIEW tournaments_stage_reached"),
    ]
