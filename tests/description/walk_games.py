"""Games shown: tables, moves, the log, the past, the proofs, and every refusal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from games.engine.position import read_position
from games.engine.state import pack
from games.models import Game
from games.rulesets import pinned
from games.tables import STATE_FORMAT
from tests.description.recorder import Json, Recorder
from tests.games.people import Person, play_out, seated, started

TABLES: Final[list[Json]] = yaml.safe_load(Path(__file__).with_name("tables.yaml").read_text())
RULES: Final = {"first_player": "seat_zero"}


def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table draw the same server seed, so that the cards in examples stay."""
    monkeypatch.setattr("games.services.lobby.new_seed", lambda: bytes(range(32)))


def walk(record: Recorder) -> Person:
    """Everything about games; gives somebody who may open tables."""
    noa, ben, gil, dan = people = [Person(name) for name in ("Noa", "Ben", "Gil", "Dan")]
    _lobby(record, people)
    _refused_options(record, noa)
    _play(record, people)
    for table in TABLES:
        _at_a_table(record, people, table)
    _over(record, [ben, gil], dan)
    _tournament(record, people)
    _lists(record, noa)
    record.ok("GET", "rules", name="the_rules_in_part")
    record.ok("GET", "rules", name="the_rules_in_hebrew_in_part", accept_language="he")
    record.ok("GET", "rules/presets", name="presets_and_options_in_part")
    return noa


def _lobby(record: Recorder, people: Sequence[Person]) -> None:
    noa, ben, gil, dan = people
    friday = {"name": "Friday table", "max_players": 3, "ruleset": {"preset": "home", "options": {"hand_size": 5}}}
    opened = record.ok("POST", "games", friday, token=noa.token, name="a_table_with_house_rules")
    game = f"games/{opened['id']}"
    record.refused("too_few_players", "POST", f"{game}/start", token=noa.token)
    record.refused("game_not_running", "POST", f"{game}/moves", {"type": "draw"}, token=noa.token)
    record.refused("not_seated", "POST", f"{game}/leave", token=ben.token)
    record.ok("POST", f"{game}/join", {"client_seed": "four-leaf-clover"}, token=ben.token, name="a_seat_with_a_seed")
    record.refused("already_seated", "POST", f"{game}/join", {}, token=ben.token)
    record.ok("POST", "games/join", {"join_code": opened["join_code"]}, token=gil.token, name="a_seat_by_code")
    record.refused("game_full", "POST", f"{game}/join", {}, token=dan.token)
    record.refused("wrong_join_code", "POST", "games/join", {"join_code": "ABCD2345"}, token=dan.token)
    record.refused("wrong_pattern", "POST", f"{game}/join", {"client_seed": "two words"}, token=dan.token)
    record.refused("not_the_host", "POST", f"{game}/start", token=ben.token)
    record.ok("DELETE", f"{game}/seats/2", token=noa.token, name="a_player_removed")
    record.ok("POST", f"{game}/leave", token=ben.token, name="a_seat_given_back")
    record.ok("POST", f"{game}/cancel", token=noa.token, name="a_cancelled_table")
    record.refused("game_not_open", "POST", f"{game}/join", {}, token=dan.token)
    record.ok("GET", game, token=noa.token, name="a_void_table")
    record.call("GET", f"{game}/record", token=noa.token, name="the_record_of_a_cancelled_table")


def _refused_options(record: Recorder, noa: Person) -> None:
    for code, body in {
        "unknown_preset": {"ruleset": {"preset": "mine"}},
        "unknown_option": {"ruleset": {"options": {"colour": "red"}}},
        "option_not_offered": {"ruleset": {"options": {"deck": "58"}}},
        "impossible_option": {"ruleset": {"options": {"hand_size": 11}}},
    }.items():
        record.refused(code, "POST", "games", body, token=noa.token)
    record.ok("POST", "games", {}, token=noa.token, name="a_table_as_it_comes")


