"""What bad input gets at a game: each kind its code, and not one row of the database changes."""

from __future__ import annotations

import gzip
import json
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection

from accounts.scopes import Scope
from accounts.services import tokens
from httpapi.bodies import LIMIT
from tests.games.people import Person, people, play_out, seated, started

pytestmark = pytest.mark.django_db

STILL: Final = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
ROOMS: Final = ("eventlog", "httpapi", "accounts", "games", "tournaments")
NOWHERE: Final = "01a22bca-a47b-7455-aa76-04fb997f5f8c"
DRAW: Final = {"type": "draw"}


def everything() -> dict[str, str]:
    """A digest of every table of the service."""
    tables = {model._meta.db_table for room in ROOMS for model in apps.get_app_config(room).get_models()}
    digests = {}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM \"{table}\" t")
            digests[table] = str(cursor.fetchone()[0])
    return digests


class Table:
    """A running game of two: the first is to move; a third looks on."""

    def __init__(self) -> None:
        self.mover, self.waiter, self.spectator = people(3)
        self.game = started([self.mover, self.waiter], **STILL)
        self.version = self.mover.view(self.game)["version"]
        self.before = everything()

    def untouched(self) -> None:
        assert everything() == self.before


@pytest.fixture
def table() -> Table:
    return Table()


# --- bodies --------------------------------------------------------------------------------------

FAULTY: Final[dict[str, tuple[Any, str, str]]] = {
    "unknown field": ({"type": "draw", "count": 4}, "/count", "unknown_field"),
    "look-alike field": ({"type": "draw", "аnswer": True}, "/аnswer", "unknown_field"),
    "duplicate field": (b'{"type": "draw", "answer": false, "answer": true}', "/answer", "duplicate_field"),
    "duplicate in another spelling": (b'{"type": "draw", "\\u0074ype": "draw"}', "/type", "duplicate_field"),
    "no type": ({"cards": ["red-5"]}, "/type", "missing_field"),
    "type of another kind": ({"type": 7}, "/type", "invalid_value"),
    "unknown command": ({"type": "resign"}, "/type", "not_a_choice"),
    "command of the clock": ({"type": "timeout"}, "/type", "not_a_choice"),
    "list": ([], "", "wrong_type"),
    "null": (b"null", "", "wrong_type"),
    "text": ("draw", "", "wrong_type"),
    "number in the place of cards": ({"type": "play", "cards": 5}, "/cards", "wrong_type"),
    "unknown card": ({"type": "play", "cards": ["red-2"]}, "/cards/0", "not_a_choice"),
    "card with NUL": ({"type": "play", "cards": ["red-5\x00"]}, "/cards/0", "not_a_choice"),
    "card in capitals": ({"type": "play", "cards": ["RED-5"]}, "/cards/0", "not_a_choice"),
    "no cards": ({"type": "play", "cards": []}, "/cards", "too_short"),
    "more cards than the deck": ({"type": "play", "cards": ["king"] * 117}, "/cards", "too_long"),
    "five thousand cards": ({"type": "play", "cards": ["king"] * 5_000}, "/cards", "too_long"),
    "cards nested": ({"type": "play", "cards": [["red-5"]]}, "/cards/0", "wrong_type"),
    "word for a truth": ({"type": "play", "cards": ["red-5"], "close": "yes"}, "/close", "wrong_type"),
    "target below zero": ({"type": "catch", "target": -1}, "/target", "out_of_range"),
    "target beyond the table": ({"type": "catch", "target": 5}, "/target", "out_of_range"),
    "target with a fraction": ({"type": "catch", "target": 0.5}, "/target", "wrong_type"),
    "target beyond numbers": (b'{"type": "catch", "target": 1e999}', "/target", "out_of_range"),
    "target of a thousand digits": (b'{"type": "catch", "target": ' + b"9" * 1000 + b"}", "/target", "out_of_range"),
    "seat of somebody else": ({"type": "draw", "seat": 0}, "/seat", "unknown_field"),
    "lone surrogate": (b'{"type": "\\ud83d"}', "/type", "lone_surrogate"),
    "nested too deeply": (b'{"type": "draw", "x": ' + b"[" * 5000 + b"]" * 5000 + b"}", "/x", "unknown_field"),
}


