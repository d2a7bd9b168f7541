"""A move sent again: the first answer, byte for byte, and nothing done twice."""

import random

import pytest

from eventlog.models import Event
from httpapi.models import IdempotencyKey
from tests.games.people import Answer, Person, one_move, opened, people, play_out, seated, started

pytestmark = pytest.mark.django_db

STILL = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
DRAW = {"type": "draw"}


def same(first: Answer, again: Answer) -> None:
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status, again.raw) == (first.status, first.raw)
    assert again.headers["ETag"] == first.headers["ETag"]
    assert "Idempotent-Replayed" not in first.headers


def test_a_repeat_gives_the_first_answer_byte_for_byte_even_after_the_game_went_on() -> None:
    players = people(3)
    game = started(players)
    player = players[players[0].view(game)["turn"]]
    first = player.move(game, DRAW, idempotency_key="a phone on a train")
    first.ok(201)
    chance = random.Random(2)
    for _ in range(15):
        one_move(players, game, chance)
    events = Event.objects.filter(stream=game).count()
    same(first, player.move(game, DRAW, idempotency_key="a phone on a train"))
    assert Event.objects.filter(stream=game).count() == events


def test_every_move_of_a_whole_game_can_be_asked_for_again_when_it_is_over() -> None:
    players = people(4)
    game = started(players)
    given: list[tuple[Person, object, str, Answer]] = []

    class Remembering(Person):
        def __init__(self, of: Person) -> None:
            self.__dict__.update(of.__dict__)

        def move(self, game: str, body: object, **headers: str) -> Answer:
            key = f"move {len(given)}"
            answer = super().move(game, body, idempotency_key=key, **headers)
            given.append((self, body, key, answer))
            return answer

    play_out([Remembering(player) for player in players], game)
    assert len(given) > len(players)
    for player, body, key, answer in given[:: max(1, len(given) // 12)] + given[-1:]:
        same(answer, Person.move(player, game, body, idempotency_key=key))


def test_a_repeat_is_answered_before_its_version_is_looked_at() -> None:
    players = people(2)
    game = started(players, **STILL)
    version = str(players[0].view(game)["version"])
    first = players[0].move(game, DRAW, idempotency_key="k", if_match=version)
    same(first, players[0].move(game, DRAW, idempotency_key="k", if_match=version))


def test_a_key_with_another_body_path_or_query_is_refused() -> None:
    players = people(2)
    game, other = started(players, **STILL), started(players, **STILL)
    players[0].move(game, DRAW, idempotency_key="k").ok(201)
    players[0].move(game, {"type": "pass"}, idempotency_key="k").refused(422, "idempotency_key_reused")
    players[0].move(game, {"type": "fly"}, idempotency_key="k").refused(422, "idempotency_key_reused")
    players[0].move(other, DRAW, idempotency_key="k").refused(422, "idempotency_key_reused")
    players[0].post(f"games/{game}/leave", DRAW, idempotency_key="k").refused(422, "idempotency_key_reused")


def test_a_key_of_another_call_is_not_good_for_a_move() -> None:
    players = people(2)
    game = seated(players, **STILL)
    players[0].post(f"games/{game}/start", idempotency_key="k").ok()
    players[0].move(game, DRAW, idempotency_key="k").refused(422, "idempotency_key_reused")


def test_keys_belong_to_their_account() -> None:
    players = people(2)
    game = started(players, **STILL)
    players[0].move(game, DRAW, idempotency_key="k").ok(201)
    players[1].move(game, DRAW, idempotency_key="k").ok(201)


def test_a_refused_move_leaves_its_key_free() -> None:
    players = people(2)
    game = started(players, **STILL)
    players[1].move(game, DRAW, idempotency_key="k").refused(409, "not_your_turn")
    assert not IdempotencyKey.objects.filter(stream=game).exists()
    players[0].move(game, DRAW).ok(201)
    players[1].move(game, DRAW, idempotency_key="k").ok(201)


def test_the_key_stands_with_its_events_and_names_their_span() -> None:
    players = people(2)
    game = started(players, **STILL)
    version = players[0].view(game)["version"]
    moved = players[0].move(game, DRAW, idempotency_key="k").ok(201)
    kept = IdempotencyKey.objects.get(stream=game)
    assert (kept.version_from, kept.version_to, kept.sealed) == (version + 1, moved["version"], None)
    first = Event.objects.get(stream=game, version=version + 1)
    assert first.span == moved["version"] - version
    assert bytes(first.fingerprint or b"")[:16] == bytes(kept.fingerprint)


@pytest.mark.django_db(transaction=True)
def test_the_log_knows_a_repeat_even_when_its_key_is_forgotten() -> None:
    players = people(2)
    game = started(players, **STILL)
    first = players[0].move(game, DRAW, idempotency_key="k")
    players[1].move(game, DRAW).ok(201)
    IdempotencyKey.objects.all().delete()
    same(first, players[0].move(game, DRAW, idempotency_key="k"))
    IdempotencyKey.objects.all().delete()
    players[0].move(game, {"type": "draw", "answer": False}, idempotency_key="k").refused(422, "idempotency_key_reused")


@pytest.mark.parametrize("path", ["join", "start", "cancel", "leave"])
def test_every_other_call_may_be_repeated_too(path: str) -> None:
    host, guest, late = people(3)
    game = seated([host, guest])
    caller = late if path == "join" else host
    body = {"client_seed": "seed"} if path == "join" else None
    first = caller.post(f"games/{game}/{path}", body, idempotency_key="again")
    first.ok()
    same(first, caller.post(f"games/{game}/{path}", body, idempotency_key="again"))


def test_opening_a_table_twice_with_one_key_opens_one() -> None:
    host = Person()
    first = host.post("games", {"name": "once"}, idempotency_key="open")
    same(first, host.post("games", {"name": "once"}, idempotency_key="open"))
    assert len(host.get("me/games").ok()["results"]) == 1
    host.post("games", {"name": "twice"}, idempotency_key="open").refused(422, "idempotency_key_reused")
    assert opened(host)["name"] == ""
