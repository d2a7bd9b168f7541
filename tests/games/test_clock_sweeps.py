"""The sweep settles what nobody else does: each deadline once, one after the other, whatever is wrong with some."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.db import connection, connections

from eventlog import store
from games.engine.ruleset import Ruleset
from games.engine.state import Owed, State
from games.models import Deadline, DeadlineKind, Game
from games.services import clock
from games.tasks import draw_due_penalties, settle_expired_turns
from tests.games.overdue import HOUR, LONG, MINUTE, deadline, in_position, is_whole, now, overdue, timeouts, told
from tests.games.people import Person, opened, people, started

pytestmark = pytest.mark.django_db

CALLS = Ruleset(turn_timeout_seconds=3600, last_card_deadline="seconds:60")


@pytest.fixture(autouse=True)
def no_sweep_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, one sweep settles all that is due."""
    monkeypatch.setattr(clock, "SWEEP_SECONDS", 600.0)


def test_a_turn_that_ran_out_is_settled_by_the_clock_and_tells_how() -> None:
    players = people(2)
    (game,) = overdue(players)
    before, ran_out = players[0].view(game), deadline(game)
    assert settle_expired_turns() == 1
    (kind, cause, timeout), drawn, passed = told(game, before["version"])
    assert (kind, cause) == ("turn_timed_out", "clock")
    assert timeout == {
        "seat": before["turn"],
        "deadline": ran_out,
        "noticed": timeout["noticed"],
        "policy": "draw",
        "strikes": 1,
    }
    assert drawn[:2] == ("cards_drawn", "clock")
    assert len(drawn[2]["cards"]) == 1
    assert passed[:2] == ("turn_passed", "clock")


def test_what_the_clock_does_is_nobodys_act_and_one_command() -> None:
    players = people(2)
    (game,) = overdue(players)
    settle_expired_turns()
    rows = store.read(players[0].view(game)["id"])[-3:]
    assert [(row.actor, row.span) for row in rows] == [(None, 3), (None, None), (None, None)]


def test_the_next_deadline_counts_from_the_moment_noticed() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=5 * HOUR)
    before = now()
    settle_expired_turns()
    (timeout,) = timeouts(game)
    assert before <= timeout["noticed"] <= now()
    assert deadline(game) == timeout["noticed"] + HOUR


def test_a_second_sweep_finds_nothing() -> None:
    overdue(people(2), 3)
    assert settle_expired_turns() == 3
    assert settle_expired_turns() == 0


def test_a_game_that_still_has_time_is_left_alone() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=-MINUTE)
    assert settle_expired_turns() == 0
    assert timeouts(game) == []


@pytest.mark.parametrize(
    "wanted, policy, then",
    [
        (lambda state: state.plus2 > 0, "draw_stack", "cards_drawn"),
        (lambda state: state.owed is Owed.KING, "pass", "turn_passed"),
        (lambda state: state.owed is Owed.PLUS, "draw", "cards_drawn"),
    ],
    ids=["a stack is drawn", "after a King it passes", "for a Plus it draws"],
)
def test_the_policy_is_that_of_the_table(wanted: Any, policy: str, then: str) -> None:
    players = people(3)
    game = in_position(players, LONG, wanted, HOUR + MINUTE)
    before = players[0].view(game)
    assert settle_expired_turns() == 1
    first, second, *_ = told(game, before["version"])
    assert (first[2]["policy"], second[0]) == (policy, then)
    if policy == "draw_stack":
        assert len(second[2]["cards"]) == before["plus2"]
    assert players[0].view(game)["seats"][before["turn"]]["timeouts"] == 1


def test_a_window_that_nobody_answered_closes_and_costs_no_strike() -> None:
    players = people(3)
    game = in_position(players, LONG, lambda state: state.window is not None, MINUTE)
    before = players[0].view(game)
    assert before["window"] is not None
    assert settle_expired_turns() == 1
    events = told(game, before["version"])
    assert events[0][:2] == ("window_timed_out", "clock")
    after = players[0].view(game)
    assert after["window"] is None
    assert [seat["timeouts"] for seat in after["seats"]] == [0, 0, 0]


def owes(state: State) -> bool:
    """A last card was not called, and the draw pile holds what that costs."""
    return state.calls.owes != 0 and state.window is None and len(state.draw_pile) >= 10


def test_a_call_that_ran_out_is_punished_by_the_other_task_alone() -> None:
    players = people(3)
    game = in_position(players, CALLS, owes, 2 * MINUTE)
    before = players[0].view(game)
    debtor = next(seat["seat"] for seat in before["seats"] if seat["owes_last_card"])
    assert settle_expired_turns() == 0
    assert draw_due_penalties() == 1
    (called, cause, payload), drawn = told(game, before["version"])
    assert (called, cause, payload["seat"]) == ("call_timed_out", "clock", debtor)
    assert (drawn[2]["reason"], len(drawn[2]["cards"])) == ("last_card_penalty", 4)
    assert draw_due_penalties() == 0


