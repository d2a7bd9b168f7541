"""The description of the whole service: its chapters, made into one document when it is first asked for."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from drf_spectacular.generators import SchemaGenerator

from accounts.api.described import CHAPTER as ACCOUNTS
from games.api.checkpoint_described import CHAPTER as CHECKPOINTS
from games.api.described import CHAPTER as GAMES
from games.api.sandbox_described import CHAPTER as SANDBOX
from httpapi.description.book import Book
from httpapi.description.calls import Schema
from httpapi.description.examples import Examples
from httpapi.description.inspector import ToldSchema
from httpapi.description.operations import SCHEME
from httpapi.problems import PROBLEM_JSON
from taki_project.described import CHAPTER as SERVICE
from tournaments.api.described import CHAPTER as TOURNAMENTS

BOOK: Final = Book(
    (ACCOUNTS, GAMES, TOURNAMENTS, CHECKPOINTS, SANDBOX, SERVICE), Examples(Path(__file__).with_name("examples.json"))
)
REFERENCE: Final = re.compile(r'"#/components/([a-zA-Z]+)/([^"]+)"')


class TakiSchema(ToldSchema):
    """How drf-spectacular reads the views of this service."""

    book: ClassVar[Book] = BOOK


@cache
def document() -> dict[str, Any]:
    """The whole description."""
    made: dict[str, Any] = SchemaGenerator(urlconf="taki_project.urls").get_schema(public=True)  # type: ignore[no-untyped-call]
    return made


@cache
def as_json() -> bytes:
    """The description as it is answered."""
    return msgspec.json.encode(document())


@cache
def as_yaml() -> bytes:
    """The same as YAML."""
    return msgspec.yaml.encode(document())


def complete(result: Schema, **_: object) -> Schema:
    """Add the components to what drf-spectacular made, those that nothing refers to apart."""
    result["tags"] = [{"name": chapter.tag, "description": chapter.text} for chapter in BOOK.chapters]
    components = BOOK.components()
    components["schemas"] |= _named_refusals(result["paths"])
    used = _reachable(result, components)
    result["components"] = {
        kind: {name: part for name, part in parts.items() if (kind, name) in used} for kind, parts in components.items()
    }
    result["components"]["securitySchemes"] = {
        SCHEME: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "taki_ and 49 letters and digits",
            "description": "A token from `POST /players`, `POST /players/guest` or `POST /tokens`. It is shown once, expires, can be "
            "listed and revoked, and carries scopes: `play`, `read`, `host`, `review`.",
        }
    }
    return result


def _named_refusals(paths: Schema) -> dict[str, Schema]:
    """Give the shapes of refusals names, equal ones the same, so that generators of clients make each once."""
    names: dict[bytes, str] = {}
    shapes: dict[str, Schema] = {}
    for operation in (operation for methods in paths.values() for operation in methods.values()):
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get(PROBLEM_JSON)
            if content is None:
                continue
            own_name = f"{operation['operationId'][0].upper()}{operation['operationId'][1:]}Refused{status}"
            name = names.setdefault(msgspec.json.encode(content["schema"]), own_name)
            shapes.setdefault(name, content["schema"])
            content["schema"] = {"$ref": f"#/components/schemas/{name}"}
    return shapes


def _reachable(result: Schema, components: dict[str, Schema]) -> set[tuple[str, str]]:
    """Every component that the paths refer to, and those that these refer to."""
    found: set[tuple[str, str]] = set()
    waiting: list[Any] = [result["paths"], components["responses"], components["examples"]]
    found |= {(kind, name) for kind in ("responses", "examples") for name in components[kind]}
    while waiting:
        for kind, name in REFERENCE.findall(msgspec.json.encode(waiting.pop()).decode()):
            if (kind, name) not in found:
                found.add((kind, name))
                waiting.append(components[kind][name])
    return found
