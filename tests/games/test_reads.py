"""Looking at games: view, log, past, record, lists."""

import json
import random
from uuid import UUID

import pytest

from eventlog import record
from eventlog.chain import verify
from games.models import Move
from tests.games.people import Person, one_move, opened, people, play_out, seated, started

pytestmark = pytest.mark.django_db

STILL = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW = {"type": "draw"}


def test_a_view_has_the_fields_of_the_contract() -> None:
    players = people(3)
    game = started(players)
    view = players[1].view(game)
    expected = {
        "id", "status", "mode", "version", "name", "server_time", "ruleset", "seats", "you", "turn", "direction",
        "lead", "top", "open_taki", "plus2", "owed", "window", "draw_count", "discard_count", "clock",
        "legal_moves", "fairness", "result",
    }  # fmt: skip
    assert expected <= view.keys()
    assert set(view["seats"][0]) == {
        "seat", "player", "status", "hand_count", "stage", "said_last", "owes_last_card", "timeouts",
    }  # fmt: skip
    assert set(view["clock"]) == {"deadline", "remaining_ms", "on_expiry"}
    assert 0 < view["clock"]["remaining_ms"] <= 60_000
    assert set(view["lead"]) == {"color", "symbol"}
    assert len(view["you"]["hand"]) == 8


def test_a_spectator_sees_the_table_and_no_hand_and_no_legal_moves() -> None:
    players = people(2)
    game = started(players)
    view = Person().view(game)
    assert view["you"] is None
    assert "legal_moves" not in view
    assert "whole" not in view
    assert Person().get(f"games/{game}/legal-moves").ok()["legal_moves"] == []


def test_an_unlisted_table_is_shown_to_who_knows_its_id_and_stands_in_no_list() -> None:
    host, other = people(2)
    game = opened(host, visibility="unlisted")["id"]
    assert other.view(game)["id"] == game
    assert other.get(f"games?player={host.id}").ok()["results"] == []
    assert [entry["id"] for entry in host.get("me/games").ok()["results"]] == [game]


def test_a_reader_who_holds_the_version_gets_304_with_the_time() -> None:
    players = people(2)
    game = started(players, **STILL)
    version = players[0].view(game)["version"]
    for path in (f"games/{game}", f"games/{game}/legal-moves", f"games/{game}/events?after={version}"):
        for tag in (f'"{version}"', f'W/"{version}"', str(version), f'"3", "{version}"'):
            answer = players[0].get(path, if_none_match=tag)
            assert (answer.status, answer.raw) == (304, b"")
            assert answer.headers["X-Server-Time"].endswith("Z")
        assert players[0].get(path, if_none_match='"1"').status == 200


def test_a_page_of_the_log_is_not_withheld_from_who_holds_the_version_alone() -> None:
    players = people(2)
    game = started(players, **STILL)
    version = players[0].view(game)["version"]
    answer = players[0].get(f"games/{game}/events?after={version - 1}", if_none_match=f'"{version}"')
    assert [event["version"] for event in answer.ok()["events"]] == [version]


def test_what_an_open_table_was_is_told_anew_because_names_may_have_changed() -> None:
    host = Person()
    game = opened(host)["id"]
    assert host.get(f"games/{game}/history/2", if_none_match='"2"').status == 200


def test_a_reader_who_holds_a_version_of_the_past_gets_304_and_nobody_else() -> None:
    players = people(2)
    game = started(players, **STILL)
    past = players[0].view(game)["version"]
    players[0].move(game, {"type": "draw"}).ok(201)
    assert players[0].get(f"games/{game}/history/{past}", if_none_match=f'"{past}"').status == 304
    assert players[0].get(f"games/{game}/history/{past}", if_none_match=f'"{past + 1}"').status == 200
    players[0].get(f"games/{game}/history/{past}?seat=1", if_none_match=f'"{past}"').refused(403, "history_not_visible")


def test_an_answer_is_private_and_varies_with_its_reader() -> None:
    players = people(2)
    answer = players[0].get(f"games/{started(players)}")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Authorization, Accept-Language"


def test_the_log_is_read_in_parts_without_gaps() -> None:
    players = people(2)
    game = started(players, **STILL)
    seen: list[int] = []
    more = True
    while more:
        part = players[0].get(f"games/{game}/events?after={len(seen)}&limit=3").ok()
        seen += [event["version"] for event in part["events"]]
        more = part["more"]
    assert seen == list(range(1, part["version"] + 1))
    assert players[0].get(f"games/{game}/events?after={len(seen)}").ok() == {
        "events": [], "version": len(seen), "more": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "query, pointer, code",
    [
        ("limit=0", "/?limit", "out_of_range"),
        ("limit=201", "/?limit", "out_of_range"),
        ("after=-1", "/?after", "out_of_range"),
        ("after=x", "/?after", "wrong_type"),
        ("since=1", "/?since", "unknown_field"),
    ],
)
def test_a_bad_query_of_the_log_is_refused(query: str, pointer: str, code: str) -> None:
    players = people(2)
    players[0].get(f"games/{started(players)}/events?{query}").faulty(pointer, code)


