"""A token that the process has seen is proven in the statement of the use case, and not one call later than before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.api.known import KnownTokens
from accounts.models import Player, Token
from eventlog.models import Event
from tests.games.people import Answer, Person, people, started

pytestmark = pytest.mark.django_db

DRAW = {"type": "draw"}
Change = Callable[[Person], object]


def revoke(person: Person) -> object:
    return Token.objects.filter(player=person.player).update(revoked_at=timezone.now())


def expire(person: Person) -> object:
    return Token.objects.filter(player=person.player).update(expires_at=timezone.now() - timedelta(seconds=1))


def lock(person: Person) -> object:
    return Player.objects.filter(pk=person.player.pk).update(is_active=False)


def forget(person: Person) -> object:
    return Token.objects.filter(player=person.player).delete()


ENDS = [(revoke, "token_revoked"), (expire, "token_expired"), (lock, "account_locked"), (forget, "token_unknown")]


def table() -> tuple[str, Person, Person]:
    """A running game, who is to move, and another; this process has seen the tokens of both."""
    players = people(2)
    game = started(players)
    for player in players:
        player.view(game)
    mover = players[0].view(game)["turn"]
    return game, players[mover], players[1 - mover]


@pytest.mark.parametrize("end, code", ENDS)
def test_the_first_move_behind_the_end_of_a_token_is_refused_and_does_nothing(end: Change, code: str) -> None:
    game, mover, other = table()
    version = other.view(game)["version"]
    end(mover)
    mover.move(game, DRAW, idempotency_key="once").refused(401, code)
    mover.move(game, DRAW, idempotency_key="once").refused(401, code)
    assert other.view(game)["version"] == version == Event.objects.filter(stream=game).count()


@pytest.mark.parametrize("end, code", ENDS)
@pytest.mark.parametrize("path", ["", "/legal-moves", "/events", "/history/3", "/record", "/verification"])
def test_so_is_the_first_look(path: str, end: Change, code: str) -> None:
    game, mover, _ = table()
    end(mover)
    mover.get(f"games/{game}{path}").refused(401, code)


@pytest.mark.parametrize(
    "ask",
    [
        lambda person, game: person.move(game, b"{not json"),
        lambda person, game: person.move(game, {"type": "fly"}),
        lambda person, game: person.move(game, DRAW, idempotency_key=" "),
        lambda person, game: person.move(game, DRAW, if_match="x"),
        lambda person, game: person.move(game, DRAW, if_match="1"),
        lambda person, game: person.move(game, DRAW, content_encoding="gzip"),
        lambda person, game: person.call("POST", f"games/{game}/moves?dry_run=true", DRAW),
        lambda person, game: person.call("POST", f"games/{game}/moves?other=1", DRAW),
        lambda person, _: person.move(str(uuid4()), DRAW),
        lambda person, _: person.move("x", DRAW),
        lambda person, _: person.get(f"games/{uuid4()}"),
        lambda person, game: person.get(f"games/{game}/events?after=x"),
        lambda person, _: person.get("me/games"),
        lambda person, _: person.get("me/games?limit=x"),
    ],
)
def test_the_end_of_a_token_comes_before_every_other_refusal(ask: Callable[[Person, str], Answer]) -> None:
    game, mover, _ = table()
    revoke(mover)
    ask(mover, game).refused(401, "token_revoked")


def test_a_refusal_by_scope_is_kept_for_tokens_that_count() -> None:
    game, _, _ = table()
    reader = Person(scopes=["read"])
    reader.get(f"games/{game}").ok()
    reader.move(game, DRAW).refused(403, "scope_missing")
    revoke(reader)
    reader.move(game, DRAW).refused(401, "token_revoked")


def test_a_call_behind_a_change_of_the_account_is_judged_anew_and_counted_once() -> None:
    game, _, other = table()
    Player.objects.filter(pk=other.player.pk).update(language="cy")
    before = other.get(f"games/{game}")
    refused = other.move(game, DRAW)
    refused.refused(409, "not_your_turn")
    assert refused.headers["RateLimit"].count("account") == 1
    left = [int(answer.headers["RateLimit"].partition("r=")[2].partition(";")[0]) for answer in (before, refused)]
    assert left[0] - left[1] == 1


def test_a_move_with_a_changed_account_is_carried_out_once() -> None:
    game, mover, other = table()
    Player.objects.filter(pk=mover.player.pk).update(display_name="New Name")
    answer = mover.move(game, DRAW, idempotency_key="once")
    assert answer.ok(201)["version"] == other.view(game)["version"]
    assert mover.move(game, DRAW, idempotency_key="once").raw == answer.raw


def test_many_tokens_take_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.api.known._MOST", 3)
    game, _, _ = table()
    for person in people(8):
        person.get(f"games/{game}").ok()
    assert len(KnownTokens._kept) <= 3
