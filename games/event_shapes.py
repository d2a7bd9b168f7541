"""Events as JSON Schema: what clients get of each kind, and the lines of a record. Follows events and visibility."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_origin

import msgspec
import yaml
from msgspec import NODEFAULT

from eventlog.record import Line
from games.engine.cards import CODE, Cards, Color, Lead, Symbol
from games.engine.events import KINDS, Event, Place, Plus3Answered
from games.engine.ruleset import Ruleset
from games.engine.visibility import RULES_OF_SIGHT, Moment

Schema = dict[str, Any]
REFERENCE: Final = "#/components/schemas/{name}"
OPTIONS: Final = "Options"
"""What the description calls the engine's Ruleset; its `Ruleset` is that with preset and version."""

_RULESET: Final = REFERENCE.format(name=Ruleset.__name__)
CAUSES: Final = ("player", "clock", "host", "staff", "system")
_MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
_LIST_OF_COUNTS: Final[Schema] = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 116}}
_CARD: Final[Schema] = {"$ref": "#/components/schemas/Card"}
SHAPES: Final[Mapping[type, Schema]] = {
    Cards: {"type": "array", "items": _CARD},
    Lead: {"$ref": "#/components/schemas/Lead"},
    Moment: _MOMENT,
}
"""Types of the engine that have a form of their own in JSON."""

_WORDS: Final[Mapping[str, Schema]] = yaml.safe_load(Path(__file__).with_name("event_words.yaml").read_text())
"""What the fields of events are for, by field: a name means the same in every kind."""


def components() -> dict[str, Schema]:
    """Cards, leads, and every kind of event."""
    kinds = {_title(kind): _kind(kind, type_) for type_, (kind, _) in KINDS.items()}
    return {
        "Card": {
            "description": "The code of a card: color and symbol, or the kind of a card without a color.",
            "type": "string",
            "enum": list(CODE),
        },
        "Lead": _lead(),
        "Event": {
            "description": "A past fact, the same numbers for every viewer; what is hidden from one shows its public half.",
            "oneOf": [{"$ref": REFERENCE.format(name=name)} for name in kinds],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {kind: REFERENCE.format(name=_title(kind)) for kind, _ in KINDS.values()},
            },
        },
        **kinds,
        "RecordedEvent": _recorded(),
    }


def _title(kind: str) -> str:
    return kind.title().replace("_", "") + "Event"


def _lead() -> Schema:
    return {
        "description": "What the next card has to match; color `any` after a lone King (6.3).",
        "type": "object",
        "required": ["color", "symbol"],
        "properties": {
            "color": {"description": "The color.", "type": "string", "enum": [color.value for color in Color]},
            "symbol": {"description": "The symbol.", "type": "string", "enum": [symbol.value for symbol in Symbol]},
        },
    }


def _kind(kind: str, type_: type[Event]) -> Schema:
    return {
        "description": (type_.__doc__ or "").strip(),
        "type": "object",
        "required": ["version", "kind", "at", "seat", "cause", "data"],
        "properties": {
            "version": {"description": "The number in the game's log, without gaps.", "type": "integer", "minimum": 1},
            "kind": {"description": "What happened.", "type": "string", "const": kind},
            "at": {"description": "When, by the database's clock.", **_MOMENT},
            "seat": _seat(type_),
            "cause": {"description": "Who or what made it happen.", "type": "string", "enum": list(CAUSES)},
            "data": _shown(type_),
        },
    }


def _seat(type_: type[Event]) -> Schema:
    if "seat" not in type_.__struct_fields__:
        return {"description": "No seat: it is about the table.", "type": "null"}
    seat: Schema = {"description": "Whose event it is.", "type": "integer", "minimum": 0, "maximum": 9}
    return seat | {"type": ["integer", "null"]} if type_ is Plus3Answered else seat


def _shown(type_: type[Event]) -> Schema:
    """The data as viewers get it: asked of the rule of sight itself, with every field filled."""
    fields = {field.name: field for field in msgspec.structs.fields(type_) if field.name != "seat"}
    rule = RULES_OF_SIGHT[type_]
    filled: dict[str, Any] = {name: [] if _is_list(field.type) else 1 for name, field in fields.items()}
    others, own = rule(dict(filled), False), rule(dict(filled), True)  # noqa: FBT003 (the rules' own form)
    properties = {name: _field(type_, name, value) for name, value in own.items()}
    always = [name for name in others if name not in fields or fields[name].default is NODEFAULT]
    if type_ is Plus3Answered:  # a pass is shown to its player alone
        always = []
    return {"type": "object", "properties": properties} | ({"required": always} if always else {})


def _field(type_: type[Event], name: str, value: object) -> Schema:
    types = {field.name: field.type for field in msgspec.structs.fields(type_)}
    if isinstance(value, Moment):
        schema = _MOMENT
    elif name in types:
        schema = _inlined(types[name])
    else:
        schema = _LIST_OF_COUNTS if isinstance(value, list) else {"type": "integer"}
    return schema | _WORDS.get(name, {})


def _is_list(type_: Any) -> bool:
    return type_ is Cards or get_origin(type_) is tuple


def _inlined(type_: Any) -> Schema:
    """The schema of a field; enums in place, Structs by reference."""
    (schema,), components = msgspec.json.schema_components(
        [type_], schema_hook=SHAPES.__getitem__, ref_template=REFERENCE
    )
    choices = {REFERENCE.format(name=name): part["enum"] for name, part in components.items() if "enum" in part}

    def inlined(part: Schema) -> Schema:
        if part.get("$ref") in choices:
            return {"type": "string", "enum": choices[part["$ref"]]}
        return {"$ref": REFERENCE.format(name=OPTIONS)} if part.get("$ref") == _RULESET else part

    if "anyOf" in schema:
        return {"anyOf": [inlined(part) for part in schema["anyOf"]]}
    return inlined(schema)


def borrowed() -> tuple[type, ...]:
    """The Structs that events refer to."""
    return (Ruleset, Place)


def _recorded() -> Schema:
    """A line of a record: a stored event whole, with its digest (docs/events.md)."""
    (_,), components = msgspec.json.schema_components([Line], ref_template=REFERENCE)
    line: Schema = components["Line"]
    line.pop("title")
    line["properties"] = {name: schema | _WORDS.get(f"line.{name}", {}) for name, schema in line["properties"].items()}
    return line | {"description": "An event whole, hidden cards included, with what proves it."}
