"""What is sent to the sandbox: a position in the format of the scenarios, and how far to move a clock."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta
from msgspec.structs import replace

from games.api.requests import Asked, WithRules, rules_of
from games.engine.position import Placed, read_position
from games.engine.position_values import PositionFault
from games.engine.ruleset import Ruleset
from games.services.sandbox import Setup
from httpapi.names import clean_name
from httpapi.problems import invalid_field

MOST_SECONDS: Final = 31 * 86_400


class OpenSandboxGame(WithRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The body of `POST /sandbox/games`."""

    position: dict[str, Any]


class MoveClock(Asked, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /sandbox/games/{id}/clock`."""

    seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]


def setup_of(body: OpenSandboxGame) -> Setup:
    """The game a body asks for; an impossible position is refused with the field named."""
    rules = rules_of(body)
    placed = _placed(body.position, rules)
    names = tuple(clean_name(name, f"/position/players/{seat}") for seat, name in enumerate(placed.names))
    return Setup(rules, body.ruleset.preset, replace(placed, names=names))


def _placed(position: dict[str, Any], rules: Ruleset) -> Placed:
    try:
        return read_position(position, rules)
    except PositionFault as fault:
        raise invalid_field(f"/position{fault.field}", fault.code, **fault.params) from None