def test_history_shows_ones_own_view_as_it_was() -> None:
    players = people(2)
    game = started(players, **STILL)
    then = players[1].view(game)
    players[0].move(game, DRAW).ok(201)
    past = players[1].get(f"games/{game}/history/{then['version']}").ok()
    assert past | {"server_time": "", "clock": None} == then | {"server_time": "", "clock": None}
    players[1].get(f"games/{game}/history/{then['version']}?seat=1").ok()
    for query in ("seat=0", "seat=all"):
        players[1].get(f"games/{game}/history/1?{query}").refused(403, "history_not_visible")
    Person().get(f"games/{game}/history/{then['version']}?seat=0").refused(403, "history_not_visible")
    for version in ("0", "99999", "x", "-1", "1e3", "9" * 30):
        players[1].get(f"games/{game}/history/{version}").refused(404, "not_found")


def test_every_version_of_a_game_can_be_looked_at_those_amid_the_deal_too() -> None:
    players = people(3)
    game = started(players)
    final = play_out(players, game)
    for version in range(1, final["version"] + 1):
        view = players[0].get(f"games/{game}/history/{version}").ok()
        assert view["version"] == version
        assert (view["lead"] is None) == (view["status"] == "open")


def test_history_before_the_start_shows_the_seats_of_that_moment() -> None:
    host, guest, other = people(3)
    game = seated([host, guest, other])
    guest.post(f"games/{game}/leave").ok()
    host.post(f"games/{game}/start").ok()
    past = guest.get(f"games/{game}/history/4").ok()
    assert past["status"] == "open"
    assert [seat["player"]["id"] for seat in past["seats"]] == [host.id, guest.id, other.id]
    assert past["you"]["seat"] == 1


def test_a_finished_game_is_shown_whole_to_everybody() -> None:
    players = people(3)
    game = started(players)
    final = play_out(players, game)
    watcher = Person()
    view = watcher.view(game)
    assert len(view["whole"]["hands"]) == 3
    whole = watcher.get(f"games/{game}/history/{final['version'] // 2}?seat=all").ok()
    assert sum(len(hand) for hand in whole["whole"]["hands"]) == sum(seat["hand_count"] for seat in whole["seats"])
    one = watcher.get(f"games/{game}/history/{final['version'] // 2}?seat=2").ok()
    assert one["you"]["hand"] == whole["whole"]["hands"][2]
    assert "whole" not in one
    watcher.get(f"games/{game}/history/9?seat=5").faulty("/?seat", "out_of_range")
    watcher.get(f"games/{game}/history/9?seat=x").faulty("/?seat", "wrong_pattern")
    events = watcher.get(f"games/{game}/events").ok()["events"]
    assert len(next(e for e in events if e["kind"] == "deck_shuffled")["data"]["cards"]) == 116


def test_the_record_of_a_finished_game_verifies_by_itself() -> None:
    players = people(2)
    game = started(players)
    players[0].get(f"games/{game}/record").refused(409, "record_not_ready")
    play_out(players, game)
    answer = Person().get(f"games/{game}/record")
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    header, *lines = answer.raw.splitlines()
    facts = json.loads(header)
    assert (facts["game"], facts["events"]) == (game, len(lines))
    rows = [record.parse(line) for line in lines]
    assert verify(rows) is None
    assert rows[-1].digest.hex() == facts["head"]
    assert all(row.stream == UUID(game) for row in rows)


def test_lists_show_tables_by_status_mode_player_and_turn() -> None:
    players = people(3)
    host = players[0]
    waiting = opened(host)["id"]
    running = started(players[:2], **STILL)
    contest = opened(players[2], mode="tournament")["id"]
    cancelled = opened(host)["id"]
    host.post(f"games/{cancelled}/cancel").ok()

    def listed(query: str) -> list[str]:
        return [entry["id"] for entry in host.get(f"games?{query}").ok()["results"]]

    assert listed("") == [cancelled, contest, running, waiting]
    assert listed("status=open") == [contest, waiting]
    assert listed("status=running") == [running]
    assert listed("status=void") == [cancelled]
    assert listed("mode=tournament") == [contest]
    assert listed(f"player={players[1].id}") == [running]
    assert listed(f"turn_of={host.id}") == [running]
    assert listed(f"turn_of={players[1].id}") == []
    assert listed(f"status=open&mode=single&player={host.id}") == [waiting]
    host.get("games?player=nobody").faulty("/?player", "invalid_value")
    host.get("games?status=odd").faulty("/?status", "not_a_choice")


def test_lists_are_paged_and_stay_stable_while_tables_are_added() -> None:
    host = Person()
    games = [opened(host)["id"] for _ in range(5)]
    first = host.get("games?limit=2").ok()
    opened(host)
    second = host.get(first["next"].removeprefix("/api/v1/")).ok()
    third = host.get(second["next"].removeprefix("/api/v1/")).ok()
    assert [entry["id"] for page in (first, second, third) for entry in page["results"]] == games[::-1]
    assert third["next"] is None
    back = host.get(second["previous"].removeprefix("/api/v1/")).ok()
    assert back["results"] == first["results"]


