"""Whether an answer is one that the description tells of: status, headers, type and body, nothing more and nothing less."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import jsonschema_rs

from taki_project import description

Json = dict[str, Any]
_REFERENCE: Final = "#/components/"


class NotDescribed(AssertionError):
    """An answer outside the description."""


def check(method: str, path: str, answer: Any) -> None:
    """Compare an answer of Django's test client with the description; paths outside of it are nobody's business."""
    path = path.partition("?")[0]
    found = operation_of(method, path)
    if found is None:
        return
    name, operation = found
    response = operation["responses"].get(str(answer.status_code))
    told = f"{method} {path} ({name}): {answer.status_code}"
    if response is None:
        raise NotDescribed(f"{told} is not described: {answer.content[:300]!r}")
    response = resolved(response)
    _check_headers(told, response.get("headers", {}), answer.headers)
    _check_body(told, (name, str(answer.status_code)), response.get("content", {}), answer)


def operation_of(method: str, path: str) -> tuple[str, Json] | None:
    """The operation that a call is; HEAD is answered like GET but without a body, so it is left out."""
    for pattern, template in _templates():
        if pattern.fullmatch(path):
            operation = description.document()["paths"][template].get(method.lower())
            return None if operation is None else (operation["operationId"], operation)
    return None


@cache
def _templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Paths as patterns, those without parameters first."""
    paths = sorted(description.document()["paths"], key=lambda path: path.count("{"))
    return tuple((re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), path) for path in paths)


def resolved(part: Json) -> Json:
    """What a reference leads to."""
    while "$ref" in part and len(part) == 1:
        kind, name = part["$ref"].removeprefix(_REFERENCE).split("/")
        part = description.document()["components"][kind][name]
    return part


def _check_headers(told: str, headers: Json, given: Mapping[str, str]) -> None:
    for name, reference in headers.items():
        header = resolved(reference)
        if name not in given:
            if header.get("required"):
                raise NotDescribed(f"{told}: lacks the header {name}")
            continue
        schema, value = header["schema"], given[name]
        read: Any = int(value) if schema["type"] == "integer" and value.isdecimal() else value
        if not jsonschema_rs.is_valid(schema, read):
            raise NotDescribed(f"{told}: {name}: {value}")


def _check_body(told: str, key: tuple[str, str], content: Json, answer: Any) -> None:
    media = answer.headers.get("Content-Type", "").partition(";")[0]
    if not content:
        if answer.content:
            raise NotDescribed(f"{told}: has a body and should have none")
        return
    if media not in content:
        raise NotDescribed(f"{told}: is {media} and not {list(content)}")
    for schema, value in _values(key, media, answer.content):
        for error in _validator(*schema).iter_errors(value):
            place = "/".join(map(str, error.instance_path))
            raise NotDescribed(f"{told}: /{place}: {error.message[:500]}")


def _values(key: tuple[str, str], media: str, body: bytes) -> list[tuple[tuple[str, ...], Any]]:
    """The values in a body, each with the schema it must keep to."""
    if media == "application/x-ndjson":
        header, *lines = map(json.loads, body.splitlines())
        return [(("RecordHeader",), header), *((("RecordedEvent",), line) for line in lines)]
    return [((*key, media), json.loads(body) if media.endswith("json") else body.decode())]


@cache
def _validator(*key: str) -> jsonschema_rs.Draft202012Validator:
    """For a component, or for an answer by operation, status and type."""
    if len(key) == 1:
        return validator({"$ref": f"{_REFERENCE}schemas/{key[0]}"})
    name, status, media = key
    operation = next(
        operation
        for methods in description.document()["paths"].values()
        for operation in methods.values()
        if operation["operationId"] == name
    )
    return validator(resolved(operation["responses"][status])["content"][media]["schema"])


def validator(schema: Json) -> jsonschema_rs.Draft202012Validator:
    """A validator that lets no member pass that is not described."""
    return jsonschema_rs.Draft202012Validator(
        {**schema, "components": {"schemas": _closed_schemas()}}, validate_formats=True
    )


@cache
def _closed_schemas() -> Json:
    schemas: Json = copy.deepcopy(description.document()["components"]["schemas"])
    for schema in schemas.values():
        _close(schema)
    return schemas


def _close(schema: Any) -> None:
    if isinstance(schema, list):
        for part in schema:
            _close(part)
    elif isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for name, part in schema.items():
            if name != "allOf":  # its parts know only some of the members
                _close(part)
