"""The log: partitioned by range of `stream`, guarded by a trigger; and the side table of erasable text."""

from typing import ClassVar

from django.db import migrations, models

import eventlog.models

# Columns stand from wide to narrow: eight bytes first, so that none is lost to alignment (330 bytes an event).
CREATE = """
CREATE TABLE eventlog_event (
    at           bigint   NOT NULL,
    version      integer  NOT NULL CHECK (version > 0),
    kind_version smallint NOT NULL,
    cause        smallint NOT NULL,
    seat         smallint,
    span         smallint,
    stream       uuid     NOT NULL,
    actor        uuid,
    command_id   uuid,
    salt         bytea    NOT NULL CHECK (octet_length(salt) = 16),
    digest       bytea    NOT NULL CHECK (octet_length(digest) = 32),
    text_hash    bytea,
    fingerprint  bytea,
    kind         text     NOT NULL,
    request_id   text,
    payload      json     NOT NULL,
    PRIMARY KEY (stream, version)
) PARTITION BY RANGE (stream);

CREATE UNIQUE INDEX eventlog_event_command ON eventlog_event (stream, command_id) WHERE command_id IS NOT NULL;

-- Takes what no month's partition takes, so that an insert never fails (eventlog/partitions.py makes the months).
CREATE TABLE eventlog_event_default PARTITION OF eventlog_event DEFAULT;

CREATE FUNCTION eventlog_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only: % of event % of stream % refused', TG_OP, OLD.version, OLD.stream
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER eventlog_event_append_only BEFORE UPDATE OR DELETE ON eventlog_event
    FOR EACH ROW EXECUTE FUNCTION eventlog_refuse();

-- No foreign key to the event: it would keep a month's partition from being detached.
CREATE TABLE eventlog_text (
    stream  uuid    NOT NULL,
    version integer NOT NULL,
    text    text    NOT NULL,
    salt    bytea   NOT NULL CHECK (octet_length(salt) = 16),
    PRIMARY KEY (stream, version)
);

CREATE TRIGGER eventlog_text_written_once BEFORE UPDATE ON eventlog_text
    FOR EACH ROW EXECUTE FUNCTION eventlog_refuse();
"""

DROP = """
DROP TABLE eventlog_text;
DROP TABLE eventlog_event;
DROP FUNCTION eventlog_refuse();
"""

CAUSES = [(1, "player"), (2, "clock"), (3, "host"), (4, "staff"), (5, "system")]
ON_THE_FIRST = "on the first event of a command"
KEY = models.CompositePrimaryKey("stream", "version", blank=True, editable=False, primary_key=True, serialize=False)

MODELS = [
    migrations.CreateModel(
        name="Event",
        fields=[
            ("pk", KEY),
            ("at", models.BigIntegerField(help_text="milliseconds since 1970, by the database's clock")),
            ("version", models.IntegerField()),
            ("kind_version", models.SmallIntegerField()),
            ("cause", models.SmallIntegerField(choices=CAUSES)),
            ("seat", models.SmallIntegerField(null=True)),
            ("span", models.SmallIntegerField(help_text="events of the command, on its first event", null=True)),
            ("stream", models.UUIDField()),
            ("actor", models.UUIDField(null=True)),
            ("command_id", models.UUIDField(help_text=ON_THE_FIRST, null=True)),
            ("salt", models.BinaryField()),
            ("digest", models.BinaryField()),
            ("text_hash", models.BinaryField(null=True)),
            ("fingerprint", models.BinaryField(null=True)),
            ("kind", models.TextField()),
            ("request_id", models.TextField(help_text=ON_THE_FIRST, null=True)),
            ("payload", eventlog.models.ExactJsonField()),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("stream", "command_id"),
                    condition=models.Q(("command_id__isnull", False)),
                    name="eventlog_event_command",
                )
            ]
        },
    ),
    migrations.CreateModel(
        name="FreeText",
        fields=[
            ("pk", KEY.clone()),
            ("stream", models.UUIDField()),
            ("version", models.IntegerField()),
            ("text", models.TextField()),
            ("salt", models.BinaryField()),
        ],
        options={"db_table": "eventlog_text"},
    ),
]


class Migration(migrations.Migration):
    """Roles and the months' partitions are settled after every `migrate`: see apps.py."""

    initial = True
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(CREATE, DROP)],
            state_operations=MODELS,
        )
    ]