def _play(record: Recorder, people: Sequence[Person]) -> None:
    noa, ben, _gil, dan = people
    game_id = seated([noa, ben], name="Friday table", ruleset={"options": RULES})
    game = f"games/{game_id}"
    record.ok("POST", f"{game}/start", token=noa.token, name="the_deal")
    seen = record.ok("GET", game, token=noa.token, name="your_turn")
    record.ok("GET", game, token=dan.token, name="as_a_spectator")
    record.ok("GET", f"{game}/legal-moves", token=noa.token, name="your_turn")
    record.ok("POST", f"{game}/moves?dry_run=true", {"type": "draw"}, token=noa.token, name="only_tried")
    record.ok("POST", f"{game}/moves", {"type": "draw"}, token=noa.token)
    record.ok("GET", f"{game}/events?after={seen['version']}", token=ben.token, name="a_hidden_card")
    record.ok("GET", f"{game}/history/{seen['version']}", token=noa.token, name="your_own_past")
    record.refused("history_not_visible", "GET", f"{game}/history/4?seat=1", token=noa.token)
    record.refused("record_not_ready", "GET", f"{game}/record", token=noa.token)
    record.refused(
        "version_conflict", "POST", f"{game}/moves", {"type": "draw"}, token=ben.token, if_match=str(seen["version"])
    )
    record.refused("invalid_header", "POST", f"{game}/moves", {"type": "draw"}, token=ben.token, if_match="yesterday")
    record.ok("GET", f"{game}/verification", token=noa.token, name="while_it_runs")


def _tournament(record: Recorder, people: Sequence[Person]) -> None:
    noa, ben, gil, _ = people
    cup = {"name": "The cup", "ruleset": {"options": RULES | {"tournament_stages": 3}}}
    opened = record.ok("POST", "tournaments", cup, token=noa.token, name="three_stages")
    tournament = f"tournaments/{opened['id']}"
    record.ok("POST", f"{tournament}/join", {"client_seed": "horseshoe"}, token=ben.token, name="a_seat_with_a_seed")
    record.ok("POST", f"{tournament}/join", {}, token=gil.token)
    record.ok("POST", f"{tournament}/start", token=noa.token, name="the_deal")
    record.ok("GET", "tournaments?limit=1", token=gil.token, name="the_newest_tournament")
    play_out([noa, ben, gil], opened["id"])
    record.ok("GET", tournament, token=gil.token, name="the_stages_at_the_end")
    record.call("GET", f"{tournament}/stages.svg", token=gil.token, name="the_chart")


def _at_a_table(record: Recorder, people: Sequence[Person], table: Json) -> None:
    """Put a table as the file says and make its moves; the last one is the example."""
    by_name = {person.name: person for person in people}
    names = table.get("players", ["Noa", "Ben"])
    rules = RULES | table.get("options", {})
    game = started([by_name[name] for name in names], ruleset={"options": rules})
    _put(game, {"players": names} | {key: table[key] for key in table.keys() - {"name", "options", "moves"}})
    *before, (last, command) = table["moves"]
    for name, earlier in before:
        record.ok("POST", f"games/{game}/moves", earlier, token=by_name[name].token)
    answer = record.call("POST", f"games/{game}/moves", command, token=by_name[last].token, name=table["name"])
    code = None if answer.status_code == 201 else answer.json()["code"]
    assert code in {None, table["name"]}, answer.content


def _put(game: str, position: dict[str, Any]) -> None:
    row = Game.objects.get(pk=game)
    state = read_position(position, pinned(row.ruleset_id).rules, int(time.time() * 1000)).state
    Game.objects.filter(pk=game).update(state=bytes([STATE_FORMAT]) + pack(state), turn=state.turn)


def _over(record: Recorder, players: Sequence[Person], spectator: Person) -> None:
    game = started(players, name="A short game", ruleset={"options": RULES | {"hand_size": 3}})
    version = play_out(players, game)["version"]
    token = spectator.token
    record.ok("GET", f"games/{game}", token=token, name="a_finished_game")
    record.ok("GET", f"games/{game}/events?after={version - 3}", token=token, name="the_end")
    record.ok("GET", f"games/{game}/history/{version - 5}?seat=all", token=token, name="the_whole_table_afterwards")
    record.ok("GET", f"games/{game}/verification", token=token, name="when_it_is_over")
    other = started(players, ruleset={"options": RULES})
    record.ok("POST", f"games/{other}/leave", token=players[0].token, name="a_game_left")


def _lists(record: Recorder, noa: Person) -> None:
    record.ok("GET", "games?status=finished&limit=1", token=noa.token, name="the_latest_finished")
    record.ok("GET", "me/games?limit=1", token=noa.token, name="what_waits_for_you")
    record.ok("GET", "", name="the_links")