def test_a_call_and_a_turn_that_ran_out_are_settled_together_by_whoever_comes_first() -> None:
    players = people(3)
    game = in_position(players, CALLS, owes, HOUR + MINUTE)
    before = players[0].view(game)["version"]
    assert draw_due_penalties() == 1
    kinds = [kind for kind, _, _ in told(game, before)]
    assert kinds[0] == "call_timed_out"
    assert kinds.count("turn_timed_out") == 1
    assert settle_expired_turns() == 0


def test_a_game_whose_players_all_fall_silent_ends_by_itself() -> None:
    players = people(3)
    game = started(
        players,
        ruleset={"options": {"turn_timeout_seconds": 1, "timeouts_before_forfeit": 2, "first_player": "seat_zero"}},
    )
    give_up = time.monotonic() + 60
    while players[0].view(game)["status"] == "running":
        assert time.monotonic() < give_up
        settle_expired_turns()
        time.sleep(0.2)
    view = players[0].view(game)
    assert (view["status"], view["result"]["ended"]) == ("finished", "forfeit")
    left = [payload["reason"] for kind, _, payload in told(game) if kind == "player_left"]
    assert left == ["timeouts", "timeouts"]
    assert told(game)[-1][:2] == ("seed_revealed", "system")
    assert not Deadline.objects.filter(game_id=game).exists()
    assert players[0].get(f"games/{game}/verification").ok()["ok"] is True


def test_fast_and_slow_games_run_side_by_side() -> None:
    """One with turns of ten seconds, one with turns of two weeks; both are a moment overdue, a third has a day left."""
    players = people(2)
    (fast,) = overdue(players, rules=Ruleset(turn_timeout_seconds=10), late_ms=500)
    fortnight = Ruleset(turn_timeout_seconds=14 * 86_400)
    (slow,) = overdue(players, rules=fortnight, late_ms=500)
    (waiting,) = overdue(players, rules=fortnight, late_ms=-24 * HOUR)
    assert settle_expired_turns() == 2
    for game, turn in ((fast, 10_000), (slow, 14 * 24 * HOUR)):
        (timeout,) = timeouts(game)
        assert deadline(game) == timeout["noticed"] + turn
    assert timeouts(waiting) == []


def test_more_games_than_a_batch_holds_are_settled_the_longest_overdue_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BATCH", 2)
    players = people(2)
    late = [overdue(players, late_ms=late)[0] for late in (1_000, 3 * MINUTE, MINUTE, 5 * MINUTE, 2 * MINUTE)]
    assert settle_expired_turns() == 5
    noticed = {game: timeouts(game)[0]["noticed"] for game in late}
    assert max(late, key=lambda game: noticed[game]) == late[0]
    assert all(len(timeouts(game)) == 1 for game in late)


def test_a_sweep_gives_way_after_its_time_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BATCH", 2)
    monkeypatch.setattr(clock, "SWEEP_SECONDS", 0.0)
    overdue(people(2), 5)
    assert [settle_expired_turns() for _ in range(4)] == [2, 2, 1, 0]


def spoil(game: str, packed: bytes = b"\x03\xc1not a table") -> None:
    Game.objects.filter(pk=game).update(state=bytes(Game.objects.get(pk=game).state or b"")[:1] + packed)


@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_game_that_cannot_be_settled_does_not_stop_the_others(
    place: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "BATCH", 3)
    games = overdue(people(2), 5)
    games.sort(key=lambda game: (deadline(game), game))
    spoil(games[place])
    assert settle_expired_turns() == 5
    assert [len(timeouts(game)) for game in games] == [int(number != place) for number in range(5)]
    told_of = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(told_of) == 1
    assert games[place] in told_of[0]


def test_a_game_that_cannot_be_settled_is_tried_again_in_a_minute() -> None:
    (game,) = overdue(people(2))
    spoil(game)
    before = now()
    settle_expired_turns()
    again = deadline(game)
    assert again is not None
    assert before + MINUTE <= again <= now() + MINUTE
    assert settle_expired_turns() == 0


def test_what_is_logged_of_a_game_that_cannot_be_settled_quotes_nothing_of_it(caplog: pytest.LogCaptureFixture) -> None:
    (game,) = overdue(people(2))
    spoil(game, b"\x9f the red king is next")
    settle_expired_turns()
    assert "red king" not in caplog.text
    assert "ValidationError" in caplog.text