@pytest.mark.parametrize("body, pointer, code", FAULTY.values(), ids=FAULTY)
def test_a_faulty_command_is_refused_where_it_is_at_fault(table: Table, body: Any, pointer: str, code: str) -> None:
    sent = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    table.mover.move(table.game, sent).faulty(pointer, code)
    table.untouched()


@pytest.mark.parametrize(
    "body",
    [
        b'{"type": "draw"',
        b"{'type': 'draw'}",
        b'{"type": "draw"} {}',
        b"\x00",
        b"\xff\xfe",
        b'{"type": NaN}',
        b'{"a": "\n"}',
    ],
)
def test_malformed_json_is_refused_with_its_place(table: Table, body: bytes) -> None:
    problem = table.mover.move(table.game, body).refused(400, "malformed_json")
    assert isinstance(problem["params"]["byte"], int)
    table.untouched()


def test_ten_thousand_cards_are_too_many_to_be_read(table: Table) -> None:
    body = json.dumps({"type": "play", "cards": ["king"] * 10_000}).encode()
    assert len(body) > LIMIT
    table.mover.move(table.game, body).refused(413, "body_too_large")
    table.untouched()


def test_a_body_of_two_megabytes_is_refused(table: Table) -> None:
    table.mover.move(table.game, b" " * 2_000_000).refused(413, "body_too_large")
    table.untouched()


def test_a_gzip_bomb_stays_closed(table: Table) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    assert len(bomb) < LIMIT
    table.mover.move(table.game, bomb, content_encoding="gzip").refused(415, "content_encoding_unsupported")
    table.untouched()


# --- who and when --------------------------------------------------------------------------------


def test_a_card_that_is_not_in_the_hand_cannot_be_played(table: Table) -> None:
    held = set(table.mover.view(table.game)["you"]["hand"])
    missing = next(card for card in ("red-1", "blue-1", "king", "green-9") if card not in held)
    body = {"type": "play", "cards": [missing]}
    table.mover.move(table.game, body).refused(409, "card_not_in_hand")
    table.untouched()


def test_a_card_held_once_cannot_be_played_twice(table: Table) -> None:
    hand = table.mover.view(table.game)["you"]["hand"]
    once = next(card for card in hand if hand.count(card) == 1)
    table.mover.move(table.game, {"type": "play", "cards": [once, once]}).refused(409, "card_not_in_hand")
    table.untouched()


def test_a_move_out_of_turn_is_refused(table: Table) -> None:
    table.waiter.move(table.game, DRAW).refused(409, "not_your_turn")
    table.untouched()


def test_a_move_on_a_finished_game_is_refused() -> None:
    players = people(2)
    game = started(players, ruleset={"options": STILL["ruleset"]["options"] | {"hand_size": 3}})
    play_out(players, game)
    spectator = Person()
    before = everything()
    for player in [*players, spectator]:
        player.move(game, {"type": "play", "cards": ["king"]}).refused(409, "game_over")
    assert everything() == before


def test_a_move_with_a_stale_version_is_refused(table: Table) -> None:
    table.mover.move(table.game, DRAW).ok(201)
    before = everything()
    table.waiter.move(table.game, DRAW, if_match=str(table.version)).refused(412, "version_conflict")
    table.waiter.move(table.game, DRAW, if_match="999999").refused(412, "version_conflict")
    assert everything() == before


@pytest.mark.parametrize("version", ["yesterday", '"1', "-1", "1, 2", '"1"; drop', "٣", "9" * 40])
def test_a_version_that_is_none_is_refused(table: Table, version: str) -> None:
    table.mover.move(table.game, DRAW, if_match=version).refused(400, "invalid_header")
    table.untouched()


def test_a_fault_of_the_body_is_told_before_one_of_the_version_and_one_of_the_key_before_both(table: Table) -> None:
    table.mover.move(table.game, b"{bad", if_match="banana").refused(400, "malformed_json")
    table.mover.move(table.game, b"{bad", if_match="banana", idempotency_key="x" * 256).refused(
        400, "idempotency_key_invalid"
    )
    table.untouched()


