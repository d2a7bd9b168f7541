"""What somebody with the application's own rights over the tables can do to a game, and that it is found."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from eventlog import store
from eventlog.chain import chain
from eventlog.records import Cause, Head, NewEvent, Stamp
from games import rulesets, selectors, tables
from games.engine.cards import Cards
from games.engine.draft import Draft, finish
from games.engine.events import DeckShuffled, Event, GameFinished, SeedRevealed
from games.engine.evolve import evolve
from games.engine.ranking import places
from games.engine.record import checks, read_record
from games.engine.state import Ended, State, pack
from games.log import new_event
from games.models import Game, PinnedRuleset, Seat, Seed
from games.rulesets import AlteredRuleset
from games.services.chance import StoredChance
from games.services.commit import progress, write
from games.services.rebuilding import rebuild
from games.tables import STATE_FORMAT, moment_of
from tests.games.people import Json, Person, opened, people, seated, started

pytestmark = pytest.mark.django_db
DRAW = {"type": "draw"}
SEAT_ZERO: Json = {"ruleset": {"options": {"first_player": "seat_zero"}}}


def failing(person: Person, game: str) -> list[str]:
    """The proofs that fail in the game's verification."""
    answer = person.get(f"games/{game}/verification").ok()
    failed = [check["name"] for check in answer["checks"] if check["ok"] is False]
    assert answer["ok"] is not bool(failed)
    return failed


def broken(game: str) -> str:
    """What `verify_log` says of the game; empty if it finds nothing."""
    try:
        call_command("verify_log", "--game", game)
    except CommandError as complaint:
        return str(complaint)
    return ""


def table_of(game: str) -> State:
    state = selectors.table(UUID(game)).state()
    assert state is not None
    return state


def put(game: str, *events: Event) -> None:
    """Let the service itself seem to have caused these."""
    with store.cursor() as raw:
        table = tables.read(raw, UUID(game))
        assert table is not None
        state: State | None = table.state()
        for event in events:
            state = evolve(state, event, table.now)
        assert state is not None
        told = tuple(new_event(event, Cause.SYSTEM) for event in events)
        assert write(raw, table, progress(state, told), Stamp(at=table.now, cause=Cause.SYSTEM)) is not None


@pytest.fixture
def rigged() -> tuple[Person, str]:
    """A running game in which the top of the draw pile was exchanged in the row before somebody drew it."""
    players = people(2)
    game = started(players, **SEAT_ZERO)
    state = table_of(game)
    pile = bytearray(state.draw_pile)
    other = next(place for place, face in enumerate(pile) if face != pile[0])
    pile[0], pile[other] = pile[other], pile[0]
    packed = bytes([STATE_FORMAT]) + pack(replace(state, draw_pile=bytes(pile)))
    Game.objects.filter(pk=game).update(state=packed)
    players[0].move(game, DRAW).ok(201)
    return players[0], game


def test_a_card_drawn_from_a_row_that_was_altered_is_found_while_the_game_runs(rigged: tuple[Person, str]) -> None:
    person, game = rigged
    assert failing(person, game) == ["replay"]
    assert "a card is lost, or there twice (replay)" in broken(game)


def test_it_is_found_too_when_the_row_was_made_again_and_when_the_game_is_over(rigged: tuple[Person, str]) -> None:
    person, game = rigged
    rebuild(UUID(game))
    assert failing(person, game) == ["replay"]
    assert "(replay)" in broken(game)
    person.post(f"games/{game}/leave").ok()
    assert failing(person, game) == ["replay"]
    made = list(checks(read_record(person.get(f"games/{game}/record").raw.splitlines())))
    assert (made[-1].name, made[-1].ok) == ("replay", False)


def test_a_pile_that_the_service_puts_in_another_order_is_found_at_once() -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    put(game, DeckShuffled(cards=Cards(table_of(game).draw_pile[::-1])))
    assert failing(players[0], game) == ["decisions"]
    assert "system cannot lead to deck_shuffled here by the rules (decisions)" in broken(game)


def test_an_end_that_the_service_invents_is_found() -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    won = GameFinished(ended=Ended.WON, winner=1, places=places(table_of(game), 1))
    put(game, won, SeedRevealed(seed=StoredChance(UUID(game)).seed.hex()))
    assert failing(players[0], game) == ["decisions"]
    assert "system cannot lead to game_finished" in broken(game)


def test_a_stalemate_before_its_time_is_found() -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    ended = Draft(table_of(game), StoredChance(UUID(game)), 0)
    finish(ended, Ended.STALEMATE, None)
    put(game, *ended.events, SeedRevealed(seed=StoredChance(UUID(game)).seed.hex()))
    assert failing(players[0], game) == ["decisions"]


def test_a_server_seed_that_was_exchanged_or_is_gone_is_found_while_it_is_secret() -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    Seed.objects.filter(game_id=game).update(value=bytes(32))
    assert failing(players[0], game) == ["commitment"]
    assert "the seed that is kept is not the one committed to (commitment)" in broken(game)
    Seed.objects.filter(game_id=game).delete()
    assert "the seed that it commits to is gone (commitment)" in broken(game)


ROW: list[tuple[str, Json]] = [
    ("status", {"status": "finished"}),
    ("mode", {"mode": "tournament"}),
    ("sandbox", {"sandbox": True}),
    ("visibility", {"visibility": "unlisted"}),
    ("turn", {"turn": 1}),
    ("commitment", {"commitment": bytes(32)}),
    ("max_players", {"max_players": 3}),
    ("started_at", {"started_at": None}),
    ("ahead_ms", {"ahead_ms": 5}),
]


