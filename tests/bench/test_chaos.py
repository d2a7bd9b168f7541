"""The parts of `make chaos`: what it cuts, what it kills, and what it would find if it were there to find."""

from __future__ import annotations

import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import psutil
import pytest
from msgspec.structs import replace

from bench.reliability import cutting, killing, overdue, service
from bench.reliability.timeline import Absence, Call, Timeline
from eventlog import store
from eventlog.records import StoredEvent
from games.tasks import settle_expired_turns
from taki_project.local.supervisor import Entry, Supervisor
from tests.games.clock_processes import until
from tests.games.overdue import overdue as overdue_games
from tests.games.people import people, started


@pytest.fixture
def echo() -> Iterator[tuple[socket.socket, list[bytes]]]:
    """A server that keeps what it hears and says it again."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve(connection: socket.socket) -> None:
            with connection:
                while piece := connection.recv(1000):
                    heard.append(piece)
                    connection.sendall(piece)

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=[connection], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield server, heard
        server.shutdown(socket.SHUT_RDWR)


def answer(port: int, sent: bytes) -> bytes:
    """What comes back through a proxy; less than was sent if it cut."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(sent)
        try:
            while len(received) < len(sent) and (piece := connection.recv(1000)):
                received += piece
        except ConnectionResetError:
            pass
    return received


def test_a_write_arrives_and_its_answer_does_not(echo: tuple[socket.socket, list[bytes]], tmp_path: Path) -> None:
    server, heard = echo
    port, target = service.free_address().port, f"127.0.0.1:{server.getsockname()[1]}"
    link = cutting.Link(name="link", port=port, target=target, marks=("WRITE",), odds=1.0)
    supervisor = Supervisor()
    try:
        supervisor.start(cutting.entry(cutting.Plan((link,), seed=1), tmp_path))
        assert answer(port, b"read this") == b"read this"
        assert len(answer(port, b"WRITE this")) < 10
        assert heard == [b"read this", b"WRITE this"]
        os.kill(supervisor.running[0].process.pid, signal.SIGUSR1)
        time.sleep(0.7)
        assert answer(port, b"WRITE that") == b"WRITE that"
        until(lambda: cutting.tally(tmp_path).read_bytes() == b'{"link, behind a write":1}', 60)
    finally:
        supervisor.stop()


def test_what_is_killed_comes_back_by_the_supervisor_and_its_absence_is_noted(tmp_path: Path) -> None:
    supervisor, timeline = Supervisor(), Timeline()
    supervisor.start(Entry(name=killing.VALKEY, command=("sleep", "600"), log=tmp_path / "x.log"))
    first = supervisor.running[0].process.pid
    killer = killing.Killer(supervisor, timeline, random.Random(1))
    try:
        with killing.Keeper(supervisor) as keeper:
            while not killer.kills:
                killer.strike()
        assert supervisor.running[0].process.pid != first
        assert (killer.kills, keeper.starts, killer.never_back) == (Counter({killing.VALKEY: 1}), 1, [])
        assert [absence.what for absence in timeline.absences] == [frozenset({killing.VALKEY})]
    finally:
        supervisor.stop()


def test_what_is_held_still_goes_on_afterwards_unkilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(killing, "FROZEN", (0.1, 0.2))
    supervisor, timeline = Supervisor(), Timeline()
    supervisor.start(Entry(name=killing.VALKEY, command=("sleep", "600"), log=tmp_path / "x.log"))
    killer = killing.Killer(supervisor, timeline, random.Random(1))
    try:
        while not killer.kills:
            killer.freeze()
        supervisor.look_after(lambda _: None)
        assert killer.kills == Counter({"Valkey held still, not killed": 1})
        assert [absence.what for absence in timeline.absences] == [frozenset({killing.VALKEY})]
        process = psutil.Process(supervisor.running[0].process.pid)
        assert process.status() != psutil.STATUS_STOPPED
        assert len(supervisor.running[0].starts) == 1
    finally:
        supervisor.stop()


def test_of_an_absence_count_the_calls_that_lay_wholly_in_it() -> None:
    timeline = Timeline()
    timeline.absence(Absence(frozenset({"database"}), 10.0, 20.0))
    timeline.absence(Absence(frozenset({"database", "web"}), 30.0, 40.0))
    for began, ended in ((9, 11), (11, 12), (19, 21), (31, 32)):
        timeline.call(Call("move", began, ended, "503"))
    assert timeline.answers_without("database", ("web",)) == {("move", "503"): 1}
    assert timeline.answers_without("database") == {("move", "503"): 2}
    assert timeline.slowest() == 2


@pytest.fixture
def log() -> tuple[UUID, list[StoredEvent]]:
    """A game whose first turn was settled by the clock."""
    (game,) = overdue_games(people(2))
    settle_expired_turns()
    return UUID(game), store.read(UUID(game))


def found(game: UUID, rows: list[StoredEvent]) -> overdue.Settled:
    settled = overdue.Settled()
    settled.look_at(game, rows)
    return settled


@pytest.mark.django_db
def test_a_turn_that_was_settled_once_is_no_fault(log: tuple[UUID, list[StoredEvent]]) -> None:
    settled = found(*log)
    assert (settled.timeouts, settled.faults) == (1, [])


@pytest.mark.django_db
def test_a_turn_that_was_settled_twice_is_found(log: tuple[UUID, list[StoredEvent]]) -> None:
    game, rows = log
    timeout = next(row for row in rows if row.kind == "turn_timed_out")
    (fault,) = found(game, [*rows, timeout]).faults
    assert fault.endswith("settled 2 times")


@pytest.mark.django_db
def test_a_move_that_passed_over_a_deadline_is_found() -> None:
    players = people(2)
    game = UUID(started(players))
    players[players[0].view(str(game))["turn"]].move(str(game), {"type": "draw"}).ok(201)
    *before, drawn, passed = store.read(game)
    assert found(game, [*before, drawn, passed]).faults == []
    late = replace(drawn, at=drawn.at + 30 * 24 * 3_600_000)
    (fault,) = found(game, [*before, late, passed]).faults
    assert "passed over the turn" in fault


@pytest.mark.django_db
def test_a_deadline_that_nobody_settled_is_found() -> None:
    (game,) = overdue_games(people(2))
    assert overdue.still_due(overdue.now()) == [game]
    settle_expired_turns()
    assert overdue.still_due(overdue.now()) == []
