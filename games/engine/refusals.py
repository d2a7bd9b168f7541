"""Why a command is refused: one class for each stable code, with the number of the rule (rules 2.20)."""

from __future__ import annotations

from typing import ClassVar


class Refusal(Exception):
    """A command the rules do not allow; nothing has changed (2.2.6)."""

    code: ClassVar[str]
    rule: ClassVar[str]

    def __init__(self, **params: object) -> None:
        """Keep what the explanation needs; card lists are lists of codes."""
        super().__init__(self.code)
        self.params = {"rule": self.rule, **params}


class GameOver(Refusal):
    """The game has ended."""

    code, rule = "game_over", "B65"


class NotInGame(Refusal):
    """Strangers, spectators and players who left."""

    code, rule = "not_in_game", "15.4"


class WindowClosed(Refusal):
    """An answer, and no +3 to answer."""

    code, rule = "window_closed", "4.12"


class CardNotInHand(Refusal):
    """A card named is not held, or not that often."""

    code, rule = "card_not_in_hand", "B21"


class AwaitingPlus3(Refusal):
    """A +3 may still be answered; nothing else is allowed."""

    code, rule = "awaiting_plus3", "4.2"


class NotWaitedFor(Refusal):
    """A pass by someone who is not asked."""

    code, rule = "not_waited_for", "4.3"


class NotYourTurn(Refusal):
    """Somebody else is to move."""

    code, rule = "not_your_turn", "B28"


class MustAnswerPlus2(Refusal):
    """On a stack only a +2, a King or the draw is allowed."""

    code, rule = "must_answer_plus2", "3.1"


class AlreadyPlayed(Refusal):
    """Drawing is over for this turn."""

    code, rule = "already_played", "6.4"


class CannotPass(Refusal):
    """Passing needs a King before it, a drawn card, or a window."""

    code, rule = "cannot_pass", "12.3"


class CardDoesNotMatch(Refusal):
    """The first card matches neither color nor symbol of the lead."""

    code, rule = "card_does_not_match", "B22"


class OnlyOneCard(Refusal):
    """Several cards without a run."""

    code, rule = "only_one_card", "B21"


class ColorRequired(Refusal):
    """`color` or `run_color` is missing."""

    code, rule = "color_required", "9.4"


class NotInTakiColor(Refusal):
    """A card within a run that may not stand there."""

    code, rule = "not_in_taki_color", "B40"


class ColorNotAllowed(Refusal):
    """`color` or `run_color` without a card that takes it."""

    code, rule = "color_not_allowed", "9.4"


class TakiCannotBeClosed(Refusal):
    """The last card of a closed run is a TAKI."""

    code, rule = "taki_cannot_be_closed", "8.3"


class MustPlayAll(Refusal):
    """Cards of the run's color were kept back."""

    code, rule = "must_play_all", "8.2"


class MustPlaySecondCard(Refusal):
    """Drawing after a Plus with a playable card."""

    code, rule = "must_play_second_card", "7.6"


class MustPlay(Refusal):
    """Drawing with a playable card where that is forbidden."""

    code, rule = "must_play", "12.1"


class NothingToDeclare(Refusal):
    """A call without exactly one card."""

    code, rule = "nothing_to_declare", "10.10"


class AlreadyDeclared(Refusal):
    """A second call for the same card."""

    code, rule = "already_declared", "10.2"


class NothingToCatch(Refusal):
    """Nobody there who owes the call, or too early."""

    code, rule = "nothing_to_catch", "10.5"


REFUSALS: tuple[type[Refusal], ...] = (
    GameOver,
    NotInGame,
    WindowClosed,
    CardNotInHand,
    AwaitingPlus3,
    NotWaitedFor,
    NotYourTurn,
    MustAnswerPlus2,
    AlreadyPlayed,
    CannotPass,
    CardDoesNotMatch,
    OnlyOneCard,
    ColorRequired,
    NotInTakiColor,
    ColorNotAllowed,
    TakiCannotBeClosed,
    MustPlayAll,
    MustPlaySecondCard,
    MustPlay,
    NothingToDeclare,
    AlreadyDeclared,
    NothingToCatch,
)
"""In the order in which they are tested."""
