"""A game's record and all that can be proven from it alone: numbers, chain, commitment, deal, decisions, cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from eventlog import record as lines
from eventlog.chain import verify
from eventlog.records import Head, StoredEvent
from games.engine.card_proofs import UNREADABLE, check_cards, check_commitment, check_deal, check_decisions
from games.engine.events import Event, GameVoided
from games.engine.ruleset import Mode, Ruleset
from games.engine.seating_proof import check_seating, seated
from games.engine.story import Broken, Story
from games.log import event_of

FORMAT: Final = "taki-record"
FORMAT_VERSION: Final = 1


class RecordFault(Exception):
    """A file that is no record of this format: where, and why."""


class _Player(Struct, frozen=True):
    id: UUID


class _Pinned(Struct, frozen=True):
    preset: str
    options: Ruleset


class Header(Struct, frozen=True):
    """The first line; fields not named here are for people (docs/record.md)."""

    format: str
    format_version: int
    game: UUID
    status: str
    mode: Mode
    ruleset: _Pinned
    players: tuple[_Player, ...]
    commitment: str
    events: int
    head: str


class Record(Story, frozen=True):
    """A record read."""

    header: Header


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
    return Record(rows, _read_events(rows), _read_header(texts[0]))


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


def checks(record: Record) -> Iterator[Check]:
    """Make every proof; the first failing one is the last, as the others lean on it."""
    for name, prove in _PROOFS.items():
        try:
            detail = prove(record)
        except Broken as broken:
            yield Check(name, ok=False, detail=str(broken))
            return
        except UNREADABLE as fault:
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
            raise Broken(expected, f"missing: event {row.version} stands in its place")
        if row.stream != record.header.game:
            raise Broken(row.version, f"it belongs to {row.stream}")
    if not record.rows or len(record.rows) != record.header.events:
        raise Broken(len(record.rows), f"the last one here, but the header says {record.header.events} events")
    return f"1 to {len(record.rows)} without gaps"


def _chain(record: Record) -> str:
    header = record.header
    broken = verify(record.rows, Head(header.game, header.events, bytes.fromhex(header.head)))
    if broken is not None:
        raise Broken(broken.version, broken.detail)
    return f"ends in {header.head}"


def _commitment(record: Record) -> str | None:
    """Prove that the commitment stands first, and that start, header and revealed seed keep to it."""
    if record.opened().commitment != record.header.commitment:
        raise Broken(1, "the header shows another commitment")
    check_commitment(record, None)
    return None if record.seed() is None else "event 1 commits to the revealed seed, before every client seed"


def _table(record: Record) -> str:
    """Prove who sat down, by which rules, and who caused what; and that the header says the same."""
    said = check_seating(record)
    header, opened = record.header, record.opened()
    if header.status != _status(record):
        raise Broken(len(record.rows), f"the header says {header.status}, the events {_status(record)}")
    if (header.mode, header.ruleset.preset) != (opened.ruleset.mode, opened.preset):
        raise Broken(1, "the header shows another mode or preset")
    if header.ruleset.options != opened.ruleset:
        raise Broken(1, "opened under other rules than the header shows")
    if seated(record) != [player.id for player in header.players]:
        raise Broken(record.start() + 1, "the header shows other players")
    return said


def _status(record: Record) -> str:
    if record.end() == len(record.events):
        return "open" if record.started() is None else "running"
    return "void" if isinstance(record.events[record.end()], GameVoided) else "finished"


def _deal(record: Record) -> str | None:
    """Prove that the seeds give this deal."""
    seed, started = record.seed(), record.started()
    if seed is None or started is None:
        return None
    check_deal(record, seed)
    return None if record.is_placed() else f"{len(started.players)} hands and the lead come from the seeds"


def _cards(record: Record) -> str | None:
    """Fold the events; from the lead on every card of the deck, or of the position, is in exactly one place."""
    state = check_cards(record, record.seed())
    if state is None:
        return None
    outcome = state.outcome
    return "the game goes on" if outcome is None else f"{outcome.ended.value}, winner {outcome.winner}"


def _decisions(record: Record) -> str | None:
    """Decide every command again; what the staff and the service itself did is taken as recorded."""
    seed = record.seed()
    if seed is None or record.started() is None:
        return None
    decided, taken = check_decisions(record, seed)
    return f"{decided} events decided again, {taken} by staff or service taken as recorded"


_PROOFS: Final = {
    "numbers": _numbers,
    "chain": _chain,
    "commitment": _commitment,
    "table": _table,
    "deal": _deal,
    "replay": _cards,
    "decisions": _decisions,
}
