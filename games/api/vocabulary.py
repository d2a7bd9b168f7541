"""The shapes that calls about games share in the description: cards, events, options, refusals, records."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from games import event_shapes
from games.engine.ruleset import Ruleset
from games.engine.templates import Template
from games.i18n import option_texts
from games.rulesets import Content
from games.services.audit import Header
from games.shown import EventView
from httpapi.description.calls import Schema
from httpapi.description.refusals import Problem

RECORD: Final = "Record"
REFUSED_MOVE: Final = "RefusedMove"
VERSION_CONFLICT: Final = "VersionConflict"


class RefusedMove(Problem, frozen=True, kw_only=True):
    """A command that the rules do not allow at this version; nothing has changed. `params.rule` is the rule's number."""

    version: int | UnsetType = UNSET
    legal_moves: list[Template] | UnsetType = UNSET


class VersionConflict(Problem, frozen=True, kw_only=True):
    """The game has moved on: its actual version and at most 200 of the events missed (`more` beyond)."""

    version: int
    events: list[EventView]
    more: bool


TYPES: Final[tuple[Any, ...]] = (RefusedMove, VersionConflict, Content, Header, *event_shapes.borrowed())


@cache
def components() -> dict[str, Schema]:
    """What msgspec cannot tell by itself."""
    return {
        **event_shapes.components(),
        event_shapes.OPTIONS: _options() | {"required": list(Ruleset.__struct_fields__)},
        "OptionChoices": _options()
        | {"description": "Options that differ from the preset.", "additionalProperties": False},
        RECORD: {
            "description": "Newline-delimited JSON: a header, then each event of the game, one object a line.",
            "type": "string",
            "contentMediaType": "application/x-ndjson",
            "contentSchema": {
                "type": "array",
                "prefixItems": [{"$ref": "#/components/schemas/RecordHeader"}],
                "items": {"$ref": "#/components/schemas/RecordedEvent"},
            },
        },
    }


def _options() -> Schema:
    """Every option with its explanation; the engine's enums stand in place."""
    _, parts = msgspec.json.schema_components([Ruleset], ref_template="{name}")
    texts = option_texts("en")
    properties = {}
    for name, schema in parts["Ruleset"]["properties"].items():
        found = {word: value for word, value in schema.items() if word not in {"default", "$ref"}}
        if "$ref" in schema:
            found = {"type": "string", "enum": parts[schema["$ref"]]["enum"]}
        properties[name] = {"description": texts[name].text, **found}
    return {"description": "Every option of a game.", "type": "object", "properties": properties}