def test_a_cursor_leads_on_in_its_own_list_alone() -> None:
    host = Person()
    games = [opened(host)["id"] for _ in range(3)]
    address = host.get(f"games?status=open&player={host.id}&limit=1").ok()["next"]
    cursor = address.rpartition("cursor=")[2]
    same = host.get(f"games?cursor={cursor}&limit=2&player={host.id}&status=open").ok()
    assert [entry["id"] for entry in same["results"]] == games[1::-1]
    for path in ("games?", "games?status=open&", f"games?status=running&player={host.id}&", "tokens?", "tournaments?"):
        host.get(f"{path}cursor={cursor}").faulty("/?cursor", "invalid_cursor")


def test_own_games_come_with_those_that_wait_for_the_caller_first() -> None:
    host, guest = people(2)
    mine = started([host, guest], **STILL)
    theirs = started([host, guest], **STILL)
    host.move(theirs, DRAW).ok(201)
    over = started([host, guest], **STILL)
    guest.post(f"games/{over}/leave").ok()
    waiting = opened(host)["id"]
    results = host.get("me/games").ok()["results"]
    assert [entry["id"] for entry in results] == [mine, theirs, waiting, over]
    assert [entry["awaited"] for entry in results] == [True, False, False, False]
    assert results[3]["result"]["winner"] == 0
    pages = host.get("me/games?limit=3").ok()
    rest = host.get(pages["next"].removeprefix("/api/v1/")).ok()
    assert [entry["id"] for entry in rest["results"]] == [over]
    back = host.get(rest["previous"].removeprefix("/api/v1/")).ok()
    assert back["results"] == pages["results"]


def test_a_host_without_a_seat_finds_the_table_among_the_own_games() -> None:
    host, *players = people(3)
    first = opened(host, seat_creator=False, **STILL)["id"]
    for player in players:
        player.post(f"games/{first}/join", {}).ok()
    host.post(f"games/{first}/start").ok()
    second = opened(host, seat_creator=False, visibility="unlisted")["id"]
    found = host.get("me/games").ok()["results"]
    assert [(entry["id"], entry["you"], entry["awaited"]) for entry in found] == [
        (first, None, False),
        (second, None, False),
    ]
    assert [entry["you"] for entry in players[0].get("me/games").ok()["results"]] == [0]
    following = host.get("me/games?limit=1").ok()["next"].removeprefix("/api/v1/")
    assert [entry["id"] for entry in host.get(following).ok()["results"]] == [second]


def test_moves_are_a_view_of_the_log_without_drawn_cards() -> None:
    players = people(2)
    game = started(players)
    chance = random.Random(4)
    for _ in range(12):
        one_move(players, game, chance)
    players[players[0].view(game)["turn"]].move(game, DRAW)
    moves = Move.objects.filter(game_id=game).order_by("version")
    assert {move.kind for move in moves} <= {"cards_played", "cards_drawn"}
    for move in moves:
        assert (move.cards is None) == (move.kind == "cards_drawn")
        assert move.cards is None or len(move.cards) == move.count


def test_the_rules_come_in_the_language_asked_for_and_without_a_token() -> None:
    stranger = Person()
    stranger.token = "none"
    english, welsh = stranger.get("rules").ok(), stranger.get("rules", accept_language="cy").ok()
    assert english["language"] == "en"
    assert welsh["language"] == "cy"
    assert (english["names"]["cards"]["red-5"], welsh["names"]["cards"]["red-5"]) == ("red 5", "5 coch")
    assert len(welsh["names"]["cards"]) == 57
    assert welsh["names"]["colors"]["any"] == "unrhyw liw"
    numbers = [rule["number"] for part in ("base",) for s in english[part]["sections"] for rule in s["rules"]]
    assert numbers[:3] == ["B1", "B2", "B3"]
    assert len(numbers) == 65


def test_the_presets_come_with_every_option_its_values_and_its_default() -> None:
    answer = Person().get("rules/presets").ok()
    presets = {preset["preset"]: preset for preset in answer["presets"]}
    assert set(presets) == {"taki_116", "tournament_116", "classic_112", "strict", "home"}
    assert presets["home"]["changes"] == {
        "last_card_mode": "catch", "plus_must_play": False, "taki_run_length": "any",
    }  # fmt: skip
    options = {option["option"]: option for option in answer["options"]}
    assert set(options) == set(presets["strict"]["options"])
    assert [value["value"] for value in options["king_lead"]["values"]] == ["any", "keep"]
    assert (options["hand_size"]["minimum"], options["hand_size"]["maximum"]) == (3, 10)
    assert options["king_cancels_plus2"]["default"] is True


def test_an_endpoint_answers_405_and_401_with_problems() -> None:
    player = Person()
    assert player.call("PUT", "games").refused(405, "method_not_allowed")["type"] == "/problems/method_not_allowed"
    player.token = "bad"
    player.get("games").refused(401, "token_unknown")
