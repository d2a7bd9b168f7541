"""What the calls about tournaments say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.api import requests as game_requests
from games.api.vocabulary import VERSION_CONFLICT
from httpapi.description.calls import Call, Calls, Chapter, Reply
from httpapi.description.paged import paged
from tournaments import pages, selectors
from tournaments.api import requests, views

_CONFLICT: Final = {412: VERSION_CONFLICT}
_UNCHANGED: Final = Reply(text="You hold the present version.", headers=("ETag", "X-Server-Time"))


def _tournament(text: str, *headers: str) -> Reply:
    return Reply(type=selectors.TournamentView, text=text, headers=("ETag", *headers))


_TABLES: Final[Calls] = {
    (views.TournamentsView, "GET"): Call(
        name="listTournaments",
        summary="List tournaments",
        text="The public ones, newest first, with the stage of each seat.",
        query=requests.TournamentsQuery,
        replies={200: Reply(type=paged(selectors.TournamentEntry, "TournamentPage"), text="One page.")},
        faults=("invalid_cursor",),
    ),
    (views.TournamentsView, "POST"): Call(
        name="openTournament",
        summary="Open a tournament",
        text="A table in tournament mode: the fields of `POST /games` without `mode`, the preset being `tournament_116` if none is "
        "named. Its id is that of its game, where it is played.",
        body=requests.OpenTournament,
        replies={201: _tournament("The tournament, with the code to join for its host.", "Location")},
        faults=(
            "unknown_preset",
            "unknown_option",
            "option_not_offered",
            "impossible_option",
            "table_too_large",
            "forbidden_character",
            "blank_text",
        ),
    ),
    (views.JoinView, "POST"): Call(
        name="joinTournament",
        summary="Take a seat in a tournament",
        text="As `POST /games/{id}/join`.",
        body=game_requests.Join,
        replies={200: _tournament("The tournament with you.")},
        codes=("game_not_open", "already_seated", "game_full"),
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (views.StartView, "POST"): Call(
        name="startTournament",
        summary="Start a tournament",
        text="As `POST /games/{id}/start`: by the host, with enough seats taken.",
        body=game_requests.Nothing,
        replies={200: _tournament("The tournament; your hand is in the view of its game.")},
        codes=("not_the_host", "game_not_open", "too_few_players"),
        expects_version=True,
        refusal=_CONFLICT,
    ),
}

_BOARD: Final[Calls] = {
    (views.TournamentView, "GET"): Call(
        name="getTournament",
        summary="Look at the stage board",
        text="The stage, cards, strikes and times of each player, and the timeline of stages, read from the log of its game, whose "
        "id is its own. Games in single mode are no tournaments.",
        replies={200: _tournament("The tournament."), 304: _UNCHANGED},
        spares_body=True,
    ),
    (views.StagesView, "GET"): Call(
        name="getStagesChart",
        summary="Draw the stages over time",
        text="As SVG, as wide as its place, for light and dark pages, with a title and a text of the same content. It shows the last "
        "event, so it is the same for one version. Charts of listed tournaments also stand at `/tournaments/{id}/stages.svg`, "
        "for pages, without a token.",
        replies={
            200: Reply(type=str, text="The chart.", headers=("ETag", "Content-Security-Policy"), media=pages.SVG),
            304: _UNCHANGED,
        },
        spares_body=True,
    ),
}

CHAPTER: Final = Chapter(
    tag="tournaments",
    text="The tournament of eight stages.",
    calls={**_TABLES, **_BOARD},
    words=Path(__file__).with_name("words.yaml"),
    names={selectors.TournamentView: "Tournament"},
    places={"tournament_id": {"description": "The id of its game.", "schema": {"type": "string", "format": "uuid"}}},
)
