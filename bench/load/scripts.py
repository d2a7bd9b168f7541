"""Real games written down beforehand: each move chosen from the legal ones, as the bytes of its call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from random import Random
from typing import Final
from uuid import UUID

import msgspec
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from accounts.models import Player, Token
from accounts.scopes import Kind, allowed, ordered
from accounts.token_text import digest, new_token
from bench.load.lines import request
from bench.players import Chosen, RandomPlayer, mover
from bench.running_games import Made, Plan, made, pinned, some_players
from games.engine.cards import codes_of
from games.engine.commands import DrawCards, Pass, PlayCards, SayLastCard
from games.engine.decide import decide
from games.engine.fairness import SeededChance
from games.engine.ruleset import Mode, Ruleset
from games.engine.state import State
from games.engine.templates import CatchMove, legal_moves

THINKS_MS: Final = 1_000
HOUR: Final = 3_600
SEATS: Final = 4
# No clock runs out while a table waits for its turn in the measurement, but each has one.
SINGLE: Final = Ruleset(turn_timeout_seconds=HOUR, plus3_window_seconds=60)
STAGES: Final = replace(SINGLE, mode=Mode.TOURNAMENT)


class Seated(Struct, frozen=True):
    """Some players and what each says in `Authorization`."""

    players: Sequence[Player]
    bearers: Sequence[str]


class Script(Struct):
    """A stored game and the calls that play on from where it stands, the first at `version`."""

    game: UUID
    version: int
    calls: list[bytes]


class Planned(Struct, frozen=True):
    """A game that is still to be stored, and its script."""

    made: Made
    script: Script


def seated(number: int) -> Seated:
    """New accounts with a token each."""
    players = some_players(number)
    texts = [new_token() for _ in players]
    until = timezone.now() + timedelta(days=1)
    scopes = ordered(allowed(Kind.HUMAN, may_review=False))
    Token.objects.bulk_create(
        [
            Token(player=player, digest=digest(text), scopes=scopes, expires_at=until)
            for player, text in zip(players, texts, strict=True)
        ]
    )
    return Seated(players, [f"Bearer {text}" for text in texts])


def plan(table: Seated, rules: Ruleset, now: int, moves: int, behind: int = 0) -> Planned:
    """Deal a game, play it until its log has `behind` events, and write the next moves down.

    The script is shorter than `moves` where the game ends; games that end before `behind` are dealt anew.
    """
    while True:
        player = _Chooser()
        dealt = made(Plan(table.players, pinned(rules), now, player.until(behind, len(table.players))))
        if dealt.state.outcome is None:
            return Planned(
                dealt, Script(dealt.game.id, dealt.game.version, list(_calls(table, dealt, player, now, moves)))
            )


class _Chooser:
    """Chooses as `RandomPlayer`, but never what hangs on the moment at which it comes."""

    def __init__(self) -> None:
        self._player = RandomPlayer(Random().getrandbits(32))

    def choose(self, state: State, now: int) -> Chosen:
        """A legal move of whoever is waited for."""
        seat = mover(state)
        moves = [move for move in legal_moves(state, seat, now) if type(move) is not CatchMove]
        return self._player.choose(moves, seat)

    def until(self, events: int, seats: int) -> Callable[[State], Chosen | None]:
        """Give what plays a game on until about so many events have happened."""
        left = (events - 2 - seats) // 2

        def play(state: State) -> Chosen | None:
            nonlocal left
            left -= 1
            return self.choose(state, 0) if left > 0 and state.outcome is None else None

        return play


def _calls(table: Seated, dealt: Made, player: _Chooser, now: int, moves: int) -> Iterator[bytes]:
    state, version = dealt.state, dealt.game.version
    chance = SeededChance(dealt.seed, (None,) * len(table.players))
    for _ in range(moves):
        if state.outcome is not None:
            return
        now += THINKS_MS
        command = player.choose(state, now)
        yield call(table.bearers[command.seat or 0], dealt.game.id, version, command)
        decision = decide(state, command, chance, now)
        state, version = decision.state, version + len(decision.events)


def call(bearer: str, game: UUID, version: int, command: Chosen) -> bytes:
    """The bytes of a move, with a key of its own and the version that it is meant for."""
    return request(
        "POST",
        f"/api/v1/games/{game}/moves",
        msgspec.json.encode(body(command)),
        Authorization=bearer,
        Idempotency_Key=os.urandom(12).hex(),
        If_Match=f'"{version}"',
    )


def body(command: Chosen) -> dict[str, object]:
    """A command as clients send it."""
    if isinstance(command, PlayCards):
        sent: dict[str, object] = {"type": "play", "cards": codes_of(command.cards)}
        if command.color:
            sent["color"] = command.color
        if command.run_color:
            sent["run_color"] = command.run_color
        return sent | {"close": command.close, "say_last": command.say_last, "answer": command.answer}
    if isinstance(command, Pass):
        return {"type": "pass", "say_last": command.say_last, "answer": command.answer}
    if isinstance(command, DrawCards):
        return {"type": "draw", "answer": command.answer}
    if isinstance(command, SayLastCard):
        return {"type": "say_last"}
    raise TypeError(type(command))
