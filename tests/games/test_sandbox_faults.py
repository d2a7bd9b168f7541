"""Faults on purpose: obeyed on sandbox games, overlooked everywhere else."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from eventlog.models import Event
from games.api.faults import FaultMiddleware
from tests.games.people import Person, people, started
from tests.games.sandboxes import DRAW, TWO, Sandbox, asked
from tests.games.web_process import web_process

pytestmark = pytest.mark.django_db
DELAY = "delay_ms=300"


@pytest.fixture
def never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that delays is a failure."""

    def refuse(seconds: float) -> None:
        pytest.fail(f"waited {seconds} s")

    monkeypatch.setattr("games.api.faults.time", SimpleNamespace(sleep=refuse))


# --- on one server, without a network ------------------------------------------------------------


def test_a_request_delivered_twice_is_carried_out_twice_and_the_second_outcome_is_told() -> None:
    game = Sandbox(Person())
    game.move(0, DRAW, x_sandbox_fault="duplicate_delivery").refused(409, "not_your_turn")
    view = game.view(0)
    assert (view["turn"], view["seats"][0]["hand_count"]) == (1, 4)


def test_with_a_key_the_second_delivery_changes_nothing() -> None:
    game = Sandbox(Person())
    answer = game.move(0, DRAW, x_sandbox_fault="duplicate_delivery", idempotency_key="once")
    assert answer.ok(201)["game"]["turn"] == 1
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert game.move(0, DRAW, idempotency_key="once").raw == answer.raw
    assert game.view(0)["seats"][0]["hand_count"] == 4


def test_both_deliveries_are_counted_against_the_limit_and_the_headers_tell_it() -> None:
    game = Sandbox(Person())
    usual, doubled = (
        game.seats[0].get(f"games/{game.id}", **headers).headers["RateLimit"]
        for headers in ({}, {"x_sandbox_fault": "duplicate_delivery"})
    )
    left = [int(header.partition("r=")[2].partition(";")[0]) for header in (usual, doubled)]
    assert left[0] - left[1] == 2


def test_a_delayed_answer_comes_late_and_is_whole() -> None:
    game = Sandbox(Person())
    began = time.monotonic()
    game.move(0, DRAW, x_sandbox_fault=DELAY).ok(201)
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize(
    "fault", ["drop", "delay_ms=2001", "delay_ms=-1", "delay_ms=", "DROP_ANSWER", "delay_ms=99999"]
)
def test_a_fault_that_does_not_exist_is_refused_and_nothing_done(fault: str) -> None:
    game = Sandbox(Person())
    refused = game.move(0, DRAW, x_sandbox_fault=fault).refused(400, "invalid_header")
    assert refused["params"]["header"] == "X-Sandbox-Fault"
    assert game.view(0)["version"] == game.game["version"]


@pytest.mark.parametrize("fault", ["drop_answer", "duplicate_delivery", "delay_ms=2000", "nonsense"])
def test_calls_on_other_games_overlook_the_header(fault: str, never_waits: None) -> None:
    players = people(2)
    game = started(players)
    mover = players[players[0].view(game)["turn"]]
    mover.move(game, DRAW, x_sandbox_fault=fault).ok(201)
    mover.get(f"games/{uuid4()}", x_sandbox_fault=fault).refused(404, "not_found")
    mover.get("me/games", x_sandbox_fault=fault).ok()
    assert asked(mover, TWO).ok(201)["game"]["status"] == "running"


def test_whoever_has_no_token_causes_no_fault(never_waits: None) -> None:
    game = Sandbox(Person())
    nobody = Person()
    nobody.token = "taki_unknown"
    for fault in ("drop_answer", "delay_ms=2000"):
        nobody.get(f"games/{game.id}", x_sandbox_fault=fault).refused(401, "token_unknown")


def test_the_clock_of_the_sandbox_can_fail_too() -> None:
    game = Sandbox(Person())
    answer = game.clock(20, x_sandbox_fault="duplicate_delivery").ok()
    assert 15_000 < answer["clock"]["remaining_ms"] <= 20_000


def test_without_the_header_a_call_costs_a_look_into_a_dictionary() -> None:
    class Request:
        """Has nothing but the dictionary."""

        META: dict[str, str] = {}

    answer = object()
    assert FaultMiddleware(lambda _: answer)(Request()) is answer  # type: ignore[arg-type,return-value]


# --- on a real server ----------------------------------------------------------------------------


def bearer(person: Person) -> dict[str, str]:
    return {"authorization": f"Bearer {person.token}"}


def drew(game: str) -> int:
    return Event.objects.filter(stream=game, kind="cards_drawn").count()


@pytest.mark.django_db(transaction=True)
def test_a_dropped_answer_ends_the_connection_and_a_repeat_gets_it(tmp_path: Path) -> None:
    game = Sandbox(Person())
    seat, path = game.seats[0], f"/api/v1/games/{game.id}"
    named = bearer(seat) | {"idempotency_key": "lost"}
    with web_process(tmp_path) as web:
        lost = web.call("POST", f"{path}/moves", DRAW, x_sandbox_fault="drop_answer", **named)
        assert lost.body is None
        assert drew(game.id) == 1
        again = web.call("POST", f"{path}/moves", DRAW, **named)
        assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")
        once_more = web.call("POST", f"{path}/moves", DRAW, x_sandbox_fault="drop_answer", **named)
        assert once_more.body is None
        assert web.call("POST", f"{path}/moves", DRAW, **named).body == again.body
        assert drew(game.id) == 1
        for method, where in (("GET", path), ("GET", f"{path}/events"), ("POST", f"{path}/leave")):
            assert web.call(method, where, x_sandbox_fault="drop_answer", **bearer(seat)).body is None
        over = game.view(1)
        unchanged = bearer(game.seats[1]) | {"if_none_match": str(over["version"])}
        assert web.call("GET", path, **unchanged).status == 304
        assert web.call("GET", path, x_sandbox_fault="drop_answer", **unchanged).body is None
    assert over["status"] == "finished"
    assert "Traceback" not in (tmp_path / "web.log").read_text()


@pytest.mark.django_db(transaction=True)
def test_two_answers_are_delayed_at_a_time_and_the_third_call_is_refused(tmp_path: Path) -> None:
    game = Sandbox(Person())
    late = bearer(game.seats[0]) | {"x_sandbox_fault": "delay_ms=2000"}
    path = f"/api/v1/games/{game.id}"
    with web_process(tmp_path) as web, ThreadPoolExecutor(4) as pool:
        for _ in range(20):  # on a machine that stalls, one may come when another has gone
            looks = [pool.submit(web.call, "GET", path, None, **late) for _ in range(3)]
            usual = pool.submit(web.call, "GET", path, None, **bearer(game.seats[0]))
            got = sorted((look.result() for look in looks), key=lambda each: each.status or 0)
            assert usual.result().status == 200
            if got[-1].status != 200:
                break
        assert [each.status for each in got] == [200, 200, 429]
        third = got[-1]
        assert third.headers["retry-after"] == "2"
        assert b'"sandbox_delays"' in (third.body or b"")
        assert web.call("GET", path, **late).status == 200
