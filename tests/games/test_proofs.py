"""What the verification proves, and that it finds what is wrong."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from msgspec.structs import replace

from eventlog import store
from eventlog.records import StoredEvent
from games import selectors
from games.engine.card_proofs import check_cards, check_commitment, check_deal
from games.engine.events import CardsPlayed, DeckShuffled, Event, GameStarted, PileReshuffled, SeatTaken, SeedRevealed
from games.engine.fairness import commitment_of
from games.engine.story import Broken, Story
from games.log import events_of
from games.models import Game
from games.services import audit
from tests.databases import Connection
from tests.games.people import Person, opened, people, play_out, started

pytestmark = pytest.mark.django_db


def checks(person: Person, game: str) -> dict[str, bool | None]:
    answer = person.get(f"games/{game}/verification").ok()
    return {check["name"]: check["ok"] for check in answer["checks"]}


def finished() -> tuple[list[Person], str]:
    players = people(2)
    game = started(players)
    play_out(players, game)
    return players, game


def reshuffled() -> tuple[Story, PileReshuffled]:
    """A game of ten with a small pile in which the pile ran out, and its first reshuffle; few games have none."""
    players = people(10)
    for _ in range(20):
        game = started(players, ruleset={"options": {"hand_size": 10}})
        play_out(players, game)
        told = story(game)
        for event in told.events:
            if isinstance(event, PileReshuffled):
                return told, event
    raise AssertionError("no pile ran out in twenty games")


def story(game: str) -> Story:
    rows = store.read(UUID(game))
    return Story(rows, events_of(rows))


def forged(told: Story, kind: type[Event], **changes: Any) -> Story:
    """The story with the first event of a kind changed; digests are another proof's business."""
    events = list(told.events)
    at = next(at for at, event in enumerate(events) if isinstance(event, kind))
    events[at] = replace(events[at], **changes)
    return Story(told.rows, tuple(events))


def test_a_running_game_proves_all_but_its_deal() -> None:
    players = people(2)
    game = started(players)
    assert checks(players[0], game) == {
        "numbers": True, "chain": True, "checkpoints": None, "commitment": True, "table": True, "deal": None,
        "replay": True, "decisions": True, "row": True,
    }  # fmt: skip
    answer = players[0].get(f"games/{game}/verification").ok()
    assert answer["ok"] is True
    assert (answer["version"], answer["events"]) == (players[0].view(game)["version"],) * 2
    assert answer["head"] == bytes(Game.objects.get(pk=game).head).hex()


def test_an_open_table_and_a_void_one_are_proven_too() -> None:
    host = Person()
    game = opened(host)["id"]
    assert set(checks(host, game).values()) == {True, None}
    host.post(f"games/{game}/cancel").ok()
    assert {ok for name, ok in checks(host, game).items() if name != "checkpoints"} == {True}


def test_a_verification_is_made_anew_when_the_game_moves_on() -> None:
    players = people(2)
    game = started(players)
    first = players[0].get(f"games/{game}/verification")
    assert players[1].get(f"games/{game}/verification").raw == first.raw
    players[players[0].view(game)["turn"]].move(game, {"type": "draw"}).ok(201)
    assert players[0].get(f"games/{game}/verification").ok()["version"] > first.ok()["version"]


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_repeated_until_it_is_too_old_and_then_an_alteration_shows(
    superuser: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "KEPT_SECONDS", 3600.0)
    players, game = finished()
    assert checks(players[0], game)["chain"] is True
    superuser.execute("ALTER TABLE eventlog_event DISABLE TRIGGER USER")
    superuser.execute("UPDATE eventlog_event SET at = at + 1 WHERE stream = %s AND version = 3", [game])
    superuser.execute("ALTER TABLE eventlog_event ENABLE TRIGGER USER")
    assert checks(players[0], game)["chain"] is True
    monkeypatch.setattr(audit, "KEPT_SECONDS", 0.0)
    assert checks(players[0], game)["chain"] is False


