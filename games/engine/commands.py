"""What can be asked of a table (rules 2.20). Well-formed already: the edge refuses unknown codes and seats (22.17)."""

from __future__ import annotations

from msgspec import Struct

from games.engine.cards import Color


class PlayCards(Struct, frozen=True, gc=False):
    """Play cards in the order given; `seat` is None for a stranger. `cards` are faces, at least one."""

    seat: int | None
    cards: bytes
    color: Color | None = None
    run_color: Color | None = None
    close: bool = False
    say_last: bool = False
    answer: bool = False


class DrawCards(Struct, frozen=True, gc=False):
    """Draw: one card, or the whole stack (3.4)."""

    seat: int | None
    answer: bool = False


class Pass(Struct, frozen=True, gc=False):
    """Decline: a King's second card (6.4), a drawn card (22.19) or the answer in a window (4.2)."""

    seat: int | None
    say_last: bool = False
    answer: bool = False


class SayLastCard(Struct, frozen=True, gc=False):
    """Say "last card" (B29)."""

    seat: int | None


class CatchLastCard(Struct, frozen=True, gc=False):
    """Point out that another player has not called (10.5)."""

    seat: int | None
    target: int


class Leave(Struct, frozen=True, gc=False):
    """Leave a running game (15.4)."""

    seat: int | None


class TimeOut(Struct, frozen=True, gc=False):
    """The server's clock: whatever is awaited has run out at `deadline` (ms; None: just now) (15.2)."""

    deadline: int | None = None


class CallTimeOut(Struct, frozen=True, gc=False):
    """The server's clock: the time to call has run out for whoever owes it (`last_card_deadline = seconds:N`)."""


SeatCommand = PlayCards | DrawCards | Pass | SayLastCard | CatchLastCard | Leave
Command = SeatCommand | TimeOut | CallTimeOut