def test_a_body_that_removing_a_seat_does_not_know_is_refused() -> None:
    host, guest = people(2)
    game = seated([host, guest])
    host.call("DELETE", f"games/{game}/seats/1", {"x": 1}).faulty("/x", "unknown_field")
    assert len(host.view(game)["seats"]) == 2
    host.call("DELETE", f"games/{game}/seats/1", {}).ok()
    host.call("DELETE", "rules", b"{bad").refused(405, "method_not_allowed")


def test_the_same_move_sent_twice_counts_once(table: Table) -> None:
    first = table.mover.move(table.game, DRAW, idempotency_key="once", if_match=str(table.version))
    first.ok(201)
    before = everything()
    again = table.mover.move(table.game, DRAW, idempotency_key="once", if_match=str(table.version))
    assert (again.status, again.raw, again.headers["Idempotent-Replayed"]) == (201, first.raw, "true")
    table.mover.move(table.game, DRAW, if_match=str(table.version)).refused(412, "version_conflict")
    table.mover.move(table.game, DRAW).refused(409, "not_your_turn")
    assert everything() == before


@pytest.mark.parametrize("key", ["", "x" * 256, "naïve", "a\tb", "\x7f"])
def test_a_key_that_is_none_is_refused(table: Table, key: str) -> None:
    table.mover.move(table.game, DRAW, idempotency_key=key).refused(400, "idempotency_key_invalid")
    table.untouched()


def test_a_move_with_the_token_of_somebody_else_is_theirs_and_not_yours(table: Table) -> None:
    table.mover.token = table.waiter.token
    table.mover.move(table.game, DRAW).refused(409, "not_your_turn")
    table.mover.token = table.spectator.token
    table.mover.move(table.game, DRAW).refused(409, "not_in_game")
    table.untouched()


def test_a_move_from_a_spectator_is_refused(table: Table) -> None:
    hand = table.mover.view(table.game)["you"]["hand"]
    for body in (DRAW, {"type": "pass"}, {"type": "say_last"}, {"type": "play", "cards": hand[:1]}):
        problem = table.spectator.move(table.game, body).refused(409, "not_in_game")
        assert problem["legal_moves"] == []
    table.untouched()


@pytest.mark.parametrize(
    "token, code",
    [
        ("taki_invented", "token_unknown"),
        ("", "token_unknown"),
        ("x" * 5000, "token_unknown"),
        ("taki_\x00", "token_unknown"),
        ("taki_" + "٣" * 49, "token_unknown"),
    ],
)
def test_a_token_that_is_none_is_refused(table: Table, token: str, code: str) -> None:
    table.mover.token = token
    table.mover.move(table.game, DRAW).refused(401, code)
    table.untouched()


def test_a_token_for_reading_moves_nothing(table: Table) -> None:
    table.mover.token = tokens.issue(table.mover.player, [Scope.READ]).text
    before = everything()
    table.mover.move(table.game, DRAW).refused(403, "scope_missing")
    table.mover.post("games", {}).refused(403, "scope_missing")
    assert everything() == before


# --- ids and queries -----------------------------------------------------------------------------

CALLS: Final = (
    ("GET", "games/{}"),
    ("GET", "games/{}/legal-moves"),
    ("GET", "games/{}/events"),
    ("GET", "games/{}/history/1"),
    ("GET", "games/{}/record"),
    ("GET", "games/{}/verification"),
    ("GET", "tournaments/{}"),
    ("POST", "games/{}/moves"),
    ("POST", "games/{}/join"),
    ("POST", "games/{}/leave"),
    ("POST", "games/{}/start"),
    ("POST", "games/{}/cancel"),
    ("DELETE", "games/{}/seats/0"),
)
NO_IDS: Final = (
    NOWHERE,
    "0",
    "-1",
    "null",
    "true",
    "x" * 36,
    "x" * 3000,
    "%00",
    "%F0%9F%83%8F",
    NOWHERE[:-1],
    NOWHERE + "%20",
    "'; DROP TABLE games_game; --",
    "..%2F..%2Fme",
    "%7B" + NOWHERE + "%7D",
)


