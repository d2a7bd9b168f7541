"""Many at once, on real connections: exactly one wins, the others are told, the log has no gap."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from eventlog.models import Event
from games.models import Seat
from tests.games.crowds import at_once, codes, whole
from tests.games.people import opened, people, seated, started

pytestmark = pytest.mark.django_db(transaction=True)

STILL: dict[str, Any] = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW = {"type": "draw"}


def test_of_moves_at_one_version_exactly_one_counts() -> None:
    players = people(2)
    game = started(players, **STILL)
    for _ in range(5):
        view = players[0].view(game)
        move = partial(players[view["turn"]].move, game, DRAW, if_match=str(view["version"]))
        answers = at_once([move] * 6)
        assert codes(answers) == {"201": 1, "412 version_conflict": 5}
    assert whole(game)


def test_of_moves_without_a_version_exactly_one_counts_and_the_rest_meet_the_next_turn() -> None:
    players = people(2)
    game = started(players, **STILL)
    answers = at_once([lambda: players[0].move(game, DRAW)] * 6)
    assert codes(answers) == {"201": 1, "409 not_your_turn": 5}
    assert whole(game)


def test_one_move_doubled_in_parallel_has_one_effect_and_one_answer() -> None:
    players = people(2)
    game = started(players, **STILL)
    for number in range(5):
        player = players[players[0].view(game)["turn"]]
        before = Event.objects.filter(stream=game).count()
        answers = at_once([partial(player.move, game, DRAW, idempotency_key=f"double {number}")] * 4)
        assert codes(answers) == {"201": 4}
        assert len({answer.raw for answer in answers}) == 1
        assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 3
        assert Event.objects.filter(stream=game).count() == before + 2


def test_one_key_at_two_tables_moves_at_one_of_them() -> None:
    players = people(2)
    games = [started(players, **STILL) for _ in range(2)]
    answers = at_once(
        [lambda: players[0].move(games[0], DRAW, idempotency_key="k")] * 2
        + [lambda: players[0].move(games[1], DRAW, idempotency_key="k")] * 2
    )
    told = codes(answers)
    assert told["201"] == 2
    assert told["422 idempotency_key_reused"] == 2


def test_ten_joins_for_one_last_seat_seat_one() -> None:
    host, *others = people(11)
    game = opened(host, max_players=2)["id"]
    answers = at_once([partial(player.post, f"games/{game}/join", {}) for player in others])
    assert codes(answers) == {"200": 1, "409 game_full": 9}
    assert list(Seat.objects.filter(game_id=game).order_by("number").values_list("number", flat=True)) == [0, 1]
    assert whole(game)


def test_one_player_joining_ten_times_at_once_sits_once() -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    answers = at_once([lambda: guest.post(f"games/{game}/join", {})] * 10)
    assert codes(answers) == {"200": 1, "409 already_seated": 9}


def test_joins_and_leavings_at_once_leave_seats_without_gaps() -> None:
    host, *others = people(9)
    leaving, joining = others[:4], others[4:]
    game = seated([host, *leaving])
    at_once(
        [partial(player.post, f"games/{game}/leave") for player in leaving]
        + [partial(player.post, f"games/{game}/join", {}) for player in joining]
    )
    assert list(Seat.objects.filter(game_id=game).order_by("number").values_list("number", flat=True)) == list(range(5))
    assert whole(game)


def test_a_start_and_the_last_join_at_once_make_one_game() -> None:
    host, guest, late = people(3)
    game = seated([host, guest])
    answers = at_once([lambda: host.post(f"games/{game}/start"), lambda: late.post(f"games/{game}/join", {})])
    assert answers[0].status == 200
    view = host.view(game)
    assert len(view["seats"]) == (3 if answers[1].status == 200 else 2)
    assert all(seat["hand_count"] == 8 for seat in view["seats"])


def test_leaving_and_moving_at_once_both_count_in_some_order() -> None:
    players = people(3)
    game = started(players, **STILL)
    answers = at_once([lambda: players[0].post(f"games/{game}/leave"), lambda: players[0].move(game, DRAW)])
    assert answers[0].status == 200
    assert codes(answers[1:]) in ({"201": 1}, {"409 not_in_game": 1})
    assert whole(game)
    assert players[1].get(f"games/{game}/verification").ok()["ok"] is True
