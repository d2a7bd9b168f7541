"""Checkpoints, the heads they hold, and the streams that changed since the last one."""

from typing import ClassVar

from django.db import migrations, models

CREATE = """
-- A row for every write, without an index: an insert costs nothing to speak of, nobody waits for anybody, and a row is
-- seen when its event is. A checkpoint deletes the rows it sees, so a transaction that commits late is in the next one.
CREATE TABLE eventlog_changed (stream uuid NOT NULL);
INSERT INTO eventlog_changed SELECT DISTINCT stream FROM eventlog_event;

CREATE TABLE eventlog_checkpoint (
    number    integer PRIMARY KEY CHECK (number > 0),
    signed    text    NOT NULL,
    signature bytea   NOT NULL CHECK (octet_length(signature) = 64),
    key       text    NOT NULL GENERATED ALWAYS AS (substring(signed FROM '"key":"([0-9a-f]{64})"')) STORED
);
CREATE INDEX eventlog_checkpoint_key ON eventlog_checkpoint (key, number);

CREATE TABLE eventlog_mention (
    number  integer NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    stream  uuid    NOT NULL,
    digest  bytea   NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (stream, number)
);
CREATE INDEX eventlog_mention_number ON eventlog_mention (number);

CREATE FUNCTION eventlog_refuse_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'checkpoints are append-only: % of checkpoint % refused', TG_OP, OLD.number
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER eventlog_checkpoint_append_only BEFORE UPDATE OR DELETE ON eventlog_checkpoint
    FOR EACH ROW EXECUTE FUNCTION eventlog_refuse_checkpoint();
CREATE TRIGGER eventlog_mention_append_only BEFORE UPDATE OR DELETE ON eventlog_mention
    FOR EACH ROW EXECUTE FUNCTION eventlog_refuse_checkpoint();
"""

DROP = """
DROP TABLE eventlog_mention;
DROP TABLE eventlog_checkpoint;
DROP TABLE eventlog_changed;
DROP FUNCTION eventlog_refuse_checkpoint();
"""

MODELS = [
    migrations.CreateModel(
        name="Changed",
        fields=[("stream", models.UUIDField(primary_key=True, serialize=False))],
    ),
    migrations.CreateModel(
        name="Checkpoint",
        fields=[
            ("number", models.IntegerField(primary_key=True, serialize=False)),
            ("signed", models.TextField()),
            ("signature", models.BinaryField()),
            ("key", models.TextField(editable=False, help_text="the public key that the signature is by")),
        ],
    ),
    migrations.CreateModel(
        name="Mention",
        fields=[
            (
                "pk",
                models.CompositePrimaryKey(
                    "stream", "number", blank=True, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("number", models.IntegerField()),
            ("version", models.IntegerField()),
            ("stream", models.UUIDField()),
            ("digest", models.BinaryField()),
        ],
    ),
]


class Migration(migrations.Migration):
    """Rights of the application's role are settled after every `migrate`: see roles.py."""

    dependencies: ClassVar = [("eventlog", "0001_initial")]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(CREATE, DROP)],
            state_operations=MODELS,
        )
    ]
