import re

import msgspec

from games.engine import events
from games.engine.events import KINDS, Event, SeatEvent
from games.engine.evolve import EVOLVERS
from games.engine.visibility import RULES_OF_SIGHT
from games.log import CODEC


def leaves(kind: type[Event]) -> set[type[Event]]:
    below = kind.__subclasses__()
    return set().union(*map(leaves, below)) if below else {kind}


def test_every_event_has_a_kind_an_evolution_and_a_rule_of_sight() -> None:
    every = leaves(Event)

    assert set(KINDS) == every
    assert set(EVOLVERS) == every
    assert set(RULES_OF_SIGHT) == every


def test_kinds_are_names_of_their_own_in_snake_case() -> None:
    names = [name for name, _ in KINDS.values()]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)
    assert all(version >= 1 for _, version in KINDS.values())


def test_the_log_knows_every_kind() -> None:
    assert {(kind.name, kind.version, kind.type) for kind in CODEC.kinds} == {
        (name, version, type_) for type_, (name, version) in KINDS.items()
    }


def test_no_event_can_hold_free_text_of_people() -> None:
    texts = {
        f"{kind.__name__}.{field.name}" for kind in KINDS for field in msgspec.structs.fields(kind) if field.type is str
    }

    assert texts <= {
        "GameOpened.commitment", "GameOpened.preset", "GameOpened.visibility", "GameStarted.commitment",
        "GameStarted.preset", "LeadTurned.card", "SeedRevealed.seed",
    }  # fmt: skip


def test_events_of_one_seat_say_which() -> None:
    for kind in KINDS:
        names = [field.name for field in msgspec.structs.fields(kind)]
        assert ("seat" in names) == issubclass(kind, SeatEvent)


def test_events_are_past_facts() -> None:
    assert all(events.__dict__[kind.__name__] is kind for kind in KINDS)
