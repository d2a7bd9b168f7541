"""Records of whole games made without a database: the same rows, chain and lines as the service writes."""

from collections.abc import Sequence
from random import Random
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.players import RandomPlayer
from bench.playouts import next_command
from eventlog import record as lines
from eventlog.chain import chain, covered
from eventlog.digest import digest
from eventlog.records import GENESIS, Cause, Head, NewEvent, Stamp, StoredEvent
from games.engine.clock import due, settle_due
from games.engine.commands import CallTimeOut, TimeOut
from games.engine.decide import decide
from games.engine.events import Event, GameOpened, GameVoided, SeatTaken, SeedRevealed, VoidReason
from games.engine.fairness import SeededChance, commitment_of
from games.engine.opening import Seating, start
from games.engine.ruleset import Ruleset, most_seats, options_of
from games.engine.state import State
from games.log import new_event

STREAM = UUID("01a22bbf-417c-7035-a9b5-3cd7ff2520a8")
SEED = bytes(range(32))
STAFF = UUID(int=7)


class Script:
    """Rows being written, command by command, a second apart."""

    def __init__(self) -> None:
        self.rows: list[StoredEvent] = []
        self.now = 1_800_000_000_000

    def add(self, events: Sequence[NewEvent], cause: Cause, actor: UUID | None) -> None:
        head = self.rows[-1].head if self.rows else Head.before(STREAM)
        stamp = Stamp(at=self.now, cause=cause, actor=actor, command_id=UUID(int=self.now))
        self.rows += chain(head, events, stamp, salts=bytes)
        self.now += 1000


class Opened(Struct, frozen=True):
    rules: Ruleset
    players: tuple[UUID, ...]
    client_seeds: tuple[str | None, ...]


def opened(random: Random, rules: Ruleset) -> Opened:
    seats = random.randint(2, min(5, most_seats(rules)))
    return Opened(
        rules=rules,
        players=tuple(UUID(int=seat + 100) for seat in range(seats)),
        client_seeds=tuple(random.choice((None, f"seed of {seat}")) for seat in range(seats)),
    )


def play_record(seed: int, rules: Ruleset, most_moves: int = 4000) -> list[StoredEvent]:
    """Rows of a random game from the opening to the revealed seed; void if it does not end in time."""
    table = opened(Random(seed), rules)
    script = Script()
    script.add([new_event(_game_opened(table))], Cause.HOST, table.players[0])
    for seat, seated in enumerate(table.players):
        taken = SeatTaken(seat=seat, player=seated, client_seed=table.client_seeds[seat])
        script.add([new_event(taken)], Cause.PLAYER, seated)
    chance = SeededChance(SEED, table.client_seeds)
    state = _start(table, script, chance)
    player = RandomPlayer(seed)
    for _ in range(most_moves):
        if state.outcome is not None:
            return script.rows
        state = _move(state, player, script, chance)
    if state.outcome is None:
        voided: Event = GameVoided(reason=VoidReason.RULING)
        script.add([new_event(voided), new_event(SeedRevealed(seed=SEED.hex()), Cause.SYSTEM)], Cause.STAFF, STAFF)
    return script.rows


def _game_opened(table: Opened) -> GameOpened:
    return GameOpened(
        host=table.players[0],
        commitment=commitment_of(SEED),
        preset="taki_116",
        ruleset=table.rules,
        ruleset_version=1,
        min_players=2,
        max_players=10,
        visibility="public",
    )


def _start(table: Opened, script: Script, chance: SeededChance) -> State:
    seating = Seating(
        players=table.players,
        client_seeds=table.client_seeds,
        birth_years=tuple(2000 + seat for seat in range(len(table.players))),
        commitment=commitment_of(SEED),
        preset="taki_116",
    )
    dealt = start(table.rules, seating, chance, script.now)
    script.add([new_event(event) for event in dealt.events], Cause.HOST, table.players[0])
    return dealt.state


def _move(state: State, player: RandomPlayer, script: Script, chance: SeededChance) -> State:
    """What is due, then a command of somebody, and the seed when the game is over."""
    events: list[NewEvent] = []
    actor: UUID | None = None
    command = next_command(player, state, script.now)
    if isinstance(command, TimeOut) and due(state):
        script.now = max(script.now, due(state)[0].at)
    if settled := settle_due(state, chance, script.now):
        events += [new_event(event, Cause.CLOCK) for event in settled.events]
        state = settled.state
    if state.outcome is None:
        command = next_command(player, state, script.now)
        if not isinstance(command, TimeOut | CallTimeOut) and command.seat is not None:
            decision = decide(state, command, chance, script.now)
            events += [new_event(event) for event in decision.events]
            state, actor = decision.state, UUID(int=command.seat + 100)
    if state.outcome is not None:
        events.append(new_event(SeedRevealed(seed=SEED.hex()), Cause.SYSTEM))
    if events:
        script.add(events, Cause.CLOCK if actor is None else Cause.PLAYER, actor)
    return state


def forged(rows: list[StoredEvent]) -> list[StoredEvent]:
    """The rows numbered and chained anew, as someone with all the code would do it."""
    before, sealed = GENESIS, []
    for version, row in enumerate(rows, 1):
        changed = replace(row, version=version)
        changed = replace(changed, digest=digest(covered(changed, before)))
        before = changed.digest
        sealed.append(changed)
    return sealed


def header_of(rows: Sequence[StoredEvent], rules: Ruleset) -> dict[str, object]:
    players = sum(1 for row in rows if row.kind == "seat_taken")
    kinds = {row.kind for row in rows}
    statuses = {"game_voided": "void", "game_finished": "finished", "game_started": "running"}
    return {
        "format": "taki-record",
        "format_version": 1,
        "game": str(STREAM),
        "status": next((status for kind, status in statuses.items() if kind in kinds), "open"),
        "mode": rules.mode.value,
        "ruleset": {"preset": "taki_116", "version": 1, "options": options_of(rules)},
        "players": [{"id": str(UUID(int=seat + 100)), "name": "A", "kind": "human"} for seat in range(players)],
        "commitment": commitment_of(SEED),
        "events": len(rows),
        "head": rows[-1].digest.hex(),
    }


def record_lines(rows: Sequence[StoredEvent], rules: Ruleset) -> list[bytes]:
    return [msgspec.json.encode(header_of(rows, rules)), *(lines.line(row) for row in rows)]
