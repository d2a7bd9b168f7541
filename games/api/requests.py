"""What callers send, as strict Structs: unknown fields, unknown codes and impossible values never reach a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from games.engine.cards import CODE, DECK, Color, Deck, faces_of
from games.engine.commands import CatchLastCard, Command, DrawCards, Pass, PlayCards, SayLastCard
from games.engine.ruleset import (
    DEFAULT_PRESET,
    FEWEST_SEATS,
    MOST_SEATS,
    Mode,
    Ruleset,
    RulesetFault,
    most_seats,
    ruleset_from,
)
from games.lists import BY_MODE, BY_PLAYER, BY_STATUS, BY_TURN, Conditions
from games.models import Visibility
from games.services.lobby import Wish
from httpapi.names import clean_name
from httpapi.paging import PageQuery
from httpapi.problems import invalid_field

if TYPE_CHECKING:
    CardCode = str
else:
    CardCode = Literal[CODE]

MOST_CARDS: Final = len(DECK[Deck.FULL_116])
NamedColor = Literal["red", "yellow", "green", "blue"]
CardList = Annotated[tuple[CardCode, ...], Meta(min_length=1, max_length=MOST_CARDS)]
SeatCount = Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)]
SeatNumber = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]
# Python's $ also matches before a line feed at the end, ECMAScript's does not; with (?![^!-~]) both read the same.
ClientSeed = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?![^!-~])")]
"""Letters and digits, so that no names or other personal words get into the log."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all bodies."""


class Nothing(Asked, frozen=True, forbid_unknown_fields=True):
    """An empty body, or `{}`."""


class RulesetChoice(Asked, frozen=True, forbid_unknown_fields=True):
    """A preset and the options that differ from it."""

    preset: str = DEFAULT_PRESET
    options: dict[str, Any] = {}


class WithRules(Asked, frozen=True, forbid_unknown_fields=True):
    """Base of bodies that choose the rules of a game."""

    ruleset: RulesetChoice = RulesetChoice()
    mode: Mode | None = None


class OpenTable(WithRules, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /games`."""

    min_players: SeatCount = FEWEST_SEATS
    max_players: SeatCount | UnsetType = UNSET
    visibility: Literal["public", "unlisted"] = "public"
    name: str = ""
    auto_start: bool = False
    seat_creator: bool = True


class Join(Asked, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /games/{id}/join`."""

    client_seed: ClientSeed | None = None


class JoinByCode(Asked, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /games/join`."""

    join_code: Annotated[str, Meta(min_length=1, max_length=40)]
    client_seed: ClientSeed | None = None


class PlayBody(Asked, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """Play cards, in this order."""

    cards: CardList
    color: NamedColor | None = None
    run_color: NamedColor | None = None
    close: bool = False
    say_last: bool = False
    answer: bool = False


class DrawBody(Asked, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="draw"):
    """Draw."""

    answer: bool = False


class PassBody(Asked, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pass"):
    """Pass."""

    say_last: bool = False
    answer: bool = False


class SayLastBody(Asked, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="say_last"):
    """Say "last card"."""

    answer: bool = False


class CatchBody(Asked, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="catch"):
    """Point out a missed call."""

    target: SeatNumber
    answer: bool = False


MoveBody = PlayBody | DrawBody | PassBody | SayLastBody | CatchBody
MOVE_BODY: Final[Any] = MoveBody
"""For the decoder: a union is no `type`."""


class MoveQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a move."""

    dry_run: bool = False


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of the log."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=200)] = 200


class HistoryQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose view of the past."""

    seat: Annotated[str, Meta(pattern=r"^(all|[0-9])$(?![^!-~])")] | None = None


class GamesQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """The filters of the list of tables; players by id."""

    status: Literal["open", "running", "finished", "void"] | None = None
    mode: Literal["single", "tournament"] | None = None
    player: UUID | None = None
    turn_of: UUID | None = None


def command_of(body: MoveBody) -> Command:
    """The command in a body; the seat is the service's to fill in."""
    if isinstance(body, PlayBody):
        color, run_color = _color(body.color), _color(body.run_color)
        return PlayCards(None, faces_of(body.cards), color, run_color, body.close, body.say_last, body.answer)
    if isinstance(body, DrawBody):
        return DrawCards(None, body.answer)
    if isinstance(body, PassBody):
        return Pass(None, body.say_last, body.answer)
    if isinstance(body, CatchBody):
        return CatchLastCard(None, body.target)
    return SayLastCard(None)


def _color(name: NamedColor | None) -> Color | None:
    return None if name is None else Color(name)


def wish_of(body: OpenTable) -> Wish:
    """The table a body asks for; options are refused by name."""
    rules = rules_of(body)
    most = most_seats(rules)
    max_players = most if isinstance(body.max_players, UnsetType) else body.max_players
    if max_players > most:
        raise invalid_field("/max_players", "table_too_large", most=most, dealt=rules.dealt())
    if body.min_players > max_players:
        raise invalid_field("/min_players", "out_of_range", bound=f"<= {max_players}")
    return Wish(
        rules=rules,
        preset=body.ruleset.preset,
        name=clean_name(body.name, "/name") if body.name else "",
        visibility=Visibility(body.visibility),
        min_players=body.min_players,
        max_players=max_players,
        auto_start=body.auto_start,
        seat_creator=body.seat_creator,
    )


def rules_of(body: WithRules) -> Ruleset:
    """The rules a body asks for; options are refused by name."""
    options = body.ruleset.options
    if body.mode is not None:
        if options.get("mode", body.mode.value) != body.mode.value:
            place = "/ruleset/options/mode"
            raise invalid_field(place, "impossible_option", option="mode", allowed=[body.mode.value])
        options = {**options, "mode": body.mode.value}
    try:
        return ruleset_from(options, body.ruleset.preset)
    except RulesetFault as fault:
        place = "/ruleset/preset" if fault.field == "preset" else f"/ruleset/options/{fault.field}"
        raise invalid_field(place, fault.code, **fault.params) from None


def conditions_of(query: GamesQuery) -> Conditions:
    """The filters of a query that are set."""
    filters = {BY_STATUS: query.status, BY_MODE: query.mode, BY_PLAYER: query.player, BY_TURN: query.turn_of}
    return {condition: value for condition, value in filters.items() if value is not None}
