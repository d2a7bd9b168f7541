"""Proofs of one game for everybody: the verification, and the record that can be verified elsewhere."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from eventlog import store
from eventlog.chain import verify
from eventlog.checkpoints import Mention, mention_fault
from eventlog.record import line
from eventlog.records import Flaw, Head, StoredEvent
from games.checkpoints import Covered, covered, mentions_of
from games.engine.events import KINDS, PositionSet
from games.engine.fairness import ALGORITHM
from games.proofs import GameFlaw, Known, faults, seed_of
from games.tables import Player, Table
from httpapi.answers import ENCODER
from httpapi.problems import Conflict

RECORD_FORMAT: Final = "taki-record"
RECORD_VERSION: Final = 1
_AFTER_THE_END: Final = "the seed is revealed when the game is over"
_NONE_YET: Final = "no checkpoint holds this game yet"
_PLACED: Final = "the cards of a sandbox game are placed, not dealt; only reshuffles come from the seed"


class Check(Struct, frozen=True):
    """One proof: `ok` is null while it cannot be made yet; `detail` says why it failed, or waits."""

    name: str
    ok: bool | None
    detail: str | None = None


class Proof(Struct, frozen=True):
    """The answer of a verification; `ok` unless a check failed. `checkpoint`: the last one that holds the game."""

    ok: bool
    version: int
    events: int
    head: str
    checkpoint: Covered | None
    checks: tuple[Check, ...]


class Header(Struct, frozen=True):
    """The first line of a record."""

    format: str
    format_version: int
    game: UUID
    status: str
    mode: str
    ruleset: Raw
    players: tuple[Player, ...]
    commitment: str
    fairness: str
    events: int
    head: str
    checkpoints: tuple[Covered, ...]


KEPT_SECONDS: Final = 60.0
"""How long a process repeats an answer: what is altered without the row is found at the latest then."""
KEPT_ANSWERS: Final = 256
_FACTS: Final = tuple(name for name in Table.__struct_fields__ if name not in ("now", "ruleset"))


class _Kept(Struct, frozen=True):
    """An answer, when it was made (s), and the row and checkpoint that it was made of."""

    made: float
    of: tuple[object, ...]
    answer: bytes


class _Answers:
    """The last answers of this process. In no table: whoever may write rows could write an answer, too."""

    def __init__(self) -> None:
        self._kept: OrderedDict[UUID, _Kept] = OrderedDict()
        self._lock = Lock()

    def find(self, game_id: UUID, of: tuple[object, ...]) -> bytes | None:
        with self._lock:
            kept = self._kept.get(game_id)
        fresh = kept is not None and kept.of == of and monotonic() - kept.made < KEPT_SECONDS
        return kept.answer if kept is not None and fresh else None

    def keep(self, game_id: UUID, kept: _Kept) -> None:
        with self._lock:
            self._kept[game_id] = kept
            self._kept.move_to_end(game_id)
            if len(self._kept) > KEPT_ANSWERS:
                self._kept.popitem(last=False)


_ANSWERS: Final = _Answers()


def verification(table: Table) -> bytes:
    """Prove the game, and keep the answer a minute for whoever asks while row and last checkpoint are the same; JSON."""
    mentions = mentions_of(table.id)
    of = (*(getattr(table, name) for name in _FACTS), table.ruleset.id, covered(mentions))
    kept = _ANSWERS.find(table.id, of)
    if kept is not None:
        return kept
    made = monotonic()
    body = ENCODER.encode(prove(table, store.read(table.id), mentions))
    _ANSWERS.keep(table.id, _Kept(made, of, body))
    return body


def prove(table: Table, log: Sequence[StoredEvent], mentions: Sequence[Mention] = ()) -> Proof:
    """Make every check that can be made now. Moves go on meanwhile: the log may be longer than the row knows it."""
    rows = [row for row in log if row.version <= table.version]
    broken = verify(rows, Head(table.id, table.version, table.head))
    about_numbers = broken is not None and broken.flaw in (Flaw.MISSING, Flaw.OUT_OF_ORDER, Flaw.OTHER_STREAM)
    detail = None if broken is None else f"event {broken.version}: {broken.detail}"
    checks = [
        Check("numbers", not about_numbers, detail if about_numbers else None),
        Check("chain", broken is None, detail),
        _checkpoints(log, mentions),
    ]
    if broken is None:
        checks += _checks_of_the_game(table, rows)
    return Proof(
        ok=all(check.ok is not False for check in checks),
        version=table.version,
        events=len(rows),
        head=table.head.hex(),
        checkpoint=covered(mentions),
        checks=tuple(checks),
    )


def _checkpoints(log: Sequence[StoredEvent], mentions: Sequence[Mention]) -> Check:
    if not mentions:
        return Check("checkpoints", None, _NONE_YET)
    digests = {row.version: row.digest for row in log}
    fault = next((fault for mention in mentions if (fault := mention_fault(digests, mention))), None)
    return Check("checkpoints", fault is None, fault)


def _checks_of_the_game(table: Table, rows: Sequence[StoredEvent]) -> Iterator[Check]:
    known = Known(table, seed_of(table.id))
    for flaw, fault in faults(rows, known):
        if fault is not None:
            yield Check(flaw.value, ok=False, detail=f"event {fault.version}: {fault.detail}")
        elif flaw is GameFlaw.DEAL:
            yield _deal(table, rows)
        else:
            yield Check(flaw.value, ok=True)


def _deal(table: Table, rows: Sequence[StoredEvent]) -> Check:
    """Before the end it is compared with a seed that nobody else can see: that is no proof for others."""
    if any(row.kind == KINDS[PositionSet][0] for row in rows):
        return Check("deal", None, _PLACED)
    return Check("deal", ok=True) if table.is_over else Check("deal", None, _AFTER_THE_END)


def record(table: Table) -> Iterator[bytes]:
    """The lines of a finished game: a header, then each event whole, with its digest."""
    if not table.is_over:
        raise Conflict("record_not_ready", params={"status": table.status})
    header = Header(
        format=RECORD_FORMAT,
        format_version=RECORD_VERSION,
        game=table.id,
        status=table.status,
        mode=table.mode,
        ruleset=table.ruleset.shown,
        players=table.players,
        commitment=table.commitment.hex(),
        fairness=ALGORITHM,
        events=table.version,
        head=table.head.hex(),
        checkpoints=tuple(Covered(mention.number, mention.version) for mention in mentions_of(table.id)),
    )
    return _lines(header, [row for row in store.read(table.id) if row.version <= table.version])


def _lines(header: Header, rows: list[StoredEvent]) -> Iterator[bytes]:
    yield msgspec.json.encode(header) + b"\n"
    for row in rows:
        yield line(row) + b"\n"
