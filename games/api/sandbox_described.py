"""What the calls of the sandbox say of themselves (docs/sandbox.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.api import sandbox_requests, sandbox_views
from games.api.faults import HEADER, LONGEST_DELAY_MS
from games.api.vocabulary import REFUSED_MOVE, VERSION_CONFLICT
from games.shown import GameView
from httpapi.description.calls import Call, Calls, Chapter, Further, Reply, Schema

_GAMES: Final = ("/api/v1/games/{game_id}", "/api/v1/sandbox/games/{game_id}")
_FAULT: Final[Schema] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A fault on purpose, obeyed for calls on sandbox games alone and overlooked for all others. `drop_answer`: the call "
    "is carried out and the connection ends without the answer. `delay_ms=N`: the answer comes N milliseconds late, at most "
    f"{LONGEST_DELAY_MS}, two such calls at a time. `duplicate_delivery`: the request is carried out twice, the answer is the second.",
    "schema": {"type": "string", "pattern": r"^(drop_answer|duplicate_delivery|delay_ms=\d{1,4})$"},
}

_CALLS: Final[Calls] = {
    (sandbox_views.SandboxGamesView, "POST"): Call(
        name="openSandboxGame",
        summary="Start a game from a position",
        text="For trying out a client. The game runs at once, from the cards you place; each seat has a player of its own and a "
        "token to play it, shown this once, good for a day. It counts nowhere, stands in no list, and is void after a day.",
        body=sandbox_requests.OpenSandboxGame,
        replies={
            201: Reply(
                type=sandbox_views.SandboxGame,
                text="The game as its host, a spectator, sees it, and the tokens.",
                headers=("ETag", "Location"),
            )
        },
        faults=(
            "unknown_preset",
            "unknown_option",
            "option_not_offered",
            "impossible_option",
            "missing_field",
            "out_of_range",
            "unknown_player",
            "duplicate_player",
            "unknown_card",
            "too_many_cards",
            "no_cards",
            "needs_one_card",
            "called_and_owed",
            "lead_covered",
            "odd_number",
            "drawn_not_playable",
            "owed_on_stack",
            "stages_in_single_mode",
        ),
    ),
    (sandbox_views.ClockView, "POST"): Call(
        name="moveSandboxClock",
        summary="Move the clock of a sandbox game",
        text="Forward, and what is then due is settled once, in the same write, as the clock does it for every game. By whoever "
        "opened the game or sits at it.",
        body=sandbox_requests.MoveClock,
        replies={200: Reply(type=GameView, text="The game by its new clock.", headers=("ETag",))},
        codes=("not_your_sandbox_game", "game_not_running"),
        expects_version=True,
        refusal={409: REFUSED_MOVE, 412: VERSION_CONFLICT},
    ),
}

CHAPTER: Final = Chapter(
    tag="sandbox",
    text="Games from positions, with a clock to move and faults on demand, for whoever writes a client.",
    calls=_CALLS,
    words=Path(__file__).with_name("sandbox_words.yaml"),
    further=tuple(
        Further(below=path, name="SandboxFault", parameter=_FAULT, codes=("invalid_header",)) for path in _GAMES
    ),
)
