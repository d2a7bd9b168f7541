"""What the calls about tournaments say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from httpapi.description.calls import Call, Chapter, Reply
from tournaments import selectors
from tournaments.api import views

CHAPTER: Final = Chapter(
    tag="tournaments",
    text="The tournament of eight stages.",
    calls={
        (views.TournamentView, "GET"): Call(
            name="getTournament",
            summary="Look at a tournament",
            text="The stage of each player and the timeline of stages, read from the log of its game, whose id is its own. "
            "Games in single mode are no tournaments.",
            replies={
                200: Reply(type=selectors.TournamentView, text="The tournament.", headers=("ETag",)),
                304: Reply(text="You hold the present version.", headers=("ETag", "X-Server-Time")),
            },
            spares_body=True,
        )
    },
    words=Path(__file__).with_name("words.yaml"),
    names={selectors.TournamentView: "Tournament"},
    places={"tournament_id": {"description": "The id of its game.", "schema": {"type": "string", "format": "uuid"}}},
)
