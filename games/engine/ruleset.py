"""The options of one game, their values and defaults, and the presets (rules 2.19)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from games.engine.cards import DECK, Deck
from games.engine.option_values import accepted

RULESET_VERSION: Final = 1
LONGEST_TURN_SECONDS: Final = 14 * 24 * 3600
MOST_SEATS: Final = 10
FEWEST_SEATS: Final = 2


class Mode(Enum):
    """One hand, or stages within one long game (B60)."""

    SINGLE = "single"
    TOURNAMENT = "tournament"


class FirstPlayer(Enum):
    """Who goes first (2.1)."""

    YOUNGEST = "youngest"
    RANDOM = "random"
    SEAT_ZERO = "seat_zero"


class OpeningLead(Enum):
    """What a turned action card does (1.1, 1.3, 1.4)."""

    IGNORE_ACTION = "ignore_action"
    NUMBER_ONLY = "number_only"
    APPLY_ACTION = "apply_action"


class OpeningColorless(Enum):
    """What a turned colorless card does (1.2)."""

    REDRAW_BOTTOM = "redraw_bottom"
    FREE_FIRST_PLAY = "free_first_play"


class ReverseTwoPlayers(Enum):
    """Change Direction between two (2.5)."""

    PASS = "pass"  # noqa: S105 (a move)
    SKIP = "skip"


class DrawWhenPlayable(Enum):
    """Drawing with a playable card (12.1)."""

    ALLOW = "allow"
    FORBID = "forbid"


class PlayDrawnCard(Enum):
    """When a drawn card may be played (12.2)."""

    NEXT_TURN = "next_turn"
    IMMEDIATE = "immediate"


class WinOnPlus2(Enum):
    """When a +2 as last card wins (3.9, 3.10)."""

    IMMEDIATE = "immediate"
    AFTER_STACK_RESOLVED = "after_stack_resolved"


class Plus3Window(Enum):
    """Who is asked while a +3 may be answered (4.3)."""

    HOLDERS_ONLY = "holders_only"
    ALL_PLAYERS = "all_players"


class KingOnPlus3(Enum):
    """What a King does in the window (4.5)."""

    CANCEL_ALL = "cancel_all"
    SELF_ONLY = "self_only"
    FORBID = "forbid"


class Plus3LastCard(Enum):
    """Whether a +3 as last card can be broken (4.9, 4.10)."""

    IMMEDIATE = "immediate"
    BREAKABLE = "breakable"


class KingLead(Enum):
    """The lead after a lone King (6.3)."""

    ANY = "any"
    KEEP = "keep"


class KingDecline(Enum):
    """The price of declining a King's second card (6.4)."""

    FREE = "free"
    DRAW_ONE = "draw_one"


class RunLength(Enum):
    """Whether a run one begins must hold all cards of its color (8.1, 8.2)."""

    ALL = "all"
    ANY = "any"


class LeftOpenAction(Enum):
    """Whether the last card of a run left open acts (8.5)."""

    INERT = "inert"
    ACTS = "acts"


class OtherColor(Enum):
    """A card of another color on an open TAKI (8.7)."""

    ENDS_RUN = "ends_run"
    FORBID = "forbid"


class TakiOnTaki(Enum):
    """A TAKI of another color within one's own run (8.16)."""

    NO = "no"
    WHILE_ONLY_TAKIS = "while_only_takis"


class ColorlessInRun(Enum):
    """Colorless cards within a run (8.17, 8.18)."""

    DEFAULT = "super_taki_and_final_change_color"
    NONE = "none"
    ANY = "any"


class SuperTakiColor(Enum):
    """The color a Super TAKI takes (8.19)."""

    LEAD = "lead"
    CHOOSE = "choose"


class LastCardMode(Enum):
    """Whether a missed call is punished by itself or has to be caught (10.4, 10.5)."""

    AUTO = "auto"
    CATCH = "catch"


class LeaverHand(Enum):
    """Where a leaver's cards go (15.4)."""

    TO_DRAW_PILE = "to_draw_pile"
    FROZEN = "frozen"


class LastRemaining(Enum):
    """What the last player left gets (15.8)."""

    WINS_BY_FORFEIT = "wins_by_forfeit"
    NO_WINNER = "no_winner"


Seconds = Annotated[int, Meta(ge=1, le=LONGEST_TURN_SECONDS)]
# Python's $ also matches before a line feed at the end, ECMAScript's does not; with (?![^!-~]) both read the same.
Deadline = Annotated[str, Meta(pattern=r"^(next_action|seconds:[1-9][0-9]{0,4})$(?![^!-~])")]


