"""The rows of the game; room for updates in place; moves as a view of the log."""

import django.db.models.constraints
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models

# Half a page stays free, so that a move's update finds room on it and touches no index (HOT).
ROOM = "ALTER TABLE games_game SET (fillfactor = 50)", "ALTER TABLE games_game RESET (fillfactor)"

# `security_invoker`: the reader's own rights count, so the view is no way round those on the log.
# Cards drawn are hidden: the view tells how many.
MOVES = """
CREATE VIEW games_move WITH (security_invoker = true) AS
SELECT stream AS game_id,
       version,
       to_timestamp(at / 1000.0) AS at,
       (payload ->> 'seat')::smallint AS seat,
       kind,
       cause,
       CASE kind WHEN 'cards_played' THEN (payload -> 'cards')::jsonb END AS cards,
       payload ->> 'reason' AS reason,
       coalesce(json_array_length(payload -> 'cards'), 0)::smallint AS count
FROM eventlog_event
WHERE kind = 'cards_played' OR (kind = 'cards_drawn' AND payload ->> 'reason' IN ('turn', 'plus2', 'plus'))
"""


def key(*fields: str) -> models.CompositePrimaryKey:
    return models.CompositePrimaryKey(*fields, blank=True, editable=False, primary_key=True, serialize=False)


def player() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


def game(related_name: str) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name=related_name, to="games.game"
    )


def only_game() -> models.OneToOneField:
    return models.OneToOneField(
        on_delete=django.db.models.deletion.CASCADE,
        primary_key=True,
        related_name="+",
        serialize=False,
        to="games.game",
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("eventlog", "0001_initial"),
        ("httpapi", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PinnedRuleset",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                ("digest", models.BinaryField(unique=True)),
                ("content", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.UUIDField(default=games.models.new_id, primary_key=True, serialize=False)),
                ("host", player()),
                (
                    "ruleset",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.pinnedruleset",
                    ),
                ),
                ("mode", models.CharField(max_length=10)),
                ("name", models.CharField(blank=True, max_length=60)),
                (
                    "visibility",
                    models.CharField(choices=[("public", "Public"), ("unlisted", "Unlisted")], max_length=8),
                ),
                ("min_players", models.SmallIntegerField()),
                ("max_players", models.SmallIntegerField()),
                ("auto_start", models.BooleanField()),
                ("sandbox", models.BooleanField(default=False)),
                ("join_code", models.CharField(max_length=8, unique=True)),
                ("commitment", models.BinaryField()),
                ("opened_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("void", "Void"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("finished_at", models.DateTimeField(null=True)),
                ("acted_at", models.DateTimeField()),
                ("version", models.IntegerField(default=0)),
                ("turn", models.SmallIntegerField(null=True)),
                ("awaited", models.SmallIntegerField(default=0)),
                ("head", models.BinaryField()),
                ("state", models.BinaryField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("sandbox", False), ("visibility", "public")),
                        fields=["status", "-id"],
                        name="games_listed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[("game", only_game()), ("value", models.BinaryField())],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("pk", key("game_id", "player_id")),
                ("game", game("seats")),
                ("player", player()),
                ("number", models.SmallIntegerField()),
                ("name", models.CharField(max_length=60)),
                ("kind", models.CharField(max_length=8)),
                ("client_seed", models.CharField(max_length=64, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["player", "-game"], name="games_of_player")],
                "constraints": [
                    models.UniqueConstraint(
                        deferrable=django.db.models.constraints.Deferrable["IMMEDIATE"],
                        fields=("game", "number"),
                        name="games_seat_number",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Deadline",
            fields=[
                ("pk", key("game_id", "kind")),
                ("game", game("deadlines")),
                (
                    "kind",
                    models.CharField(choices=[("turn", "Turn"), ("call", "Call"), ("expiry", "Expiry")], max_length=8),
                ),
                ("at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Verification",
            fields=[
                ("game", only_game()),
                ("version", models.IntegerField()),
                ("answer", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("pk", key("game_id", "version")),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField()),
                ("seat", models.SmallIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("cause", models.SmallIntegerField()),
                ("cards", models.JSONField(null=True)),
                ("reason", models.CharField(max_length=20, null=True)),
                ("count", models.SmallIntegerField()),
            ],
            options={"db_table": "games_move", "managed": False},
        ),
        migrations.RunSQL(*ROOM),
        migrations.RunSQL(MOVES, "DROP VIEW games_move"),
    ]
