"""The comparison that the tests make with every answer finds what is not described."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from httpapi.middleware import VARY
from tests.description import conformity

ROOT = {"name": "taki", "version": 1, "links": {"rules": "/api/v1/rules"}}
HEADERS = {"Cache-Control": "private, no-cache", "Vary": VARY}


def answered(body: Any, status: int = 200, kind: str = "application/json", request_id: str = "a") -> HttpResponse:
    headers = HEADERS | {"X-Request-ID": request_id}
    return HttpResponse(json.dumps(body), status=status, content_type=kind, headers=headers)


def test_an_answer_as_described_passes() -> None:
    conformity.check("GET", "/api/v1/", answered(ROOT))


@pytest.mark.parametrize(
    "answer",
    [
        answered(ROOT, 202),
        answered(ROOT, kind="text/plain"),
        answered(ROOT | {"secret": 1}),
        answered(ROOT | {"version": "1"}),
        answered({"name": "taki", "links": {}}),
        answered(ROOT, request_id="not an id"),
        HttpResponse(json.dumps(ROOT), content_type="application/json"),
    ],
    ids=["status", "type", "another member", "wrong type", "missing member", "bad header", "missing header"],
)
def test_an_answer_that_differs_is_found(answer: HttpResponse) -> None:
    with pytest.raises(conformity.NotDescribed):
        conformity.check("GET", "/api/v1/", answer)


def test_addresses_outside_of_the_description_are_left_alone() -> None:
    conformity.check("GET", "/health/live", answered({}))
    assert conformity.operation_of("GET", "/api/v1/games/join") is None
    found = conformity.operation_of("POST", "/api/v1/games/join")
    assert found is not None
    assert found[0] == "joinByCode"
