"""Digests, heads, commitments and checkpoints of a running game give no card away: whoever knows all but the salt learns nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import pytest
from msgspec.structs import replace

from eventlog import keyring, store
from eventlog.chain import covered
from eventlog.checkpoint_store import make_checkpoints
from eventlog.digest import digest
from eventlog.records import GENESIS, StoredEvent
from games.engine.cards import CODE
from games.models import Game, Seed
from tests.games.people import Answer, Person, people, started
from tests.games.ways_out import everything

pytestmark = pytest.mark.django_db

STILL: Final = {"ruleset": {"options": {"turn_timeout_seconds": 0, "first_player": "seat_zero"}}}
CANDIDATES: Final = sorted(set(CODE))


@pytest.fixture
def players() -> list[Person]:
    return people(2)


@pytest.fixture
def game(players: list[Person]) -> str:
    """A game in which the last card drawn is hidden from seat 1."""
    game = started(players, **STILL)
    players[0].move(game, {"type": "draw"}, idempotency_key="drawn").ok(201)
    return game


def drawn(game: str) -> tuple[StoredEvent, bytes, str]:
    """The event of the draw, the digest before it, and the card."""
    rows = store.read(UUID(game))
    at = next(at for at, row in enumerate(rows) if row.kind == "cards_drawn")
    code = next(code for code in CANDIDATES if f'"{code}"'.encode() in rows[at].payload)
    return rows[at], rows[at - 1].digest, code


def guesses(event: StoredEvent, card: str, previous: bytes, salt: bytes) -> Iterator[str]:
    """The cards with which the event, all else known, has the digest that stands in the log."""
    for code in CANDIDATES:
        guess = replace(event, payload=event.payload.replace(f'"{card}"'.encode(), f'"{code}"'.encode()), salt=salt)
        if digest(covered(guess, previous)) == event.digest:
            yield code


def test_with_the_salt_exactly_one_card_fits_the_digest(game: str) -> None:
    event, previous, card = drawn(game)
    assert len(CANDIDATES) == 57
    assert list(guesses(event, card, previous, event.salt)) == [card]


def test_without_the_salt_no_card_fits_whatever_public_is_taken_for_it(game: str) -> None:
    event, previous, card = drawn(game)
    row = Game.objects.get(pk=game)
    known = [b"", bytes(16), GENESIS, previous, event.digest, bytes(row.commitment), UUID(game).bytes]
    known += [other.salt for other in store.read(UUID(game)) if other.version != event.version]
    known += [hashlib.sha256(value).digest() for value in known]
    tried = [salt for value in known for salt in (value, value[:16], value[-16:])]
    assert [code for salt in tried for code in guesses(event, card, previous, salt)] == []


def test_every_event_has_a_salt_of_128_bits_of_its_own(game: str) -> None:
    salts = [row.salt for row in store.read(UUID(game))]
    assert {len(salt) for salt in salts} == {16}
    assert len(set(salts)) == len(salts)


def test_the_same_hidden_cards_have_another_digest_in_another_game() -> None:
    heads = {bytes(Game.objects.get(pk=started(people(2), **STILL)).head) for _ in range(3)}
    assert len(heads) == 3


class Listening(Person):
    """A person who keeps every answer as it came, headers too."""

    heard: list[str]

    @classmethod
    def of(cls, person: Person) -> Listening:
        made = cls.__new__(cls)
        made.__dict__ |= person.__dict__ | {"heard": []}
        return made

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        answer = super().call(method, path, body, **headers)
        self.heard.append(f"{dict(answer.headers)} {answer.raw.decode()}")
        return answer


def spelled(secret: bytes) -> set[str]:
    return {secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret))[1:-1]}


@pytest.mark.parametrize("seat", [1, None])
def test_no_answer_shows_a_salt_a_seed_or_a_digest_but_that_of_the_head(
    seat: int | None, players: list[Person], game: str
) -> None:
    make_checkpoints(keyring.opened())
    viewer = Listening.of(Person() if seat is None else players[seat])
    everything(viewer, game, players[0].view(game)["version"])
    viewer.get("checkpoints").ok()
    heads = viewer.get("checkpoints/1").ok()["heads"]
    *before, last = store.read(UUID(game))
    assert last.digest.hex() in heads
    text = "\n".join(viewer.heard)
    secrets = [row.salt for row in (*before, last)] + [row.digest for row in before]
    secrets += [bytes(seed.value) for seed in Seed.objects.all()]
    assert [secret for secret in secrets for form in spelled(secret) if form in text] == []


def test_a_checkpoint_names_no_game_and_no_card(players: list[Person], game: str) -> None:
    make_checkpoints(keyring.opened())
    body = players[1].get("checkpoints/1").ok()
    assert game not in str(body)
    (line,) = body["heads"].splitlines()
    assert line.split()[-1] == bytes(Game.objects.get(pk=game).head).hex()
    assert len(line.split()) == 3


def test_a_commitment_is_met_by_the_seed_alone(game: str) -> None:
    commitment = bytes(Game.objects.get(pk=game).commitment)
    (seed,) = Seed.objects.filter(game_id=game)
    assert hashlib.sha256(bytes(seed.value)).digest() == commitment
    public = [b"", bytes(32), UUID(game).bytes, commitment, *(code.encode() for code in CANDIDATES)]
    public += [row.payload for row in store.read(UUID(game))]
    assert [value for value in public if hashlib.sha256(value).digest() == commitment] == []
