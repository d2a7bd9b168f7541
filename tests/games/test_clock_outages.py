"""Deadlines that fell into a time in which nobody could play: moved, without a strike, once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections

from games.engine.record import checks, read_record
from games.models import Deadline, Game, Heartbeat, Outage
from games.services import outages
from games.tables import moment_of
from games.tasks import settle_expired_turns
from tests.games.overdue import HOUR, MINUTE, deadline, now, overdue, timeouts, told, true_deadline
from tests.games.people import Person, opened, people

pytestmark = pytest.mark.django_db

DRAW = {"type": "draw"}
GRACE = 30_000


def last_beat(ago_ms: int) -> int:
    """Let the last beat of a web process be so old; when it was (ms)."""
    at = now() - ago_ms
    Heartbeat.objects.update_or_create(id=1, defaults={"at": moment_of(at)})
    return at


def down(from_ms: int, until_ms: int) -> Outage:
    """An outage that was noted, from so long ago until so long ago; web processes beat since."""
    last_beat(100)
    present = now()
    return Outage.objects.create(began=moment_of(present - from_ms), ended=moment_of(present - until_ms))


@pytest.fixture
def long_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """A beat holds for two minutes: however slow the machine is, the next one comes in time."""
    monkeypatch.setattr(outages, "LEASE_MS", 2 * MINUTE)


def in_ms(outage: Outage) -> tuple[int, int]:
    return (round(outage.began.timestamp() * 1000), round(outage.ended.timestamp() * 1000))


def test_a_deadline_in_an_outage_gets_the_grace_behind_its_end_and_no_strike() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=MINUTE)
    before, ran_out = players[0].view(game), deadline(game)
    began, ended = in_ms(down(2 * MINUTE, 10_000))
    assert settle_expired_turns() == 1
    ((kind, cause, payload),) = told(game, before["version"])
    assert (kind, cause) == ("clock_extended", "clock")
    assert ran_out is not None
    assert payload == {
        "extra_ms": ended + GRACE - ran_out,
        "deadline": ran_out,
        "noticed": payload["noticed"],
        "down_from": began,
        "down_until": ended,
    }
    assert deadline(game) == ended + GRACE
    after = players[0].view(game)
    assert after["turn"] == before["turn"]
    assert [seat["timeouts"] for seat in after["seats"]] == [0, 0]
    assert settle_expired_turns() == 0


def test_players_are_shown_the_times_of_the_outage() -> None:
    players = people(2)
    (game,) = overdue(players)
    outage = down(2 * MINUTE, 10_000)
    settle_expired_turns()
    shown = players[0].get(f"games/{game}/events").ok()["events"][-1]
    assert (shown["kind"], shown["cause"]) == ("clock_extended", "clock")
    assert shown["data"]["down_from"] == outage.began.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert shown["data"]["deadline"].endswith("Z")


def test_a_deadline_before_or_behind_an_outage_is_settled() -> None:
    before, behind = overdue(people(2), 2, late_ms=5 * MINUTE)
    down(4 * MINUTE, 10_000)
    down(10 * MINUTE, 6 * MINUTE)
    settle_expired_turns()
    assert [len(timeouts(game)) for game in (before, behind)] == [1, 1]


def test_with_a_grace_of_zero_an_outage_changes_nothing(settings: LazySettings) -> None:
    settings.OUTAGE_GRACE_SECONDS = 0
    (game,) = overdue(people(2), late_ms=MINUTE)
    down(2 * MINUTE, 10_000)
    last_beat(HOUR)
    assert settle_expired_turns() == 1
    assert len(timeouts(game)) == 1


def test_while_no_web_process_beats_nothing_behind_its_last_beat_is_due() -> None:
    (game,) = overdue(people(2), late_ms=MINUTE)
    last_beat(MINUTE + 20_000)
    assert settle_expired_turns() == 0
    assert timeouts(game) == []


def test_what_ran_out_while_a_web_process_still_beat_is_settled_during_an_outage() -> None:
    (game,) = overdue(people(2), late_ms=MINUTE)
    last_beat(30_000)
    assert settle_expired_turns() == 1
    assert len(timeouts(game)) == 1


def test_a_beat_holds_for_its_lease() -> None:
    inside, outside = (overdue(people(2), late_ms=MINUTE - shift)[0] for shift in (0, 1_500))
    Heartbeat.objects.create(id=1, at=moment_of((deadline(inside) or 0) - 1_000))
    settle_expired_turns()
    assert [len(timeouts(game)) for game in (inside, outside)] == [1, 0]


def test_the_beat_after_a_silence_notes_the_outage_and_the_next_does_not(long_lease: None) -> None:
    silent_since = last_beat(5 * MINUTE)
    before = now()
    outages.beat()
    after = now()
    outages.beat()
    outage = Outage.objects.get()
    began, ended = in_ms(outage)
    assert began == silent_since + outages.LEASE_MS
    assert before <= ended <= after


def test_the_first_beat_ever_notes_nothing() -> None:
    outages.beat()
    assert Heartbeat.objects.exists()
    assert not Outage.objects.exists()


def test_beats_in_time_note_nothing(long_lease: None) -> None:
    last_beat(MINUTE)
    outages.beat()
    assert not Outage.objects.exists()


def test_one_beat_serves_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "interval '400 ms'" in outages._BEAT
    monkeypatch.setattr(outages, "_BEAT", outages._BEAT.replace("400 ms", "2 minutes"))
    at = last_beat(MINUTE)
    outages.beat()
    assert round(Heartbeat.objects.get().at.timestamp() * 1000) == at


def test_a_database_clock_that_was_set_back_does_not_set_back_the_beat() -> None:
    ahead = moment_of(now() + HOUR)
    Heartbeat.objects.create(id=1, at=ahead)
    outages.beat()
    assert Heartbeat.objects.get().at == ahead


@pytest.mark.django_db(transaction=True)
def test_of_many_processes_that_come_back_at_once_one_notes_the_outage(long_lease: None) -> None:
    last_beat(5 * MINUTE)
    at_once([outages.beat] * 6)
    assert Outage.objects.count() == 1


def at_once(calls: list[Callable[[], Any]]) -> None:
    line = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> None:
        try:
            line.wait(timeout=60)
            call()
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)


def test_a_command_before_the_first_beat_finds_its_deadline_moved_and_is_carried_out() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=MINUTE)
    last_beat(MINUTE + 20_000)
    view = players[0].view(game)
    answer = players[view["turn"]].move(game, DRAW).ok(201)
    assert [(event["kind"], event["cause"]) for event in answer["events"]] == [
        ("clock_extended", "clock"),
        ("cards_drawn", "player"),
        ("turn_passed", "player"),
    ]


def test_an_outage_that_a_command_met_first_moves_the_deadline_no_second_time() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=MINUTE)
    last_beat(MINUTE + 20_000)
    version = players[0].view(game)["version"]
    other = players[1 - players[0].view(game)["turn"]]
    other.move(game, DRAW).refused(409, "not_your_turn")
    moved = true_deadline(game)
    outages.beat()
    settle_expired_turns()
    assert [kind for kind, _, _ in told(game, version)] == ["clock_extended"]
    assert deadline(game) == moved
    assert moved is not None
    assert 0 < moved - now() <= GRACE


def test_a_game_that_was_put_off_gets_the_grace_of_the_outage_all_the_same() -> None:
    (game,) = overdue(people(2), late_ms=5 * MINUTE)
    down(6 * MINUTE, 4 * MINUTE)
    whole = Game.objects.get(pk=game).state
    Game.objects.filter(pk=game).update(state=b"\x01\xc1")
    settle_expired_turns()
    Game.objects.filter(pk=game).update(state=whole)
    Deadline.objects.filter(game_id=game).update(at=moment_of(now() - 1))  # the minute has passed
    version = Game.objects.get(pk=game).version
    settle_expired_turns()
    assert told(game, version)[0][0] == "clock_extended"


def test_an_open_table_that_would_have_run_out_in_an_outage_gets_the_grace_too() -> None:
    host = Person()
    table = opened(host)["id"]
    age(table, timedelta(hours=24, minutes=1))
    outage = down(2 * MINUTE, 10_000)
    host.post(f"games/{table}/start").refused(409, "too_few_players")
    assert settle_expired_turns() == 1
    assert told(table)[-1][:2] == ("clock_extended", "clock")
    assert host.view(table)["status"] == "open"
    assert Deadline.objects.get(game_id=table).at == outage.ended + timedelta(milliseconds=GRACE)


def test_an_open_table_whose_grace_is_over_is_void_at_last() -> None:
    host, guest = people(2)
    table = opened(host)["id"]
    age(table, timedelta(hours=24, minutes=5))
    down(6 * MINUTE, 2 * MINUTE)
    guest.post(f"games/{table}/join", {}).refused(409, "game_not_open")
    assert settle_expired_turns() == 1
    assert [kind for kind, _, _ in told(table)][-3:] == ["clock_extended", "game_voided", "seed_revealed"]
    assert host.view(table)["status"] == "void"
    assert host.get(f"games/{table}/verification").ok()["ok"] is True


def age(table: str, old: timedelta) -> None:
    """Let an open table be so old."""
    opened_at = moment_of(now()) - old
    Game.objects.filter(pk=table).update(opened_at=opened_at)
    Deadline.objects.filter(game_id=table).update(at=opened_at + timedelta(hours=24))


def test_a_game_with_an_outage_in_it_verifies_here_and_its_record_elsewhere() -> None:
    players = people(2)
    (game,) = overdue(players, late_ms=MINUTE)
    down(2 * MINUTE, 40_000)
    settle_expired_turns()
    assert [kind for kind, _, _ in told(game)][-4:-2] == ["clock_extended", "turn_timed_out"]
    players[0].post(f"games/{game}/leave").ok()
    assert players[0].get(f"games/{game}/verification").ok()["ok"] is True
    proofs = checks(read_record(players[0].get(f"games/{game}/record").raw.splitlines()))
    assert [proof.name for proof in proofs if not proof.ok] == []
