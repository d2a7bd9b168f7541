"""What callers send about tournaments, as strict Structs."""

from __future__ import annotations

from typing import Any, Final, Literal
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from games.api import requests
from games.api.requests import Asked, OpenTable, SeatCount
from games.engine.ruleset import FEWEST_SEATS, Mode
from games.lists import BY_PLAYER, BY_STATUS, BY_TURN, Conditions
from games.services.lobby import Wish
from httpapi.paging import PageQuery
from httpapi.problems import invalid_field

DEFAULT_PRESET: Final = "tournament_116"


class TournamentRuleset(requests.RulesetChoice, frozen=True, forbid_unknown_fields=True):
    """A preset and the options that differ from it; the mode is no choice here."""

    preset: str = DEFAULT_PRESET
    options: dict[str, Any] = {}


class OpenTournament(Asked, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /tournaments`: that of `POST /games` without the mode."""

    ruleset: TournamentRuleset = TournamentRuleset()
    min_players: SeatCount = FEWEST_SEATS
    max_players: SeatCount | UnsetType = UNSET
    visibility: Literal["public", "unlisted"] = "public"
    name: str = ""
    auto_start: bool = False
    seat_creator: bool = True


class TournamentsQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """The filters of the list of tournaments; players by id."""

    status: Literal["open", "running", "finished", "void"] | None = None
    player: UUID | None = None
    turn_of: UUID | None = None


def wish_of(body: OpenTournament) -> Wish:
    """The table a body asks for, in tournament mode."""
    mode = body.ruleset.options.get("mode", Mode.TOURNAMENT.value)
    if mode != Mode.TOURNAMENT.value:
        raise invalid_field(
            "/ruleset/options/mode", "impossible_option", option="mode", allowed=[Mode.TOURNAMENT.value]
        )
    return requests.wish_of(OpenTable(**asdict(body), mode=Mode.TOURNAMENT))


def conditions_of(query: TournamentsQuery) -> Conditions:
    """The filters of a query that are set."""
    filters = {BY_STATUS: query.status, BY_PLAYER: query.player, BY_TURN: query.turn_of}
    return {condition: value for condition, value in filters.items() if value is not None}
