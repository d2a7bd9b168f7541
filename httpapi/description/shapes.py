"""Structs as JSON Schema: msgspec's, completed with words, formats and what is always there in an answer."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET, Struct

from httpapi.description.calls import Schema

Words = Mapping[str, Mapping[str, Any]]
ALL: Final = "*"
"""Words under this name are said of every component that has the field and none of its own."""

REFERENCE: Final = "#/components/schemas/{name}"
_OLD: Final = re.compile(r"#/components/schemas/(.+)")


class Shapes:
    """The components that some types need; `of` gives the schema of each."""

    def __init__(self, types: Iterable[Any], names: Mapping[type, str], custom: Mapping[type, Schema]) -> None:
        self._types = list(types)
        self._structs = _structs_in(self._types)
        self._known = names
        self._names = {struct.__name__: names.get(struct, struct.__name__) for struct in self._structs}
        self._custom = custom
        schemas, components = msgspec.json.schema_components(
            self._types, schema_hook=self._hook, ref_template=REFERENCE
        )
        self._schemas = [self._tidied(schema) for schema in schemas]
        self.components: dict[str, Schema] = {
            self._names.get(name, name): self._tidied(schema) for name, schema in components.items()
        }

    def of(self, type_: Any) -> Schema:
        """The schema of one of the types."""
        found: Schema = self._schemas[self._types.index(type_)]
        return found

    def always_there(self) -> None:
        """Make these shapes those of answers: every field is sent, those that may be left out apart."""
        for struct in self._structs:
            component = self.components[self._names[struct.__name__]]
            component["required"] = _always_sent(struct)
            for schema in component["properties"].values():
                schema.pop("default", None)

    def lineage(self) -> dict[str, tuple[str, ...]]:
        """The names of the Structs that each component extends, the nearest first."""
        return {
            self._names[struct.__name__]: tuple(
                self._known.get(base, base.__name__) for base in struct.__mro__[1:] if issubclass(base, Struct)
            )
            for struct in self._structs
        }

    def _hook(self, type_: type) -> Schema:
        found = self._custom.get(type_)
        if found is None:
            raise NotImplementedError
        return dict(found)

    def _tidied(self, schema: Any) -> Any:
        """References by our names, no class names as titles, a type beside each list of choices."""
        if isinstance(schema, list):
            return [self._tidied(each) for each in schema]
        if isinstance(schema, str):
            found = _OLD.fullmatch(schema)
            return REFERENCE.format(name=self._names.get(found[1], found[1])) if found else schema
        if not isinstance(schema, dict):
            return schema
        tidied = {name: self._tidied(value) for name, value in schema.items()}
        if isinstance(tidied.get("title"), str):
            del tidied["title"]
        if "enum" in tidied and all(isinstance(choice, str) for choice in tidied["enum"]):
            tidied = {"type": "string", **tidied}
        if tidied.get("required") == []:
            del tidied["required"]
        return tidied


def _structs_in(types: Iterable[Any]) -> list[type[Struct]]:
    """Every Struct that these types are made of."""
    found: dict[type[Struct], None] = {}
    waiting = list(types)
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, Struct):
            if each not in found:
                found[each] = None
                waiting += [field.type for field in msgspec.structs.fields(each)]
        else:
            waiting += [part for part in get_args(each) if not isinstance(part, str | int)]
    return list(found)


def _always_sent(struct: type[Struct]) -> list[str]:
    leaves_out = struct.__struct_config__.omit_defaults
    sent = [
        field.encode_name
        for field in msgspec.structs.fields(struct)
        if field.default is not UNSET and not (leaves_out and not field.required)
    ]
    tag = struct.__struct_config__.tag_field
    return [tag, *sent] if tag else sent


def worded(components: dict[str, Schema], words: Words, lineage: Mapping[str, Sequence[str]]) -> None:
    """Put the words of fields into their components: its own, those of the Structs it extends, those said of all.

    LookupError for words about what is not there.
    """
    if idle := words.keys() - components.keys() - {name for names in lineage.values() for name in names} - {ALL}:
        raise LookupError(f"there is no {sorted(idle)} to say anything about")
    for name, component in components.items():
        sources = [words.get(source, {}) for source in (name, *lineage.get(name, ()))]
        said = ChainMap(*map(dict, sources))
        properties = component.get("properties", {})
        if idle := words.get(name, {}).keys() - properties.keys():
            raise LookupError(f"{name} has no {sorted(idle)} to say anything about")
        for field, schema in properties.items():
            keywords = said.get(field) or ("description" not in schema and words.get(ALL, {}).get(field)) or {}
            properties[field] = _merged(schema, {"description": keywords} if isinstance(keywords, str) else keywords)


def _merged(schema: Schema, keywords: Mapping[str, Any]) -> Schema:
    """Keywords about a value belong where its type stands: into the one part that is not null, or the items."""
    outer = {name: value for name, value in keywords.items() if name in {"description", "$ref", "items"}}
    inner = {name: value for name, value in keywords.items() if name not in outer}
    if "$ref" in outer:
        nullable = {"type": "null"} in schema.get("anyOf", ())
        schema = {"anyOf": [{"$ref": outer.pop("$ref")}, {"type": "null"}]} if nullable else {"$ref": outer.pop("$ref")}
    parts = schema.get("anyOf", ())
    if inner and len(parts) > 1 and {"type": "null"} in parts:
        schema = schema | {"anyOf": [part if part == {"type": "null"} else part | inner for part in parts]}
        return schema | outer
    return schema | inner | outer
