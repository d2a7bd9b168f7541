"""The clock of a sandbox game: moved by hand, settled at once, in nobody's way."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.conf import LazySettings
from django.db.models import F
from django.utils import timezone

from eventlog import store
from games import tables
from games.engine.commands import DrawCards
from games.engine.state import State
from games.models import Deadline, DeadlineKind, Game, Heartbeat
from games.services import clock, sandbox
from games.services.actors import clock_stamp
from games.services.chance import StoredChance
from games.services.commit import progress, write
from games.services.judging import decided, settled
from tests.games.people import Person, people, started
from tests.games.sandboxes import DRAW, TWO, Sandbox

pytestmark = pytest.mark.django_db
EVERY = list(DeadlineKind)
PLUS3 = TWO | {"hands": {"Ada": ["plus3", "red-1", "red-3"], "Bo": ["breaker", "red-6"]}}
ONE_LEFT = TWO | {"hands": {"Ada": ["red-3", "yellow-1"], "Bo": ["red-4", "blue-1", "green-1"]}}


def kinds(game: Sandbox, after: int) -> list[str]:
    return [event["kind"] for event in game.host.get(f"games/{game.id}/events?after={after}").ok()["events"]]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_turn_runs_out_without_waiting() -> None:
    game = Sandbox(Person())
    before = game.view(0)
    view = game.clock(60).ok()
    assert (view["turn"], view["seats"][0]["timeouts"], view["seats"][0]["hand_count"]) == (1, 1, 4)
    assert kinds(game, before["version"]) == ["turn_timed_out", "cards_drawn", "turn_passed"]
    assert moment(view["server_time"]) - moment(before["server_time"]) >= timedelta(seconds=60)
    assert 59_000 < view["clock"]["remaining_ms"] <= 60_000


def test_a_move_forward_that_meets_no_deadline_only_shortens_the_time() -> None:
    game = Sandbox(Person())
    answer = game.clock(20)
    view = answer.ok()
    assert view["version"] == game.game["version"]
    assert answer.headers["ETag"] == f'"{view["version"]}"'
    assert 35_000 < view["clock"]["remaining_ms"] <= 40_000
    assert view["clock"]["deadline"] == game.view(0)["clock"]["deadline"] == game.game["clock"]["deadline"]


def test_however_far_it_is_moved_each_deadline_is_settled_once() -> None:
    game = Sandbox(Person())
    assert game.clock(3600).ok()["seats"][0]["timeouts"] == 1
    view = game.clock(3600).ok()
    assert [seat["timeouts"] for seat in view["seats"]] == [1, 1]


def test_a_player_can_be_timed_out_of_the_game() -> None:
    game = Sandbox(Person(), TWO, timeouts_before_forfeit=2)
    for _ in range(3):
        view = game.clock(60).ok()
    assert (view["status"], view["result"]["ended"], view["result"]["winner"]) == ("finished", "forfeit", 1)
    game.clock(60).refused(409, "game_not_running")


def test_the_window_of_a_plus3_closes_by_the_clock() -> None:
    game = Sandbox(Person(), PLUS3)
    version = game.move(0, {"type": "play", "cards": ["plus3"]}).ok(201)["version"]
    view = game.clock(15).ok()
    assert (view["window"], view["seats"][1]["hand_count"]) == (None, 5)
    assert kinds(game, version)[0] == "window_timed_out"


def test_a_call_that_is_owed_runs_out_by_the_clock() -> None:
    game = Sandbox(Person(), ONE_LEFT, last_card_deadline="seconds:5")
    version = game.move(0, {"type": "play", "cards": ["red-3"]}).ok(201)["version"]
    view = game.clock(5).ok()
    assert kinds(game, version) == ["call_timed_out", "cards_drawn"]
    assert view["turn"] == 1


def test_moves_and_events_go_by_the_moved_clock() -> None:
    game = Sandbox(Person())
    game.clock(50).ok()
    moved = game.move(0, DRAW).ok(201)
    assert moment(moved["events"][0]["at"]) > timezone.now() + timedelta(seconds=40)
    assert moved["game"]["clock"]["remaining_ms"] == 60_000


def test_deadlines_stand_in_real_time_so_that_the_sweep_stays_right() -> None:
    game = Sandbox(Person(), TWO, turn_timeout_seconds=3600)
    game.clock(3500).ok()
    assert clock.sweep(EVERY) == 0
    assert timedelta(0) < Deadline.objects.get(game_id=game.id).at - timezone.now() <= timedelta(seconds=100)
    # As if two minutes had passed.
    Game.objects.filter(pk=game.id).update(ahead_ms=F("ahead_ms") + 120_000)
    Deadline.objects.filter(game_id=game.id).update(at=F("at") - timedelta(minutes=2))
    assert clock.sweep(EVERY) == 1
    view = game.view(1)
    assert (view["turn"], view["seats"][0]["timeouts"]) == (1, 1)
    assert timedelta(minutes=58) < Deadline.objects.get(game_id=game.id).at - timezone.now() <= timedelta(hours=1)
    assert clock.sweep(EVERY) == 0


def test_a_clock_moved_while_a_move_is_decided_moves_the_next_deadline_too() -> None:
    game = Sandbox(Person())
    with store.cursor() as raw:
        table = tables.read(raw, UUID(game.id))
        assert table is not None
        game.clock(50).ok()
        chance = StoredChance(table.id)
        before = settled(table.state() or fail(), table, chance)
        after = decided(before, DrawCards(0), table, chance)
        assert write(raw, table, progress(after.state, after.new_events()), clock_stamp(table.now))
    left = Deadline.objects.get(game_id=game.id).at - timezone.now()
    assert timedelta(seconds=5) < left <= timedelta(seconds=10)
    assert 5_000 < game.view(1)["clock"]["remaining_ms"] <= 10_000


def fail() -> State:
    raise AssertionError("the game runs")


def test_a_late_move_meets_the_timeout_first() -> None:
    game = Sandbox(Person(), TWO, turn_timeout_seconds=1)
    game.clock(300).ok()
    time.sleep(1.1)
    told = game.move(0, DRAW).ok(201)["events"]
    assert [(event["kind"], event["cause"]) for event in told[:2]] == [
        ("turn_timed_out", "clock"),
        ("cards_drawn", "clock"),
    ]


def test_the_jump_of_a_clock_is_no_outage(settings: LazySettings) -> None:
    settings.OUTAGE_GRACE_SECONDS = 30
    Heartbeat.objects.create(at=timezone.now())
    game = Sandbox(Person())
    assert game.clock(60).ok()["seats"][0]["timeouts"] == 1


def test_the_clock_of_no_other_game_moves() -> None:
    ones, other = Sandbox(Person()), Sandbox(Person())
    usual = started(people(2))
    ones.clock(60).ok()
    assert other.view(0)["clock"]["deadline"] == other.game["clock"]["deadline"]
    assert {row.ahead_ms for row in Game.objects.filter(pk__in=[other.id, usual])} == {0, None}


# --- who may, and how far ------------------------------------------------------------------------


def test_whoever_opened_the_game_or_sits_at_it_may_move_its_clock() -> None:
    game = Sandbox(Person())
    for person in (game.host, *game.seats):
        game.clock(1, person).ok()
    game.clock(1, Person()).refused(403, "not_your_sandbox_game")


def test_only_sandbox_games_have_such_a_clock() -> None:
    players = people(2)
    usual = started(players)
    for game in (usual, str(uuid4()), "7"):
        players[0].post(f"sandbox/games/{game}/clock", {"seconds": 60}).refused(404, "not_found")


def test_it_moves_forward_a_month_at_most_and_a_year_altogether() -> None:
    game = Sandbox(Person())
    for seconds in (0, -1, 31 * 86_400 + 1):
        game.clock(seconds).faulty("/seconds", "out_of_range")
    Game.objects.filter(pk=game.id).update(ahead_ms=sandbox.FURTHEST_MS - 5_000)
    assert game.clock(6).faulty("/seconds", "out_of_range")["params"] == {"bound": "<= 5"}
    game.clock(5).ok()


def test_a_repeat_moves_it_once() -> None:
    game = Sandbox(Person())
    first = game.clock(20, idempotency_key="on")
    assert game.clock(20, idempotency_key="on").raw == first.raw
    assert Game.objects.get(pk=game.id).ahead_ms == 20_000


def test_it_may_be_moved_for_one_version_alone() -> None:
    game = Sandbox(Person())
    version = game.game["version"]
    game.clock(60, if_match=str(version)).ok()
    assert game.clock(60, if_match=str(version)).refused(412, "version_conflict")["version"] == version + 3
    assert game.view(0)["seats"][1]["timeouts"] == 0