@pytest.mark.parametrize("name,change", ROW)
def test_a_row_that_says_otherwise_than_its_log_is_found(name: str, change: Json) -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    assert broken(game) == ""
    Game.objects.filter(pk=game).update(**change)
    assert failing(players[0], game) == ["row"]
    assert f"the row says otherwise than the log: {name}" in broken(game)


def test_another_host_or_another_player_on_a_seat_is_found() -> None:
    first, second, stranger = people(3)
    game = started([first, second], **SEAT_ZERO)
    Seat.objects.filter(game_id=game, number=1).update(player_id=stranger.id)
    assert failing(first, game) == ["row"]
    assert "otherwise than the log: players (row)" in broken(game)
    Seat.objects.filter(game_id=game, number=1).update(player_id=second.id)
    Game.objects.filter(pk=game).update(host_id=stranger.id)
    assert "otherwise than the log: host (row)" in broken(game)


def test_a_move_that_a_stranger_made_on_a_seat_is_found_after_the_seat_was_put_back() -> None:
    first, second, stranger = people(3)
    game = started([first, second], **SEAT_ZERO)
    Seat.objects.filter(game_id=game, number=0).update(player_id=stranger.id)
    stranger.move(game, DRAW).ok(201)
    Seat.objects.filter(game_id=game, number=0).update(player_id=first.id)
    assert failing(first, game) == ["decisions"]
    assert "its actor holds no seat (decisions)" in broken(game)


def test_a_commitment_that_an_open_table_shows_in_the_place_of_its_own_is_found() -> None:
    host = Person()
    game = opened(host)["id"]
    Game.objects.filter(pk=game).update(commitment=bytes(32))
    assert failing(host, game) == ["row"]
    assert "otherwise than the log: commitment (row)" in broken(game)


@pytest.mark.parametrize("name,change", [("awaited", {"awaited": 3}), ("acted_at", {"acted_at": moment_of(0)})])
def test_what_no_view_shows_of_the_row_is_found_by_the_command(name: str, change: Json) -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    Game.objects.filter(pk=game).update(**change)
    assert f"otherwise than the log: {name} (row)" in broken(game)


def test_a_client_seed_that_was_exchanged_before_the_start_is_found() -> None:
    players = people(2)
    game = seated(players)
    Seat.objects.filter(game_id=game, number=1).update(client_seed="chosen")
    assert "otherwise than the log: client seeds (row)" in broken(game)


def test_rules_exchanged_before_the_start_are_found_then_and_afterwards() -> None:
    players, stranger = people(2), Person()
    harsh = opened(stranger, ruleset={"options": {"last_card_penalty": 9}})["id"]
    game = seated(players)
    Game.objects.filter(pk=game).update(ruleset_id=Game.objects.get(pk=harsh).ruleset_id)
    assert "otherwise than the log: ruleset (row)" in broken(game)
    players[0].post(f"games/{game}/start").ok()
    assert failing(players[0], game) == ["table"]
    assert "started under other rules than the table was opened with (table)" in broken(game)


def test_stored_rules_that_do_not_fit_their_digest_are_found_and_not_played_by() -> None:
    players = people(2)
    game = started(players, ruleset={"options": {"last_card_penalty": 7}})
    stored = PinnedRuleset.objects.get(pk=Game.objects.get(pk=game).ruleset_id)
    content = bytes(stored.content).replace(b'"last_card_penalty":7', b'"last_card_penalty":9')
    PinnedRuleset.objects.filter(pk=stored.pk).update(content=content)
    assert "otherwise than the log: stored rules (row)" in broken(game)
    rulesets.pinned.cache_clear()
    assert "its digest is that of another one (row)" in broken(game)
    with pytest.raises(AlteredRuleset):
        selectors.table(UUID(game))


@pytest.mark.parametrize(
    "kind,payload",
    [
        ("game_eaten", b"{}"),
        ("cards_drawn", b'{"seat":0}'),
        ("cards_drawn", b'{"seat":99,"reason":"turn","cards":["king"]}'),
        ("cards_played", b'{"seat":0,"cards":["king"],"lead":"blue-king"}'),
        ("turn_passed", b'{"to":-1}'),
        ("turn_passed", b'{"to":9007199254740991}'),
        ("seat_left", b'{"seat":7,"player":"01a22bbf-417c-7035-a9b5-3cd7ff2520a8"}'),
        ("plus3_opened", b'{"seat":0,"next_seat":1,"awaited":[9007199254740991]}'),
        ("seed_revealed", b'{"seed":"none"}'),
    ],
)
def test_events_that_make_no_sense_are_named_and_end_no_verification(kind: str, payload: bytes) -> None:
    players = people(2)
    game = started(players, **SEAT_ZERO)
    row = Game.objects.get(pk=game)
    head = Head(UUID(game), row.version, bytes(row.head))
    event = NewEvent(kind=kind, kind_version=1, payload=payload)
    (told,) = chain(head, [event], Stamp(at=int(row.acted_at.timestamp() * 1000) + 1, cause=Cause.SYSTEM))
    with store.cursor() as raw:
        store.append(raw, [told])
    Game.objects.filter(pk=game).update(version=told.version, head=told.digest)
    assert failing(players[0], game) != []
    assert f"{game} event " in broken(game)
