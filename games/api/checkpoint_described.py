"""What the calls about checkpoints say of themselves (docs/checkpoints.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games import checkpoints
from games.api import checkpoint_views
from httpapi.description.calls import Call, Calls, Chapter, Reply
from httpapi.description.paged import paged
from httpapi.paging import PageQuery

_CALLS: Final[Calls] = {
    (checkpoint_views.CheckpointsView, "GET"): Call(
        name="listCheckpoints",
        summary="List checkpoints",
        text="Without their lists, newest first. Each remembers the one before it, so a chain of them can be checked without lists.",
        query=PageQuery,
        replies={200: Reply(type=paged(checkpoints.CheckpointShown, "CheckpointPage"), text="One page.")},
        faults=("invalid_cursor",),
    ),
    (checkpoint_views.CheckpointView, "GET"): Call(
        name="getCheckpoint",
        summary="Fetch a checkpoint",
        text="The whole of it, to be kept: what was signed, the signature, and the heads of the games that had changed. It never "
        "changes.",
        replies={200: Reply(type=checkpoints.CheckpointWhole, text="The checkpoint.")},
    ),
    (checkpoint_views.CheckpointKeysView, "GET"): Call(
        name="listCheckpointKeys",
        summary="List the keys of checkpoints",
        text="Every public key that ever signed, the newest first, with the checkpoints it signs. A key hands over by signing a "
        "checkpoint that names the next one.",
        replies={200: Reply(type=checkpoints.KeysShown, text="All of them.")},
    ),
}

CHAPTER: Final = Chapter(
    tag="checkpoints",
    text="Signed lists of the heads of games, for whoever wants to prove later that no log was changed.",
    calls=_CALLS,
    words=Path(__file__).with_name("checkpoint_words.yaml"),
    names={
        checkpoints.CheckpointShown: "CheckpointEntry",
        checkpoints.CheckpointWhole: "Checkpoint",
        checkpoints.KeyShown: "CheckpointKey",
        checkpoints.KeysShown: "CheckpointKeys",
    },
    places={
        "checkpoint": {"description": "The number of a checkpoint.", "schema": {"type": "integer", "minimum": 1}},
    },
)
