"""What happened: past facts with their outcome, all that a replay needs (api: section 6).

Lists of cards that not everybody may see are named in `visibility.py`. Every kind stands in KINDS with its version.
"""

from __future__ import annotations

from enum import Enum
from typing import Final
from uuid import UUID

from msgspec import Struct

from games.engine.cards import Cards, Color, Lead
from games.engine.ruleset import Ruleset
from games.engine.state import Ended, Owed


class Event(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Base of all events."""


class SeatEvent(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """An event of one seat."""

    seat: int


class DrawReason(Enum):
    """Why cards were drawn."""

    TURN = "turn"
    PLUS2 = "plus2"
    PLUS3 = "plus3"
    BREAKER = "breaker"
    LAST_CARD_PENALTY = "last_card_penalty"
    PLUS = "plus"
    STAGE = "stage"
    KING = "king"


class Answer(Enum):
    """An answer in the window of a +3."""

    PASS = "pass"  # noqa: S105
    BREAKER = "breaker"
    KING = "king"


class Settled(Enum):
    """How the window of a +3 closed: others draw, broken, cancelled, void because its player left, or won."""

    DRAWN = "drawn"
    BROKEN = "broken"
    CANCELLED = "cancelled"
    VOID = "void"
    WON = "won"


class Policy(Enum):
    """What the clock does for a silent player (15.2)."""

    DRAW = "draw"
    DRAW_STACK = "draw_stack"
    PASS = "pass"  # noqa: S105


class LeaveReason(Enum):
    """Why a seat is out."""

    LEFT = "left"
    TIMEOUTS = "timeouts"
    RULING = "ruling"


class VoidReason(Enum):
    """Why a game came to nothing."""

    CANCELLED = "cancelled"
    EXPIRED = "expired"
    RULING = "ruling"


# --- the table before the game -------------------------------------------------------------------


class GameOpened(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A table was opened by `host`; `commitment` is the SHA-256 of the server seed, in hex."""

    host: UUID
    commitment: str
    preset: str
    ruleset: Ruleset
    ruleset_version: int
    min_players: int
    max_players: int
    visibility: str
    auto_start: bool = False
    sandbox: bool = False


class SeatTaken(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A player sat down; the client seed stays hidden until the start."""

    player: UUID
    client_seed: str | None = None


class SeatLeft(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A seat was given back before the start; higher seats move down by one."""

    player: UUID


class GameVoided(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The game came to nothing and counts nowhere."""

    reason: VoidReason


class SeedRevealed(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The server seed in hex, once the game is over or void."""

    seed: str


# --- the deal ------------------------------------------------------------------------------------


class GameStarted(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Seats are final: `players` and `client_seeds` by seat.

    `first` is the first player (2.1), `drawn` whether the seeds chose that seat: then it can be proven (22.18).
    """

    players: tuple[UUID, ...]
    client_seeds: tuple[str | None, ...]
    first: int
    drawn: bool = False
    preset: str
    ruleset: Ruleset
    ruleset_version: int
    commitment: str


class DeckShuffled(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The whole deck in its order, top first. Hidden."""

    cards: Cards


class HandDealt(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The first hand of a seat, in the order dealt (1.5). Hidden from the others."""

    cards: Cards


class LeadTurned(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The opening lead (1.1 to 1.4). `returned`: cards that went to the bottom of the pile, in the order turned."""

    card: str
    lead: Lead
    turn: int
    returned: Cards = Cards()
    plus2: int = 0
    direction: int = 1


class PositionSet(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The whole table of a sandbox game as it was asked for, in the place of a deal. Hands and pile are hidden.

    `declared`: who has called; `must_say`: who owes it; `by_play`: whose one card is what a play left (10.8);
    `waiting`: whose empty hand waits for the stack (3.10). Tuples of cards and stages are by seat.
    """

    hands: tuple[Cards, ...]
    draw_pile: Cards
    discard: Cards
    lead: Lead
    lead_index: int
    turn: int
    direction: int = 1
    plus2: int = 0
    open_taki: Color | None = None
    owed: Owed | None = None
    declared: tuple[int, ...] = ()
    must_say: tuple[int, ...] = ()
    by_play: tuple[int, ...] = ()
    stages: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


# --- play ----------------------------------------------------------------------------------------


class CardsPlayed(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Cards left a hand. Everything after `cards` is the table as the play leaves it.

    `lead_card`: which of `cards` is the new lead card, from the end (1 is the last); 0: the lead stays where it was.
    """

    cards: Cards
    lead: Lead
    lead_card: int = 1
    open_taki: Color | None = None
    plus2: int = 0
    owed: Owed | None = None
    direction: int = 0


class TakiClosed(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The run was declared closed (B41)."""


class CardsDrawn(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Cards came from the draw pile; `cards` may be fewer than asked, or none (11.4). Hidden from the others."""

    reason: DrawReason
    cards: Cards = Cards()
    owed: Owed | None = None


class PileReshuffled(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """All discards below the lead went under the draw pile, shuffled, in this order (11.1). Hidden."""

    cards: Cards


class Plus3Opened(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A +3 may be answered. Who is awaited is hidden (4.3)."""

    next_seat: int
    awaited: tuple[int, ...] = ()
    wins: bool = False


class Plus3Answered(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """An awaited player answered. A pass shows neither seat nor answer to the others."""

    answer: Answer


class Plus3Settled(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The window closed; `seat` is the player of the +3, `by` who broke or cancelled it."""

    outcome: Settled
    by: int | None = None


class LastCardSaid(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A player called "last card" (10.2)."""


class LastCardOwed(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A player has come to one card without the call (10.1)."""


class LastCardLapsed(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The time to catch a missed call is over (10.5)."""


class LastCardCaught(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """`seat` pointed out that `target` had not called (10.5)."""

    target: int


class StageCleared(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A hand was emptied in a tournament; `reached` is the new stage, 0 when through (B62)."""

    cleared: int
    reached: int


class WinHeld(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The hand is empty on a +2 and the win waits for the stack (3.10)."""


class TurnPassed(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Play goes on with `to`; `plus2` stands only where a stack was void (15.5)."""

    to: int


# --- clock, leaving, end -------------------------------------------------------------------------


class TurnTimedOut(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A turn ran out: deadline and moment noticed (ms), what was done, strikes now (15.2, 15.3)."""

    deadline: int
    noticed: int
    policy: Policy
    strikes: int


class WindowTimedOut(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The window of this seat's +3 ran out (4.2)."""

    deadline: int
    noticed: int


class CallTimedOut(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The time for this seat's call ran out (`last_card_deadline = seconds:N`)."""

    deadline: int
    noticed: int


class StrikesCleared(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A player acted again after silence (22.14)."""


class ClockExtended(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The clock that runs was given `extra_ms` more, each call that is owed `calls_ms` more.

    By the clock itself: because `deadline` fell into an outage, from `down_from` to `down_until`; `noticed` when that
    was seen (ms).
    """

    extra_ms: int = 0
    calls_ms: int = 0
    deadline: int | None = None
    noticed: int | None = None
    down_from: int | None = None
    down_until: int | None = None


class PlayerLeft(SeatEvent, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A player is out. `cards` went under the draw pile (none where hands are frozen). Hidden (15.4)."""

    reason: LeaveReason = LeaveReason.LEFT
    cards: Cards = Cards()


class Place(Struct, frozen=True):
    """One line of the final standings; `stage` is None in single mode (13.6, 14.11)."""

    seat: int
    place: int
    cards: int
    stage: int | None


class GameFinished(Event, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """The end, with the places."""

    ended: Ended
    winner: int | None
    places: tuple[Place, ...]


KINDS: Final[dict[type[Event], tuple[str, int]]] = {
    GameOpened: ("game_opened", 1),
    SeatTaken: ("seat_taken", 1),
    SeatLeft: ("seat_left", 1),
    GameVoided: ("game_voided", 1),
    SeedRevealed: ("seed_revealed", 1),
    GameStarted: ("game_started", 1),
    DeckShuffled: ("deck_shuffled", 1),
    HandDealt: ("hand_dealt", 1),
    LeadTurned: ("lead_turned", 1),
    PositionSet: ("position_set", 1),
    CardsPlayed: ("cards_played", 1),
    TakiClosed: ("taki_closed", 1),
    CardsDrawn: ("cards_drawn", 1),
    PileReshuffled: ("pile_reshuffled", 1),
    Plus3Opened: ("plus3_opened", 1),
    Plus3Answered: ("plus3_answered", 1),
    Plus3Settled: ("plus3_settled", 1),
    LastCardSaid: ("last_card_said", 1),
    LastCardOwed: ("last_card_owed", 1),
    LastCardLapsed: ("last_card_lapsed", 1),
    LastCardCaught: ("last_card_caught", 1),
    StageCleared: ("stage_cleared", 1),
    WinHeld: ("win_held", 1),
    TurnPassed: ("turn_passed", 1),
    TurnTimedOut: ("turn_timed_out", 1),
    WindowTimedOut: ("window_timed_out", 1),
    CallTimedOut: ("call_timed_out", 1),
    StrikesCleared: ("strikes_cleared", 1),
    ClockExtended: ("clock_extended", 1),
    PlayerLeft: ("player_left", 1),
    GameFinished: ("game_finished", 1),
}
"""Name and version of each kind, as stored; never a class path."""


def seat_of(event: Event) -> int | None:
    """Give the seat that an event is about, if it is about one."""
    seat: int | None = getattr(event, "seat", None)
    return seat