class Ruleset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every option of one game; fixed when the table is opened."""

    mode: Mode = Mode.SINGLE
    tournament_stages: Annotated[int, Meta(ge=1, le=8)] = 8
    deck: Deck = Deck.FULL_116
    hand_size: Annotated[int, Meta(ge=3, le=10)] = 8
    first_player: FirstPlayer = FirstPlayer.YOUNGEST
    opening_lead: OpeningLead = OpeningLead.IGNORE_ACTION
    opening_colorless: OpeningColorless = OpeningColorless.REDRAW_BOTTOM
    reverse_two_players: ReverseTwoPlayers = ReverseTwoPlayers.PASS
    draw_when_playable: DrawWhenPlayable = DrawWhenPlayable.ALLOW
    play_drawn_card: PlayDrawnCard = PlayDrawnCard.NEXT_TURN
    king_cancels_plus2: bool = True
    win_on_plus2: WinOnPlus2 = WinOnPlus2.IMMEDIATE
    plus3_window: Plus3Window = Plus3Window.HOLDERS_ONLY
    plus3_window_seconds: Seconds = 15
    king_on_plus3: KingOnPlus3 = KingOnPlus3.CANCEL_ALL
    plus3_last_card: Plus3LastCard = Plus3LastCard.IMMEDIATE
    king_lead: KingLead = KingLead.ANY
    king_decline: KingDecline = KingDecline.FREE
    win_on_plus: bool = False
    plus_must_play: bool = True
    taki_run_length: RunLength = RunLength.ALL
    left_open_last_action: LeftOpenAction = LeftOpenAction.INERT
    open_taki_other_color: OtherColor = OtherColor.ENDS_RUN
    taki_on_taki_in_run: TakiOnTaki = TakiOnTaki.NO
    colorless_in_run: ColorlessInRun = ColorlessInRun.DEFAULT
    super_taki_color: SuperTakiColor = SuperTakiColor.LEAD
    last_card_mode: LastCardMode = LastCardMode.AUTO
    last_card_deadline: Deadline = "next_action"
    last_card_penalty: Annotated[int, Meta(ge=0, le=116)] = 4
    catch_grace_ms: Annotated[int, Meta(ge=0, le=60_000)] = 200
    stage_one_declare: bool = False
    turn_timeout_seconds: Annotated[int, Meta(ge=0, le=LONGEST_TURN_SECONDS)] = 60
    timeouts_before_forfeit: Annotated[int, Meta(ge=0, le=1000)] = 3
    leaver_hand: LeaverHand = LeaverHand.TO_DRAW_PILE
    last_remaining: LastRemaining = LastRemaining.WINS_BY_FORFEIT

    def dealt(self) -> int:
        """Cards dealt to each player (B17, B61, 22.37)."""
        return self.tournament_stages if self.mode is Mode.TOURNAMENT else self.hand_size

    def last_card_ms(self) -> int | None:
        """Milliseconds until a missed call is punished; None if the next action is the limit (10.3)."""
        if self.last_card_deadline == "next_action":
            return None
        return int(self.last_card_deadline.removeprefix("seconds:")) * 1000


NOT_OFFERED: Final = frozenset(
    {
        "plus3_on_active_plus2",
        "plus3_skips_next",
        "plus3_stacking",
        "plus3_lead",
        "stage_continues_run",
        "play_on",
        "scoring",
        "crazy_card",
        "disconnect_grace_seconds",
    }
)
"""Options that the rules name and this service does not offer."""

VALUES_NOT_OFFERED: Final = {"deck": frozenset({"112_crazy", "58"}), "first_player": frozenset({"previous_winner"})}
PRESETS_NOT_OFFERED: Final = frozenset({"crazy_112"})

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "taki_116": {},
    "tournament_116": {"mode": "tournament"},
    "classic_112": {"deck": "112_king"},
    "strict": {"draw_when_playable": "forbid", "plus3_window": "all_players"},
    "home": {"last_card_mode": "catch", "plus_must_play": False, "taki_run_length": "any"},
}
DEFAULT_PRESET: Final = "taki_116"


class RulesetFault(Exception):
    """A ruleset that cannot be used: `field` names the option, `code` is stable, `params` explain."""

    def __init__(self, code: str, field: str, **params: object) -> None:
        """Keep what the answer needs."""
        super().__init__(code, field, params)
        self.code = code
        self.field = field
        self.params = params


def _refuse_not_offered(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if name in NOT_OFFERED:
            raise RulesetFault("option_not_offered", name, option=name)
        if name not in Ruleset.__struct_fields__:
            raise RulesetFault("unknown_option", name, option=name)
        if isinstance(value, str) and value in VALUES_NOT_OFFERED.get(name, ()):
            raise RulesetFault("option_not_offered", name, option=name, value=value, **accepted(_TYPES[name]))


_TYPES: Final = {field.name: field.type for field in msgspec.inspect.type_info(Ruleset).fields}  # type: ignore[attr-defined]
_FIELD = re.compile(r"\$\.(\w+)")


def _impossible(option: str) -> RulesetFault:
    return RulesetFault("impossible_option", option, option=option, **accepted(_TYPES[option]))


def ruleset_from(options: Mapping[str, Any], preset: str = DEFAULT_PRESET) -> Ruleset:
    """Build the ruleset of a preset with some options changed; RulesetFault names the first option at fault."""
    if preset in PRESETS_NOT_OFFERED:
        raise RulesetFault("option_not_offered", "preset", option="preset", value=preset, allowed=list(PRESETS))
    if preset not in PRESETS:
        raise RulesetFault("unknown_preset", "preset", preset=preset, allowed=list(PRESETS))
    _refuse_not_offered(options)
    try:
        rules = msgspec.convert({**PRESETS[preset], **options}, Ruleset)
    except msgspec.ValidationError as fault:
        named = _FIELD.search(str(fault))
        if named is None:
            raise
        raise _impossible(named[1]) from None
    if rules.mode is Mode.TOURNAMENT and "hand_size" in options:
        needs = {"mode": Mode.SINGLE.value}  # 22.37
        raise RulesetFault("impossible_option", "hand_size", option="hand_size", needs=needs)
    return rules


def most_seats(rules: Ruleset) -> int:
    """Count the seats that the deck can serve: seats x cards dealt + 1 within the deck (2.18), at most ten (B2)."""
    return min(MOST_SEATS, (len(DECK[rules.deck]) - 1) // rules.dealt())


def options_of(rules: Ruleset) -> dict[str, Any]:
    """Give every option with its value as clients write it."""
    options: dict[str, Any] = msgspec.to_builtins(rules)
    return options
