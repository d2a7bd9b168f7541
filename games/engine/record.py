"""A game's record and all that can be proven from it alone: numbers, chain, commitment, deal, decisions, cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast
from uuid import UUID

import msgspec
from msgspec import Struct

from eventlog import record as lines
from eventlog.chain import verify
from eventlog.records import Cause, Head, StoredEvent
from games.engine import promises
from games.engine.cards import DECK
from games.engine.draft import Chance
from games.engine.events import Event, GameOpened, GameStarted, LeadTurned, PositionSet
from games.engine.evolve import evolve
from games.engine.fairness import SeededChance
from games.engine.promises import Fault
from games.engine.redecide import redecide
from games.engine.ruleset import Ruleset
from games.engine.state import State
from games.log import event_of

FORMAT: Final = "taki-record"
FORMAT_VERSION: Final = 1
_BY_THE_RULES: Final = (Cause.PLAYER, Cause.CLOCK)


class RecordFault(Exception):
    """A file that is no record of this format: where, and why."""


class _Player(Struct, frozen=True):
    id: UUID


class _Pinned(Struct, frozen=True):
    options: Ruleset


class Header(Struct, frozen=True):
    """The first line; fields not named here are for people (docs/record.md)."""

    format: str
    format_version: int
    game: UUID
    ruleset: _Pinned
    players: tuple[_Player, ...]
    commitment: str
    events: int
    head: str


class Record(Struct, frozen=True):
    """A record read: rows as stored, and the events in them."""

    header: Header
    rows: Sequence[StoredEvent]
    events: Sequence[Event]

    def seed(self) -> bytes | None:
        """Give the server seed, once revealed."""
        return promises.seed_of(self.events)

    def start(self) -> int | None:
        """Give the place of `game_started`; None if the table never started."""
        return promises.start_of(self.events)

    def is_placed(self) -> bool:
        """Tell whether a position took the place of the deal, as only in the sandbox."""
        return promises.is_placed(self.events)


class Check(Struct, frozen=True):
    """One proof; `ok` is None where there is nothing to prove."""

    name: str
    ok: bool | None
    detail: str


def read_record(content: Iterable[bytes]) -> Record:
    """Read the lines of a record; RecordFault names the first that cannot be read."""
    texts = [text for text in content if text.strip()]
    if not texts:
        raise RecordFault("it is empty")
    rows = []
    for number, text in enumerate(texts[1:], 2):
        try:
            rows.append(lines.parse(text))
        except (ValueError, msgspec.ValidationError) as fault:
            raise RecordFault(f"line {number}: {fault}") from None
    return Record(_read_header(texts[0]), rows, _read_events(rows))


def _read_header(text: bytes) -> Header:
    try:
        header = msgspec.json.decode(text, type=Header)
    except (ValueError, msgspec.ValidationError) as fault:
        raise RecordFault(f"line 1: {fault}") from None
    if (header.format, header.format_version) != (FORMAT, FORMAT_VERSION):
        raise RecordFault(f"line 1: {header.format} version {header.format_version} is not known here")
    return header


def _read_events(rows: Sequence[StoredEvent]) -> list[Event]:
    events = []
    for number, row in enumerate(rows, 2):
        try:
            events.append(event_of(row))
        except (LookupError, ValueError, msgspec.ValidationError) as fault:
            raise RecordFault(f"line {number}: {fault}") from None
    return events


# --- the checks ----------------------------------------------------------------------------------


class _Broken(Exception):
    """The first event at which a proof fails, by its version."""


def checks(record: Record) -> Iterator[Check]:
    """Make every proof; the first failing one is the last, as the others lean on it."""
    for name, prove in _PROOFS.items():
        try:
            detail = prove(record)
        except _Broken as broken:
            yield Check(name, ok=False, detail=str(broken))
            return
        except (LookupError, ValueError, TypeError, AttributeError) as fault:
            yield Check(name, ok=False, detail=f"the events do not follow from each other ({fault})")
            return
        yield Check(name, ok=None if detail is None else True, detail=detail or _nothing_to_prove(name, record))


def _nothing_to_prove(name: str, record: Record) -> str:
    if name == "deal" and record.is_placed():
        return "nothing to prove: the cards of a sandbox game are placed, not dealt"
    return "nothing to prove: no seed, or no start"


def _numbers(record: Record) -> str:
    for expected, row in enumerate(record.rows, 1):
        if row.version != expected:
            raise _Broken(f"event {expected} is missing: {row.version} stands in its place")
        if row.stream != record.header.game:
            raise _Broken(f"event {row.version} belongs to {row.stream}")
    if not record.rows or len(record.rows) != record.header.events:
        raise _Broken(f"the header says {record.header.events} events, here are {len(record.rows)}")
    return f"1 to {len(record.rows)} without gaps"


def _chain(record: Record) -> str:
    header = record.header
    broken = verify(record.rows, Head(header.game, header.events, bytes.fromhex(header.head)))
    if broken is not None:
        raise _Broken(f"event {broken.version}: {broken.detail}")
    return f"ends in {header.head}"


def _commitment(record: Record) -> str | None:
    """Prove that the commitment stands first, and that start, header and revealed seed keep to it."""
    _refuse(promises.commitment_fault(record.events))
    if cast("GameOpened", record.events[0]).commitment != record.header.commitment:
        raise _Broken("the header shows another commitment than event 1")
    return None if record.seed() is None else "event 1 commits to the revealed seed, before every client seed"


def _refuse(fault: Fault | None) -> None:
    if fault is not None:
        raise _Broken(f"event {fault.version}: {fault.detail}")


def _deal(record: Record) -> str | None:
    """Prove that the seeds give this deal. Who was youngest no log tells, so the first player is taken from it."""
    seed, place = record.seed(), record.start()
    if seed is None or place is None:
        return None
    started = cast("GameStarted", record.events[place])
    if started.ruleset != record.header.ruleset.options:
        raise _Broken(f"event {place + 1}: started under other rules than the header shows")
    if started.players != tuple(player.id for player in record.header.players):
        raise _Broken(f"event {place + 1}: started with other players than the header shows")
    if record.is_placed():
        _refuse(promises.placing_fault(record.events))
        return None
    chance = SeededChance(seed, started.client_seeds)
    _refuse(promises.dealing_fault(record.events, place, chance, record.rows[place].at))
    return f"{len(started.players)} hands and the lead come from the seeds"


def _cards(record: Record) -> str | None:
    """Fold the events; from the lead on every card of the deck, or of the position, is in exactly one place."""
    state: State | None = None
    whole: bytes | None = None
    for row, event in zip(record.rows, record.events, strict=True):
        state = evolve(state, event, row.at)
        if state is not None and isinstance(event, LeadTurned):
            whole = bytes(sorted(DECK[state.rules.deck]))
        elif state is not None and isinstance(event, PositionSet):
            whole = _all_cards(state)
        if whole is not None and state is not None and _all_cards(state) != whole:
            raise _Broken(f"event {row.version}: a card is lost, or there twice")
    if state is None:
        return None
    outcome = state.outcome
    return "the game goes on" if outcome is None else f"{outcome.ended.value}, winner {outcome.winner}"


def _all_cards(state: State) -> bytes:
    return bytes(sorted(b"".join(state.hands) + state.draw_pile + state.discard))


def _decisions(record: Record) -> str | None:
    """Decide every command again; what staff, host and the service itself did is taken as recorded."""
    seed, place = record.seed(), record.start()
    if seed is None or place is None:
        return None
    started = cast("GameStarted", record.events[place])
    chance = SeededChance(seed, started.client_seeds)
    state: State | None = None
    decided = taken = 0
    at = 0
    while at < len(record.events):
        row = record.rows[at]
        if state is None or at <= _last_of_the_deal(record, place) or row.cause not in _BY_THE_RULES:
            state = evolve(state, record.events[at], row.at)
            taken += at > _last_of_the_deal(record, place)
            at += 1
            continue
        state, count = _decided_again(record, state, at, chance)
        decided += count
        at += count
    return f"{decided} events decided again, {taken} by host, staff or service taken as recorded"


def _last_of_the_deal(record: Record, place: int) -> int:
    if record.is_placed():
        return place + 1
    started = cast("GameStarted", record.events[place])
    return place + len(started.players) + 2


def _decided_again(record: Record, state: State, at: int, chance: Chance) -> tuple[State, int]:
    row = record.rows[at]
    again = redecide(state, _of_one_command(record, at), chance, row.at)
    if again is None:
        raise _Broken(f"event {row.version}: by the rules no command leads to {row.kind}")
    return again.state, again.events


def _of_one_command(record: Record, at: int) -> list[Event]:
    """Give the events of the command that goes on at `at`, as far as players and the clock caused them."""
    end = at + 1
    while end < len(record.rows) and record.rows[end].span is None and record.rows[end].cause in _BY_THE_RULES:
        end += 1
    return list(record.events[at:end])


_PROOFS: Final = {
    "numbers": _numbers,
    "chain": _chain,
    "commitment": _commitment,
    "deal": _deal,
    "replay": _cards,
    "decisions": _decisions,
}
