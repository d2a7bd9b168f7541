"""What the events of a whole game must keep to, each broken once."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from games.engine import promises
from games.engine.events import Event, GameOpened, GameStarted, HandDealt, SeatTaken, SeedRevealed
from games.engine.fairness import SeededChance
from games.engine.promises import Fault
from games.engine.ruleset import Ruleset
from games.log import events_of
from tests.games.engine.recorded import SEED, play_record

ROWS = play_record(3, Ruleset())
EVENTS = tuple(events_of(ROWS))


def place_of(kind: type[Event]) -> int:
    return next(place for place, event in enumerate(EVENTS) if isinstance(event, kind))


def changed(kind: type[Event], **changes: Any) -> tuple[list[Event], int]:
    """The events with the first of a kind changed, and its version."""
    place = place_of(kind)
    return [*EVENTS[:place], replace(EVENTS[place], **changes), *EVENTS[place + 1 :]], place + 1


def dealing_fault(events: list[Event]) -> Fault | None:
    place = cast("int", promises.start_of(events))
    started = cast("GameStarted", events[place])
    return promises.dealing_fault(events, place, SeededChance(SEED, started.client_seeds), ROWS[place].at)


def test_a_game_as_it_was_played_keeps_all() -> None:
    assert promises.commitment_fault(EVENTS) is None
    assert promises.placing_fault(EVENTS) is None
    assert dealing_fault(list(EVENTS)) is None
    assert promises.seed_of(EVENTS) == SEED
    assert not promises.is_placed(EVENTS)


def test_a_log_begins_with_its_opening() -> None:
    assert promises.commitment_fault(EVENTS[1:]) == Fault(1, "the log does not begin with game_opened")


@pytest.mark.parametrize(
    "kind, changes, detail",
    [
        (GameStarted, {"commitment": "00" * 32}, "started under another commitment than it was opened under"),
        (SeatTaken, {"client_seed": "another"}, "started with other client seeds than were given"),
        (SeedRevealed, {"seed": "00" * 32}, "the revealed seed is not the one committed to"),
    ],
)
def test_a_broken_promise_is_named_with_its_event(kind: type[Event], changes: dict[str, Any], detail: str) -> None:
    events, version = changed(kind, **changes)
    told = place_of(GameStarted) + 1 if kind is SeatTaken else version
    assert promises.commitment_fault(events) == Fault(told, detail)


def test_another_deal_is_named_with_its_event() -> None:
    events, version = changed(HandDealt, cards=cast("HandDealt", EVENTS[place_of(HandDealt)]).cards[::-1])
    assert dealing_fault(events) == Fault(version, "the seeds give another deal")


def test_a_table_without_a_start_has_no_place_and_no_seed() -> None:
    lobby = [event for event in EVENTS if isinstance(event, GameOpened | SeatTaken)]
    assert promises.start_of(lobby) is None
    assert promises.seed_of(lobby) is None
