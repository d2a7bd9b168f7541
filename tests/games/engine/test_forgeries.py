"""Logs that hang together, every digest made anew, and yet tell of a game that nobody played: each is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from eventlog import record as lines
from eventlog.records import Cause, StoredEvent
from games.engine import draft
from games.engine.cards import Cards
from games.engine.clock import Downtime, Outage, due, settle_due
from games.engine.commands import Command, Leave, TimeOut
from games.engine.decide import decide
from games.engine.draft import Draft, finish
from games.engine.events import (
    ClockExtended,
    DeckShuffled,
    Event,
    GameFinished,
    GameVoided,
    HandDealt,
    PlayerLeft,
    SeedRevealed,
    VoidReason,
)
from games.engine.fairness import SeededChance
from games.engine.ranking import places
from games.engine.record import Check, checks, read_record
from games.engine.ruleset import Ruleset
from games.engine.state import Ended, State
from games.log import event_of, fold, new_event
from tests.games.engine.recorded import SEED, STAFF, forged, header_of, play_record, record_lines

RULES = Ruleset()
ROWS = play_record(3, RULES, most_moves=300)
STARTED = next(event_of(row) for row in ROWS if row.kind == "game_started")
CHANCE = SeededChance(SEED, STARTED.client_seeds)  # type: ignore[attr-defined]
PLAY = next(place for place, row in enumerate(ROWS) if row.kind == "lead_turned") + 1
COMMANDS = [place for place in range(PLAY, len(ROWS)) if ROWS[place].span is not None]
CUT = COMMANDS[4]
STRANGER = UUID(int=99)


def verdict(rows: Sequence[StoredEvent], **header: Any) -> Check:
    """The last proof made, of rows numbered and chained anew."""
    sealed = forged(list(rows))
    told = header_of(sealed, RULES) | header
    texts = [msgspec.json.encode(told), *(lines.line(row) for row in sealed)]
    return list(checks(read_record(texts)))[-1]


def written(like: StoredEvent, events: Sequence[Event], cause: Cause, actor: UUID | None = None) -> list[StoredEvent]:
    """Rows of one command of this cause, at the time of another row."""
    rows = []
    for number, event in enumerate(events):
        told = new_event(event)
        rows.append(
            replace(
                like, kind=told.kind, kind_version=told.kind_version, payload=told.payload, seat=told.seat, cause=cause, actor=actor,
                span=None if number else len(events), command_id=None, fingerprint=None, text_hash=None,
            )
        )  # fmt: skip
    return rows


def before(place: int = CUT) -> State:
    state = fold(ROWS[:place])
    assert state is not None
    return state


def led_to(state: State, command: Command, at: int) -> tuple[Event, ...]:
    return decide(state, command, CHANCE, at).events


def ended_by_leaving(rows: list[StoredEvent]) -> list[StoredEvent]:
    """The rows, and all but one of the players leave."""
    state = fold(rows)
    assert state is not None
    while state.outcome is None:
        seat = next(seat for seat in range(len(state.hands)) if seat not in state.tally.left)
        left = led_to(state, Leave(seat), rows[-1].at)
        rows = rows + written(rows[-1], left, Cause.PLAYER, UUID(int=seat + 100))
        state = fold(rows)
        assert state is not None
    return rows + written(rows[-1], [SeedRevealed(seed=SEED.hex())], Cause.SYSTEM)


def test_the_rows_that_are_forged_here_are_honest() -> None:
    assert verdict(ROWS).ok is True
    assert verdict(ended_by_leaving(ROWS[:CUT])).ok is True
    assert verdict(ROWS).name == "decisions"


def test_an_end_that_the_service_gives_before_its_time_is_found() -> None:
    won = GameFinished(ended=Ended.WON, winner=0, places=places(before(), 0))
    stalemate = Draft(before(), CHANCE, ROWS[CUT].at)
    finish(stalemate, Ended.STALEMATE, None)
    revealed = SeedRevealed(seed=SEED.hex())
    for end in ([won, revealed], [*stalemate.events, revealed]):
        found = verdict(ROWS[:CUT] + written(ROWS[CUT], end, Cause.SYSTEM))
        assert (found.name, found.ok) == ("decisions", False)
        assert found.detail == f"event {CUT + 1}: system cannot lead to game_finished here by the rules"


def test_the_end_of_a_game_that_is_too_long_is_no_forgery(monkeypatch: pytest.MonkeyPatch) -> None:
    stalemate = Draft(before(), CHANCE, ROWS[CUT].at)
    finish(stalemate, Ended.STALEMATE, None)
    rows = ROWS[:CUT] + written(ROWS[CUT], [*stalemate.events, SeedRevealed(seed=SEED.hex())], Cause.SYSTEM)
    monkeypatch.setattr(draft, "MOST_EVENTS", CUT + 1)
    assert verdict(rows).ok is False
    monkeypatch.setattr(draft, "MOST_EVENTS", CUT)
    assert verdict(rows).ok is True


@pytest.mark.parametrize("cause", [Cause.SYSTEM, Cause.HOST, Cause.STAFF, Cause.CLOCK, Cause.PLAYER])
def test_a_pile_that_is_put_in_another_order_amid_the_game_is_found(cause: Cause) -> None:
    turned = DeckShuffled(cards=Cards(before().draw_pile[::-1]))
    actor = None if cause in (Cause.SYSTEM, Cause.CLOCK) else UUID(int=100)
    found = verdict(ended_by_leaving(ROWS[:CUT] + written(ROWS[CUT], [turned], cause, actor)))
    assert (found.name, found.detail.split(":")[0]) == ("decisions", f"event {CUT + 1}")


def test_a_hand_that_is_dealt_anew_amid_the_game_is_found() -> None:
    again = HandDealt(seat=0, cards=Cards(before().hands[0]))
    assert verdict(ended_by_leaving(ROWS[:CUT] + written(ROWS[CUT], [again], Cause.SYSTEM))).ok is False


def timed_out_at(at: int, deadline: int) -> Check:
    """A turn that the clock ends at this moment, told to have had this deadline."""
    like = replace(ROWS[CUT], at=at)
    rows = ROWS[:CUT] + written(like, led_to(before(), TimeOut(deadline), at), Cause.CLOCK)
    return verdict(ended_by_leaving(rows))


def test_a_turn_that_runs_out_before_its_deadline_is_found() -> None:
    deadline = due(before())[0].at
    assert timed_out_at(deadline, deadline).ok is True
    assert timed_out_at(deadline + 500, deadline).ok is True
    assert timed_out_at(deadline - 1, deadline).ok is False
    assert timed_out_at(deadline - 60_000, deadline - 60_000).ok is False
    assert timed_out_at(deadline + 500, deadline + 1).ok is False


def test_a_player_who_acts_when_the_turn_had_run_out_is_found() -> None:
    late = due(before())[0].at
    rows = [replace(row, at=max(row.at, late)) if place >= CUT else row for place, row in enumerate(ROWS)]
    found = verdict(rows)
    assert "a deadline had passed" in found.detail
    assert (found.name, found.ok) == ("decisions", False)


def extended(**changes: int) -> Check:
    """The deadline fell into an outage, and the clock moves it behind that, or says otherwise."""
    deadline = due(before())[0].at
    outage = Outage(deadline - 1_000, deadline + 9_000)
    at = outage.ended + 50
    settled = settle_due(before(), CHANCE, at, Downtime((outage,), 5_000))
    assert settled is not None
    (told,) = settled.events
    assert isinstance(told, ClockExtended)
    like = replace(ROWS[CUT], at=at)
    return verdict(ended_by_leaving(ROWS[:CUT] + written(like, [replace(told, **changes)], Cause.CLOCK)))


def test_time_that_the_clock_gives_back_must_fit_the_outage() -> None:
    deadline = due(before())[0].at
    assert extended().ok is True
    assert extended(calls_ms=5_000).ok is False
    assert extended(extra_ms=1).ok is False
    assert extended(deadline=deadline + 1).ok is False
    assert extended(down_from=deadline).ok is False
    assert extended(noticed=deadline).ok is False


@pytest.mark.parametrize("actor", [STRANGER, "another seat"])
def test_a_move_by_another_than_who_holds_the_seat_is_found(actor: object) -> None:
    mover = ROWS[CUT].actor
    other = STRANGER if actor is STRANGER else next(row.actor for row in ROWS if row.actor not in (None, mover, STAFF))
    rows = [replace(row, actor=other) if place >= CUT and row.actor == mover else row for place, row in enumerate(ROWS)]
    found = verdict(rows)
    assert (found.name, found.ok) == ("decisions", False)
    assert found.detail.startswith(f"event {CUT + 1}: ")


def test_a_row_that_names_another_seat_than_its_event_is_found() -> None:
    at = next(place for place, row in enumerate(ROWS) if row.kind == "cards_drawn")
    seat = ROWS[at].seat
    assert seat is not None
    found = verdict([*ROWS[:at], replace(ROWS[at], seat=seat + 1), *ROWS[at + 1 :]])
    assert (found.name, found.detail) == ("table", f"event {at + 1}: it is about another seat than {seat + 1}")


def test_a_log_of_before_rows_named_seats_is_honest() -> None:
    assert verdict([replace(row, seat=None) for row in ROWS]).ok is True


def changed(kind: str, change: Callable[[dict[str, Any]], None], cause: Cause | None = None) -> list[StoredEvent]:
    at = next(place for place, row in enumerate(ROWS) if row.kind == kind)
    told = msgspec.json.decode(ROWS[at].payload)
    change(told)
    row = replace(ROWS[at], payload=msgspec.json.encode(told, order="sorted"), cause=cause or ROWS[at].cause)
    return [*ROWS[:at], row, *ROWS[at + 1 :]]


@pytest.mark.parametrize(
    "kind,change",
    [
        ("game_opened", lambda told: told["ruleset"].update(last_card_penalty=9)),
        ("game_opened", lambda told: told.update(preset="other")),
        ("game_opened", lambda told: told.update(host=str(STRANGER))),
        ("game_opened", lambda told: told.update(min_players=9)),
        ("game_opened", lambda told: told.update(max_players=1)),
        ("seat_taken", lambda told: told.update(player=str(STRANGER))),
        ("seat_taken", lambda told: told.update(seat=1)),
        ("game_started", lambda told: told["players"].reverse()),
        ("game_opened", lambda told: told.update(ruleset_version=10**18)),
        ("game_started", lambda told: told.update(ruleset_version=10**18)),
    ],
)
def test_a_start_by_other_rules_or_players_than_the_table_had_is_found(
    kind: str, change: Callable[[dict[str, Any]], None]
) -> None:
    found = verdict(changed(kind, change))
    assert (found.name, found.ok) == ("table", False)


@pytest.mark.parametrize("kind", ["game_opened", "seat_taken", "game_started", "hand_dealt", "lead_turned"])
def test_what_leads_to_the_start_has_its_own_causes(kind: str) -> None:
    for cause in (Cause.STAFF, Cause.SYSTEM):
        found = verdict(changed(kind, lambda _: None, cause))
        assert (found.name, found.ok) == ("table", False)


def test_times_that_run_backward_are_found() -> None:
    rows = [replace(row, at=ROWS[-1].at - place) if place >= PLAY else row for place, row in enumerate(ROWS)]
    found = verdict(rows)
    assert (found.name, found.detail) == ("table", f"event {PLAY + 2}: its time is before that of the event before it")


@pytest.mark.parametrize(
    "field",
    [
        {"status": "running"},
        {"status": "open"},
        {"mode": "tournament"},
        {"ruleset": {"preset": "other", "version": 1, "options": {}}},
        {"players": [{"id": str(STRANGER)}, {"id": str(STAFF)}]},
    ],
)
def test_a_header_that_says_other_than_the_log_is_found(field: dict[str, Any]) -> None:
    found = verdict(ROWS, **field)
    assert (found.name, found.ok) == ("table", False)


def test_an_end_that_withholds_the_seed_or_is_no_end_is_found() -> None:
    assert ROWS[-1].kind == "seed_revealed"
    assert "its seed is not revealed" in verdict(ROWS[:-1]).detail
    assert "it follows the end" in verdict([*ROWS, replace(ROWS[-2], span=1)]).detail
    assert "elsewhere than by the end" in verdict([*ROWS[:CUT], replace(ROWS[-1], at=ROWS[CUT].at), *ROWS[CUT:]]).detail


def test_rulings_of_the_staff_are_taken_as_recorded_and_nothing_else() -> None:
    like, revealed = ROWS[CUT], written(ROWS[CUT], [SeedRevealed(seed=SEED.hex())], Cause.SYSTEM)
    granted = written(like, [ClockExtended(extra_ms=1_000)], Cause.STAFF, STAFF)
    voided = written(like, [GameVoided(reason=VoidReason.RULING)], Cause.STAFF, STAFF)
    cancelled = written(like, [GameVoided(reason=VoidReason.CANCELLED)], Cause.HOST, UUID(int=100))
    expired = written(like, [GameVoided(reason=VoidReason.EXPIRED)], Cause.CLOCK)
    left = written(like, [PlayerLeft(seat=0, cards=Cards(before().hands[0]))], Cause.STAFF, STAFF)
    assert verdict(ROWS[:CUT] + granted + voided + revealed).ok is True
    assert verdict(ended_by_leaving(ROWS[:CUT] + granted)).ok is True
    assert verdict(ROWS[:CUT] + cancelled + revealed).ok is False
    assert verdict(ROWS[:CUT] + expired + revealed).ok is False
    assert verdict(ended_by_leaving(ROWS[:CUT] + left)).ok is False


def test_a_record_of_any_game_is_honest_to_its_header() -> None:
    for seed in range(4, 12):
        rows = play_record(seed, RULES)
        found = list(checks(read_record(record_lines(rows, RULES))))
        assert all(check.ok for check in found), found
