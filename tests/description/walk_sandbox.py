"""The sandbox shown: a game from a position, its clock, and every position that cannot be."""

from __future__ import annotations

from typing import Any, Final

from tests.description.recorder import Json, Recorder
from tests.games.people import Person

POSITION: Final[Json] = {
    "players": ["Ada", "Bo"],
    "hands": {"Ada": ["red-3", "red-taki", "blue-1"], "Bo": ["plus3", "green-4"]},
    "discard": ["blue-9", "red-5"],
}
ONE_EACH: Final = {"Ada": ["red-3"], "Bo": ["green-4"]}
FAULTY: Final[dict[str, Json]] = {
    "unknown_player": {"turn": "Cleo"},
    "duplicate_player": {"players": ["Ada", "Ada"]},
    "unknown_card": {"discard": ["red-2"]},
    "too_many_cards": {"discard": ["red-3", "red-3"]},
    "no_cards": {"discard": []},
    "needs_one_card": {"declared": ["Bo"]},
    "called_and_owed": {"hands": ONE_EACH, "declared": ["Bo"], "must_say": ["Bo"]},
    "lead_covered": {"lead_index": 0},
    "odd_number": {"plus2": 3},
    "drawn_not_playable": {"owed": "drawn"},
    "owed_on_stack": {"owed": "king", "plus2": 2},
    "stages_in_single_mode": {"stages": {"Ada": 3}},
}


def walk(record: Recorder, host: Person, stranger: Person) -> None:
    """Open, move the clock, be refused."""
    options = {"turn_timeout_seconds": 60}
    body = {"ruleset": {"preset": "taki_116", "options": options}, "position": POSITION}
    made = record.ok("POST", "sandbox/games", body, token=host.token, name="a_table_with_a_run_and_a_plus3")
    game, seat = made["game"]["id"], made["seats"][0]["token"]
    record.ok("GET", f"games/{game}", token=seat, name="from_a_seat_of_the_sandbox")
    clock = f"sandbox/games/{game}/clock"
    record.ok("POST", clock, {"seconds": 60}, token=seat, name="a_turn_runs_out")
    record.ok("GET", f"games/{game}/events", token=seat, name="cards_placed_and_a_timeout")
    record.refused("not_your_sandbox_game", "POST", clock, {"seconds": 60}, token=stranger.token)
    for code, fields in FAULTY.items():
        faulty: dict[str, Any] = {"position": POSITION | fields}
        record.refused(code, "POST", "sandbox/games", faulty, token=host.token)