@pytest.mark.parametrize("id_", NO_IDS)
def test_an_unknown_id_and_what_is_none_are_not_found(table: Table, id_: str) -> None:
    for method, path in CALLS:
        body = DRAW if path.endswith("moves") else None
        answer = table.mover.call(method, path.format(id_), body)
        answer.refused(404, "not_found")
    table.untouched()


@pytest.mark.parametrize("number", ["2", "9", "10", "-1", "x", "٣", "1.0", "0x1", "%00"])
def test_a_seat_that_is_none_is_not_found(number: str) -> None:
    host, guest = people(2)
    game = seated([host, guest])
    before = everything()
    host.delete(f"games/{game}/seats/{number}").refused(404, "not_found")
    assert everything() == before


@pytest.mark.parametrize("version", ["0", "-1", "999", "x", "1.0", "٣", "9" * 30, "%00"])
def test_a_version_that_never_was_is_not_found(table: Table, version: str) -> None:
    table.mover.get(f"games/{table.game}/history/{version}").refused(404, "not_found")
    table.untouched()


@pytest.mark.parametrize(
    "path, pointer, code",
    [
        ("games/{}/events?after=-1", "/?after", "out_of_range"),
        ("games/{}/events?after=soon", "/?after", "wrong_type"),
        ("games/{}/events?after=99999999999", "/?after", "out_of_range"),
        ("games/{}/events?limit=201", "/?limit", "out_of_range"),
        ("games/{}/events?limit=1&limit=2", "/?limit", "duplicate_field"),
        ("games/{}/events?seat=1", "/?seat", "unknown_field"),
        ("games/{}/history/1?seat=10", "/?seat", "wrong_pattern"),
        ("games/{}/history/1?seat=mine%00", "/?seat", "nul_character"),
        ("games?player=noa", "/?player", "invalid_value"),
        ("games?status=paused", "/?status", "not_a_choice"),
        ("games?cursor=made-up", "/?cursor", "invalid_cursor"),
        ("me/games?cursor=gqRzaWRl", "/?cursor", "invalid_cursor"),
    ],
)
def test_a_faulty_query_is_refused_with_the_parameter_named(table: Table, path: str, pointer: str, code: str) -> None:
    table.mover.get(path.format(table.game)).faulty(pointer, code)
    table.untouched()


def test_a_faulty_query_of_a_move_moves_nothing(table: Table) -> None:
    for query in ("dry_run=maybe", "dry_run=true&dry_run=true", "dry-run=true"):
        table.mover.post(f"games/{table.game}/moves?{query}", DRAW).refused(400, "invalid_request")
    table.untouched()


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, code",
    [
        ("Friday\x00table", "nul_character"),
        ("Friday\x07table", "forbidden_character"),
        ("Friday\ntable", "forbidden_character"),
        ("Friday\x7ftable", "forbidden_character"),
        ("Friday\x85table", "forbidden_character"),
        ("\u202eelbat yadirF", "forbidden_character"),
        ("\u202dFriday", "forbidden_character"),
        ("\u2066Friday\u2069", "forbidden_character"),
        ("\u200b", "blank_text"),
        ("   ", "blank_text"),
        ("x" * 61, "too_long"),
        ("\ud83d", "lone_surrogate"),
    ],
)
def test_a_name_that_would_deceive_is_refused(name: str, code: str) -> None:
    host = Person()
    before = everything()
    host.post("games", {"name": name}).faulty("/name", code)
    host.call("PATCH", "me", {"display_name": name}).faulty("/display_name", code)
    assert everything() == before


@pytest.mark.parametrize("seed", ["", "x" * 65, "a b", "noa\u202e", "noa\x00", "\ud83d", 7, ["a"]])
def test_a_client_seed_that_is_none_takes_no_seat(seed: object) -> None:
    host, guest = people(2)
    game = seated([host])
    before = everything()
    guest.post(f"games/{game}/join", {"client_seed": seed}).refused(400, "invalid_request")
    guest.post("games/join", {"join_code": "A" * 41, "client_seed": "a"}).faulty("/join_code", "too_long")
    assert everything() == before
