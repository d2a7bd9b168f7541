"""What the calls about games say of themselves (docs/api.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games import event_shapes, lists, presets, selectors, shown, tables
from games.api import lobby_views, play_views, read_views, requests, rules_views, shapes, vocabulary
from games.api.vocabulary import RECORD, REFUSED_MOVE, VERSION_CONFLICT
from games.engine.refusals import REFUSALS
from games.engine.ruleset import Ruleset
from games.i18n.rules import RulesText
from games.rulesets import Content
from games.services.audit import Header, Proof
from games.shown import GameView
from httpapi.description.calls import Call, Calls, Chapter, Reply
from httpapi.description.paged import paged
from httpapi.paging import PageQuery

_SEATING: Final = ("game_not_open", "already_seated", "game_full")
_CONFLICT: Final = {412: VERSION_CONFLICT}
_ILLEGAL: Final = {**_CONFLICT, 409: REFUSED_MOVE}
_UNCHANGED: Final = Reply(text="You hold the present version.", headers=("ETag", "X-Server-Time"))


def _game(text: str, *headers: str) -> Reply:
    return Reply(type=GameView, text=text, headers=("ETag", *headers))


_LISTS: Final[Calls] = {
    (lobby_views.GamesView, "GET"): Call(
        name="listGames",
        summary="List tables",
        text="The public ones, newest first.",
        query=requests.GamesQuery,
        replies={200: Reply(type=paged(lists.Entry, "TablePage"), text="One page.")},
        faults=("invalid_cursor",),
    ),
    (read_views.OwnGamesView, "GET"): Call(
        name="listOwnGames",
        summary="List your games",
        text="Where you sit or host: those that wait for you first, then running, open and finished ones, each newest first.",
        query=PageQuery,
        replies={200: Reply(type=paged(lists.OwnEntry, "OwnTablePage"), text="One page.")},
        faults=("invalid_cursor",),
    ),
    (rules_views.RulesView, "GET"): Call(
        name="getRules",
        summary="Read the rules",
        text="Every rule by its number, in the language asked for, in English where that language lacks a text.",
        replies={200: Reply(type=RulesText, text="The rules.", headers=("Content-Language",))},
    ),
    (rules_views.PresetsView, "GET"): Call(
        name="getPresets",
        summary="List presets and options",
        text="What a table can be opened with: the presets, and every option with its values and its default.",
        replies={200: Reply(type=presets.Catalog, text="All of them.", headers=("Content-Language",))},
    ),
}

_TABLES: Final[Calls] = {
    (lobby_views.GamesView, "POST"): Call(
        name="openGame",
        summary="Open a table",
        text="The server seed is drawn now and its SHA-256 published with the answer, before any client seed is taken. "
        "Unknown and impossible options are refused with the field named; `GET /rules/presets` lists them all.",
        body=requests.OpenTable,
        replies={201: _game("The table, with the code to join for its host.", "Location")},
        faults=(
            "unknown_preset",
            "unknown_option",
            "option_not_offered",
            "impossible_option",
            "forbidden_character",
            "blank_text",
        ),
    ),
    (lobby_views.JoinView, "POST"): Call(
        name="joinGame",
        summary="Take a seat",
        text="The next free one. A `client_seed` mixes your own chance into the deal; it is shown to nobody before the start.",
        body=requests.Join,
        replies={200: _game("The table with you.")},
        codes=_SEATING,
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (lobby_views.JoinByCodeView, "POST"): Call(
        name="joinByCode",
        summary="Take a seat by code",
        text="The code that the host gave away; small letters, spaces and hyphens do not matter.",
        body=requests.JoinByCode,
        replies={200: _game("The table with you.")},
        codes=(*_SEATING, "wrong_join_code"),
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (lobby_views.SeatView, "DELETE"): Call(
        name="removePlayer",
        summary="Remove a player",
        text="By the host, before the start. Higher seats move down by one.",
        replies={200: _game("The table without that player.")},
        codes=("not_the_host", "game_not_open"),
        takes_key=True,
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (lobby_views.StartView, "POST"): Call(
        name="startGame",
        summary="Start",
        text="By the host, with enough seats taken: the cards are dealt.",
        body=requests.Nothing,
        replies={200: _game("The game with your hand.")},
        codes=("not_the_host", "game_not_open", "too_few_players"),
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (lobby_views.CancelView, "POST"): Call(
        name="cancelGame",
        summary="Cancel an open table",
        text="By the host, before the start: the table is void and its seed revealed.",
        body=requests.Nothing,
        replies={200: _game("The void table.")},
        codes=("not_the_host", "game_not_open"),
        expects_version=True,
        refusal=_CONFLICT,
    ),
    (lobby_views.LeaveView, "POST"): Call(
        name="leaveGame",
        summary="Leave",
        text="Gives the seat back before the start; leaves the game for good afterwards (15.4).",
        body=requests.Nothing,
        replies={200: _game("The game without you.")},
        codes=("not_seated", "game_not_open", "not_in_game", "game_over"),
        expects_version=True,
        refusal=_ILLEGAL,
    ),
}

_PLAY: Final[Calls] = {
    (play_views.MovesView, "POST"): Call(
        name="move",
        summary="Play, draw, pass, call or catch",
        text="One command of the rules. It is accepted exactly when it fits one of the legal moves. A refusal names the code and "
        "the rule (`params.rule`), changes nothing and brings the legal moves. `cards` are played in this order; a run "
        "begins with its TAKI or continues an open one. What the clock owes is settled first, in the same write.",
        body=requests.MOVE_BODY,
        query=requests.MoveQuery,
        replies={
            200: Reply(type=shapes.DryRun, text="With `dry_run`: it would be allowed. Nothing is kept.", headers=()),
            201: Reply(type=shapes.MoveAnswer, text="The events it caused and the new view.", headers=("ETag",)),
        },
        codes=("game_not_running", *(refusal.code for refusal in REFUSALS)),
        expects_version=True,
        refusal=_ILLEGAL,
    ),
    (read_views.LegalMovesView, "GET"): Call(
        name="getLegalMoves",
        summary="List your legal moves",
        text="A list of templates, complete and sound; empty for spectators. Also part of the game's view.",
        replies={
            200: Reply(type=selectors.MovesView, text="The templates.", headers=("ETag",)),
            304: _UNCHANGED,
        },
        spares_body=True,
    ),
}

_READS: Final[Calls] = {
    (read_views.GameView, "GET"): Call(
        name="getGame",
        summary="Look at a game",
        text="As you may see it: with your hand and legal moves if you have a seat, without cards of others in any case, whole "
        "once it is over.",
        replies={200: _game("The view."), 304: _UNCHANGED},
        spares_body=True,
    ),
    (read_views.EventsView, "GET"): Call(
        name="getEvents",
        summary="Read the log",
        text="The events after a version, as you may see them.",
        query=requests.EventsQuery,
        replies={200: Reply(type=selectors.EventsPage, text="Part of the log.", headers=("ETag",)), 304: _UNCHANGED},
        spares_body=True,
    ),
    (read_views.HistoryView, "GET"): Call(
        name="getHistory",
        summary="Look at the past",
        text="The view as of a version: from your own seat while the game runs, from any seat or of the whole table once it is over.",
        query=requests.HistoryQuery,
        replies={200: _game("The view as it was."), 304: _UNCHANGED},
        spares_body=True,
        codes=("history_not_visible",),
    ),
    (read_views.RecordView, "GET"): Call(
        name="getRecord",
        summary="Fetch the record",
        text="The finished game as newline-delimited JSON, enough to replay and verify it offline.",
        replies={
            200: Reply(
                type=RECORD,
                text="A header line, then each event with its digest.",
                headers=("ETag", "Content-Disposition"),
                media=read_views.NDJSON,
            )
        },
        codes=("record_not_ready",),
    ),
    (read_views.VerificationView, "GET"): Call(
        name="verifyGame",
        summary="Verify a game",
        text="Recomputes: numbers without gaps, the hash chain, every signed checkpoint that holds the game, replay equals the stored "
        "state, commitment before every client seed, deal equals the revealed seed. Checks that cannot be made yet are null.",
        replies={200: Reply(type=Proof, text="Every check.", headers=("ETag",))},
    ),
}

CHAPTER: Final = Chapter(
    tag="games",
    text="Tables, moves, the log and its proofs.",
    calls={**_TABLES, **_PLAY, **_READS, **_LISTS},
    words=Path(__file__).with_name("words.yaml"),
    names={
        tables.Player: "SeatedPlayer",
        shown.EventView: "Event",
        shown.SeatShown: "Seat",
        lists.Entry: "TableEntry",
        lists.OwnEntry: "OwnTableEntry",
        selectors.MovesView: "LegalMoves",
        presets.Catalog: "PresetCatalog",
        presets.PresetShown: "Preset",
        presets.OptionShown: "Option",
        presets.Choice: "OptionValue",
        Content: "Ruleset",
        Ruleset: event_shapes.OPTIONS,
        Header: "RecordHeader",
        Proof: "Verification",
    },
    places={
        "game_id": {"description": "The game's id.", "schema": {"type": "string", "format": "uuid"}},
        "version": {"description": "A version of the game.", "schema": {"type": "integer", "minimum": 1}},
        "number": {"description": "The seat.", "schema": {"type": "integer", "minimum": 0, "maximum": 9}},
    },
    types=vocabulary.TYPES,
    shapes=event_shapes.SHAPES,
    components=vocabulary.components,
)