def test_an_alteration_of_the_row_shows_at_once() -> None:
    players, game = finished()
    assert checks(players[0], game)["row"] is True
    Game.objects.filter(pk=game).update(mode="tournament")
    assert checks(players[0], game)["row"] is False


def test_a_state_that_is_not_the_logs_is_found() -> None:
    players, game = finished()
    row = Game.objects.get(pk=game)
    Game.objects.filter(pk=game).update(state=bytes(row.state or b"")[:-1] + b"\xc0")
    answer = players[0].get(f"games/{game}/verification").ok()
    assert answer["ok"] is False
    assert checks(players[0], game)["replay"] is False


def test_a_head_that_is_not_the_logs_is_found() -> None:
    players, game = finished()
    Game.objects.filter(pk=game).update(head=bytes(32))
    assert checks(players[0], game) == {"numbers": True, "chain": False, "checkpoints": None}


def test_another_deck_than_the_seeds_give_is_found() -> None:
    _, game = finished()
    told = story(game)
    seed = told.seed()
    assert seed is not None
    check_deal(told, seed)
    shuffled = next(event for event in told.events if isinstance(event, DeckShuffled))
    rigged = forged(told, DeckShuffled, cards=type(shuffled.cards)(shuffled.cards[::-1]))
    with pytest.raises(Broken, match="the seeds give another deal"):
        check_deal(rigged, seed)


def test_a_seed_other_than_the_one_committed_to_is_found() -> None:
    _, game = finished()
    told = story(game)
    check_commitment(told, told.seed())
    other = bytes(32)
    with pytest.raises(Broken, match="the revealed seed"):
        check_commitment(forged(told, SeedRevealed, seed=other.hex()), None)
    with pytest.raises(Broken, match="under another commitment"):
        check_commitment(forged(told, GameStarted, commitment=commitment_of(other)), None)
    with pytest.raises(Broken, match="the seed that is kept"):
        check_commitment(told, other)


def test_a_client_seed_changed_at_the_start_is_found() -> None:
    _, game = finished()
    with pytest.raises(Broken, match="other client seeds"):
        check_commitment(forged(story(game), SeatTaken, client_seed="other"), None)


def test_reshuffles_come_from_the_revealed_seed() -> None:
    told, mixed = reshuffled()
    seed = told.seed()
    assert check_cards(told, seed) is not None
    rigged = forged(told, PileReshuffled, cards=type(mixed.cards)(mixed.cards[::-1]))
    with pytest.raises(Broken, match="the seeds give another reshuffle"):
        check_cards(rigged, seed)


def test_the_command_that_verifies_the_log_makes_the_games_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    _, game = finished()
    call_command("verify_log", "--game", game)
    Game.objects.filter(pk=game).update(head=bytes(32))
    with pytest.raises((CommandError, SystemExit)):
        call_command("verify_log", "--game", game)


@pytest.mark.django_db(transaction=True)
def test_a_log_altered_by_the_superuser_fails_its_verification(superuser: Connection) -> None:
    players = people(2)
    game = started(players)
    superuser.execute("ALTER TABLE eventlog_event DISABLE TRIGGER USER")
    superuser.execute("UPDATE eventlog_event SET at = at + 1 WHERE stream = %s AND version = 3", [game])
    superuser.execute("ALTER TABLE eventlog_event ENABLE TRIGGER USER")
    answer = players[0].get(f"games/{game}/verification").ok()
    assert answer["ok"] is False
    assert "event 3" in answer["checks"][1]["detail"]


def test_stored_rows_and_selectors_agree_on_the_head() -> None:
    _, game = finished()
    rows: list[StoredEvent] = store.read(UUID(game))
    table = selectors.table(UUID(game))
    assert (rows[-1].version, rows[-1].digest) == (table.version, table.head)
    assert any(isinstance(event, CardsPlayed) for event in events_of(rows))