def test_a_deadline_that_is_not_true_is_corrected_and_nothing_happens() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=-MINUTE)
    true = deadline(game)
    version = players[0].view(game)["version"]
    Deadline.objects.filter(game_id=game).update(at="2026-01-01T00:00:00Z")
    Deadline.objects.create(game_id=game, kind=DeadlineKind.CALL, at="2026-01-01T00:00:00Z")
    settle_expired_turns()
    assert players[0].view(game)["version"] == version
    assert deadline(game) == true
    assert not Deadline.objects.filter(game_id=game, kind="call").exists()


def test_a_deadline_of_a_game_that_is_over_is_dropped() -> None:
    players = people(2)
    game = started(players)
    players[0].post(f"games/{game}/leave").ok()
    Deadline.objects.create(game_id=game, kind=DeadlineKind.TURN, at="2026-01-01T00:00:00Z")
    settle_expired_turns()
    assert not Deadline.objects.filter(game_id=game).exists()


def test_an_open_table_that_ran_out_is_void_with_its_seed_revealed() -> None:
    host = Person()
    tables = [opened(host)["id"] for _ in range(3)]
    Game.objects.filter(pk__in=tables).update(opened_at="2026-01-01T00:00:00Z")
    Deadline.objects.filter(game_id__in=tables).update(at="2026-01-02T00:00:00Z")
    assert settle_expired_turns() == 3
    for game in tables:
        assert host.view(game)["status"] == "void"
        assert [(kind, cause) for kind, cause, _ in told(game)][-2:] == [
            ("game_voided", "clock"),
            ("seed_revealed", "system"),
        ]


def test_an_open_table_whose_seed_is_gone_does_not_stop_the_others() -> None:
    host, players = Person(), people(2)
    table = opened(host)["id"]
    (game,) = overdue(players)
    Game.objects.filter(pk=table).update(opened_at="2026-01-01T00:00:00Z")
    Deadline.objects.filter(game_id=table).update(at="2026-01-02T00:00:00Z")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_seed WHERE game_id = %s", [table])
    settle_expired_turns()
    assert len(timeouts(game)) == 1
    assert host.view(table)["status"] == "open"


@pytest.mark.django_db(transaction=True)
def test_while_the_database_is_away_a_sweep_settles_nothing_and_says_so_in_a_line(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    connection.close()
    host, connection.settings_dict["HOST"] = connection.settings_dict["HOST"], str(tmp_path)
    try:
        assert settle_expired_turns() == 0
    finally:
        connection.settings_dict["HOST"] = host
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("the clock does not reach the database: ")
    assert "\n" not in line


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_cut_costs_one_sweep_and_no_minute(superuser: Any) -> None:
    (game,) = overdue(people(2))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row = cursor.fetchone()
    assert row is not None
    superuser.execute("SELECT pg_terminate_backend(%s)", [row[0]])
    time.sleep(0.2)
    assert settle_expired_turns() == 0
    connection.close_if_unusable_or_obsolete()
    assert settle_expired_turns() == 1
    assert len(timeouts(game)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_table_that_somebody_moves_at_that_moment_is_skipped(superuser: Any) -> None:
    first, second = overdue(people(2), 2)
    with superuser.transaction():
        superuser.execute("SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE", [first])
        assert settle_expired_turns() == 1
    assert [len(timeouts(game)) for game in (first, second)] == [0, 1]
    assert settle_expired_turns() == 1
    assert is_whole(first)


@pytest.mark.django_db(transaction=True)
def test_a_sweep_that_is_cut_off_half_way_keeps_nothing_and_goes_on(superuser: Any) -> None:
    games = overdue(people(2), 3)
    with superuser.transaction():
        superuser.execute("LOCK TABLE eventlog_event IN SHARE MODE")
        sweep = Thread(target=in_a_thread_of_its_own, args=[settle_expired_turns])
        sweep.start()
        cut(superuser, waiting_for="relation")
        assert [len(timeouts(game)) for game in games] == [0, 0, 0]
    sweep.join(60)
    assert [len(timeouts(game)) for game in games] == [1, 1, 1]
    assert all(is_whole(game) for game in games)
    assert settle_expired_turns() == 0


def in_a_thread_of_its_own(task: Callable[[], int]) -> None:
    try:
        task()
    finally:
        connections.close_all()


def cut(superuser: Any, waiting_for: str) -> None:
    """Cut the connection that waits for a lock of this kind, once it does."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND wait_event = %s"
    give_up = time.monotonic() + 60
    while not superuser.execute(query, [connection.settings_dict["NAME"], waiting_for]).fetchall():
        assert time.monotonic() < give_up
        time.sleep(0.02)
        superuser.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction goes on seeing what it saw first
