"""One call as an operation of OpenAPI."""

from __future__ import annotations

from typing import Final

from httpapi.description.book import Book
from httpapi.description.calls import JSON, Described, Reply, Schema, phrase
from httpapi.description.headers import header_references, parameters_of, usual_headers
from httpapi.description.refusals import refusals

SCHEME: Final = "bearer"


def operation(book: Book, described: Described) -> Schema:
    """The operation object."""
    call = described.call
    found: Schema = {
        "operationId": call.name,
        "tags": [described.tag],
        "summary": call.summary,
        "description": "\n\n".join(part for part in (call.text, _needs(described)) if part),
        "security": _security(described),
        "parameters": [*_places(book, described), *_query(book, described), *parameters_of(described)],
    }
    if call.body is not None:
        found["requestBody"] = _body(book, described)
    replies = {str(status): _reply(book, described, status, reply) for status, reply in call.replies.items()}
    found["responses"] = replies | refusals(described)
    return found


def _needs(described: Described) -> str:
    scopes = described.demands.scopes
    if scopes is None:
        return "Needs no token." + " One that does not count is refused." * described.demands.reads_token
    if not scopes:
        return "Needs a token, of any scope."
    return "Needs a token with the scope " + " or ".join(f"`{scope}`" for scope in scopes) + "."


def _security(described: Described) -> list[Schema]:
    """Any one of the scopes is enough, so each is an alternative of its own."""
    scopes = described.demands.scopes
    if scopes is None:
        return [{}, {SCHEME: []}] if described.demands.reads_token else []
    return [{SCHEME: [scope]} for scope in scopes] or [{SCHEME: []}]


def _places(book: Book, described: Described) -> list[Schema]:
    names = [part.partition("}")[0] for part in described.path.split("{")[1:]]
    return [{"name": name, "in": "path", "required": True, **book.places[name]} for name in names]


def _query(book: Book, described: Described) -> list[Schema]:
    """The fields of the query's shape, one parameter each; null cannot be written in a query."""
    if described.call.query is None:
        return []
    component = book.schemas[book.asked.of(described.call.query)["$ref"].rpartition("/")[2]]
    required = component.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, **_parameter(schema)}
        for name, schema in component["properties"].items()
    ]


def _parameter(schema: Schema) -> Schema:
    schema = dict(schema)
    words = schema.pop("description", "")
    if "anyOf" in schema:
        schema = {**schema, **next(part for part in schema["anyOf"] if part != {"type": "null"})}
        del schema["anyOf"]
    if schema.get("default", ...) is None:
        del schema["default"]
    return {"description": words, "schema": schema}


def _body(book: Book, described: Described) -> Schema:
    call = described.call
    content: Schema = {"schema": book.asked.of(call.body)}
    if examples := book.examples.asked(call.name):
        content["examples"] = examples
    return {"required": _has_required(book, content["schema"]), "content": {JSON: content}}


def _has_required(book: Book, schema: Schema) -> bool:
    """An absent body counts as `{}`, so it is required only where a field is."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return bool(book.schemas[name].get("required")) if name else True


def _reply(book: Book, described: Described, status: int, reply: Reply) -> Schema:
    names = (*usual_headers(described), *reply.headers)
    if described.takes_key and status // 100 == 2:  # noqa: PLR2004 (the class of success)
        names = (*names, "Idempotent-Replayed")
    found: Schema = {"description": reply.text or phrase(status), "headers": header_references(names)}
    if reply.type is not None:
        content: Schema = {"schema": book.schema_of(reply)}
        if examples := book.examples.answered(described.call.name, status):
            content["examples"] = examples
        found["content"] = {reply.media: content}
    return found
