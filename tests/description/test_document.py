"""The description is valid, complete and true to the code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any, Final, get_args

import jsonschema_rs
import openapi_pydantic
import openapi_spec_validator
import pytest
import yaml
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.api.requests import MOVE_BODY
from games.engine.events import KINDS
from httpapi import catalog
from taki_project import description
from tests.description import conformity

Json = dict[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
# They show the description itself.
SHOWING_IT: Final = {"/api/schema", "/api/docs"}
# Codes that no call can be made to answer here: ours to fear, or only under other settings.
NEVER_SEEN: Final = {
    "unauthenticated",
    "forbidden",
    "conflict",
    "idempotency_key_in_progress",
    "internal_error",
    "database_away",
    "body_too_slow",
    "too_many_slow_bodies",
    "password_entirely_numeric",
    "table_too_large",
}


def document() -> Json:
    return description.document()


def operations() -> Iterator[tuple[str, str, Json]]:
    """Every operation with its path and method."""
    for path, methods in document()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


# --- valid ---------------------------------------------------------------------------------------


def test_a_first_validator_accepts_it() -> None:
    openapi_spec_validator.validate(document())


def test_a_second_validator_accepts_it_by_the_schema_of_openapi_itself() -> None:
    rules = resources.files("openapi_spec_validator") / "resources/schemas/v3.1/schema.json"
    faults = list(jsonschema_rs.Draft202012Validator(json.loads(rules.read_text())).iter_errors(document()))
    assert faults == []


def test_a_third_reader_finds_every_part_in_its_place() -> None:
    read = openapi_pydantic.parse_obj(document())
    assert len(read.paths or ()) == len(document()["paths"])


@pytest.mark.parametrize("name", sorted(document()["components"]["schemas"]))
def test_every_shape_is_json_schema(name: str) -> None:
    jsonschema_rs.meta.validate(document()["components"]["schemas"][name])


def test_every_reference_leads_somewhere() -> None:
    for kind, name in description.REFERENCE.findall(description.as_json().decode()):
        assert name in document()["components"][kind], f"{kind}/{name}"


# --- complete ------------------------------------------------------------------------------------


def routes(patterns: list[Any], prefix: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address under /api/ with its view."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and path.startswith("/api/"):
            yield (
                path.replace("<str:", "{").replace("<uuid:", "{").replace("<int:", "{").replace(">", "}"),
                pattern.callback,
            )


def test_every_route_is_described_and_every_described_route_exists() -> None:
    existing = {
        (path, method)
        for path, view in routes(get_resolver("taki_project.urls").url_patterns)
        if path not in SHOWING_IT
        for method in METHODS
        if hasattr(view.view_class, method)
    }
    assert {(path, method) for path, method, _ in operations()} == existing


def test_every_operation_has_a_name_of_its_own_a_tag_and_words() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in document()["tags"]}
    for _, _, operation in operations():
        assert operation["summary"]
        assert operation["description"]
        assert set(operation["tags"]) <= tags


def test_every_field_and_parameter_is_explained() -> None:
    schemas = document()["components"]["schemas"]
    silent = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).items()
        if not part.get("description")
    ]
    silent += [
        f"{name}.data.{field}"
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).get("data", {}).get("properties", {}).items()
        if not part.get("description")
    ]
    silent += [
        f"{path} {part['name']}"
        for path, _, operation in operations()
        for part in map(conformity.resolved, operation["parameters"])
        if not part.get("description")
    ]
    assert silent == [], "say in the words.yaml of the app (events: games/event_words.yaml) what these are for"


def test_every_code_of_the_catalog_occurs_with_an_example() -> None:
    codes = {entry.code for entry in catalog.entries()}
    problem, fault = (document()["components"]["schemas"][name] for name in ("Problem", "FieldFault"))
    listed = {*problem["properties"]["code"]["enum"], *fault["properties"]["code"]["enum"]}
    assert listed == codes
    assert document()["components"]["examples"].keys() == codes


def test_every_code_comes_from_some_call() -> None:
    answered = {
        code
        for response in [
            *(
                conformity.resolved(each)
                for _, _, operation in operations()
                for each in operation["responses"].values()
            ),
            *document()["components"]["responses"].values(),
        ]
        for media in response.get("content", {}).values()
        for code in media.get("examples", {})
    }
    general = {entry.code for entry in catalog.entries()} - answered
    faults = set(document()["components"]["schemas"]["FieldFault"]["properties"]["code"]["enum"])
    assert general - faults <= NEVER_SEEN


def test_every_code_that_can_be_seen_has_a_real_example() -> None:
    recorded = {example.code for example in description.BOOK.examples.all}
    recorded |= {
        fault["code"]
        for example in description.BOOK.examples.all
        if example.code
        for fault in example.answer.get("errors", ())
    }
    assert {entry.code for entry in catalog.entries()} - recorded == NEVER_SEEN


def test_every_command_has_an_example() -> None:
    examples = document()["paths"]["/api/v1/games/{game_id}/moves"]["post"]["requestBody"]["content"]
    shown = {example["value"]["type"] for example in examples["application/json"]["examples"].values()}
    assert shown == {body.__struct_config__.tag for body in get_args(MOVE_BODY)}


def test_every_answer_with_a_body_has_an_example() -> None:
    without = [
        f"{operation['operationId']} {status} {media}"
        for _, _, operation in operations()
        for status, response in operation["responses"].items()
        for media, content in conformity.resolved(response).get("content", {}).items()
        if not content.get("examples")
    ]
    assert without == []


def test_every_body_asked_for_has_an_example_unless_it_is_empty() -> None:
    without = []
    for _, _, operation in operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            empty = content["schema"].get("$ref", "").endswith("/Nothing")
            if not empty and "examples" not in content:
                without.append(operation["operationId"])
    assert without == []


def test_every_kind_of_event_is_described() -> None:
    mapping = document()["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    assert mapping.keys() == {kind for kind, _ in KINDS.values()}


# --- true ----------------------------------------------------------------------------------------


def test_every_example_keeps_to_its_shape() -> None:
    for _, _, operation in operations():
        asked = operation.get("requestBody", {}).get("content", {})
        contents = [*asked.values()]
        for response in operation["responses"].values():
            contents += conformity.resolved(response).get("content", {}).values()
        for content in contents:
            validator = conformity.validator(content["schema"])
            for name, example in content.get("examples", {}).items():
                faults = [fault.message for fault in validator.iter_errors(conformity.resolved(example)["value"])]
                assert faults == [], f"{operation['operationId']} {name}"


def test_no_example_of_a_running_game_shows_a_card_of_somebody_else() -> None:
    for example in description.BOOK.examples.all:
        told = example.answer or {}
        view = told["game"] if isinstance(told.get("game"), dict) else told
        # The past of a finished game may be seen whole.
        if view.get("status") != "running" or "seat=all" in example.query:
            continue
        own = (view.get("you") or {}).get("seat")
        assert "whole" not in view, example.name
        for event in told.get("events", ()):
            hidden = event["kind"] in {"hand_dealt", "cards_drawn", "deck_shuffled", "pile_reshuffled"}
            assert not hidden or event["seat"] == own or "cards" not in event["data"], example.name


def test_examples_of_refusals_in_a_game_name_the_rule() -> None:
    for example in description.BOOK.examples.all:
        if example.call == "move" and example.status == 409 and example.code != "game_not_running":
            assert example.answer["params"]["rule"], example.name
            assert "legal_moves" in example.answer


def test_yaml_says_the_same_as_json() -> None:
    by_query = Client().get("/api/schema?format=yaml")
    by_accept = Client().get("/api/schema", headers={"Accept": "application/yaml"})
    assert by_query.headers["Content-Type"] == "application/yaml"
    assert by_query.content == by_accept.content
    assert yaml.safe_load(by_query.content) == Client().get("/api/schema").json() == document()


def test_who_holds_the_description_need_not_fetch_it_again() -> None:
    first = Client().get("/api/schema")
    again = Client().get("/api/schema", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().post("/api/schema").json()["code"] == "method_not_allowed"
