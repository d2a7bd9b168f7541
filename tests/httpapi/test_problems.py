"""The form of a refusal."""

import json
from typing import cast

import pytest
from django.test import RequestFactory

from httpapi import problems
from httpapi.languages import LANGUAGES
from httpapi.problems import Conflict, FieldError, MalformedRequest, Unavailable
from tests.httpapi.calls import call

pytestmark = pytest.mark.urls("tests.httpapi.urls")

TITLES = {
    "en": "Not found",
    "he": "לא נמצא",
    "gd": "Cha deach a lorg",
    "cy": "Heb ei ganfod",
    "lv": "Nav atrasts",
    "ms": "Tidak dijumpai",
    "mn": "Олдсонгүй",
}


def test_a_refusal_has_the_members_of_the_standard_and_ours_in_a_fixed_order() -> None:
    document = call("POST", "/api/test/refused", {"name": "a"}).refused(409, "conflict")
    assert list(document) == ["type", "title", "status", "detail", "code", "params", "request_id", "legal_moves"]
    assert document["params"] == {"reason": "because"}
    assert document["legal_moves"] == [1, 2]


def test_what_is_added_to_one_refusal_stands_in_no_other() -> None:
    given: dict[str, object] = {"a": 1}
    first, fault = Conflict(extra=given), FieldError("/a", "unknown_field")
    for particulars in (first.params, first.headers, first.extra, fault.params):
        cast("dict[str, object]", particulars)["b"] = 2
    second = Conflict()
    assert (second.params, second.headers, second.extra) == ({}, {}, {})
    assert FieldError("/b", "missing_field").params == {}
    assert given == {"a": 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_follow_the_language_asked_for_and_the_code_does_not(language: str) -> None:
    answer = call("GET", "/api/nothing", accept_language=f"de, {language};q=0.5")
    assert answer.refused(404, "not_found")["title"] == TITLES[language]
    assert answer.headers["Content-Language"] == language


def test_a_fault_has_pointer_code_detail_and_params() -> None:
    fault = call("GET", "/api/test/echo?limit=500").faulty("/?limit", "out_of_range")
    assert fault == {
        "pointer": "/?limit",
        "code": "out_of_range",
        "detail": "This number is outside its range: <= 200.",
        "params": {"bound": "<= 200"},
    }


def test_faults_are_told_in_the_language_too() -> None:
    answer = call("GET", "/api/test/echo?limit=500", accept_language="cy")
    assert answer.faulty("/?limit", "out_of_range")["detail"] == "Mae'r rhif hwn y tu allan i'w ystod: <= 200."


def test_lists_among_the_params_are_read_out_in_the_detail() -> None:
    request = RequestFactory().get("/")
    response = problems.response(MalformedRequest("invalid_header", params={"header": ["A", "B"]}), request)
    assert "A, B" in json.loads(response.content)["detail"]


def test_several_faults_are_all_told() -> None:
    refusal = MalformedRequest(errors=[FieldError("/a", "unknown_field"), FieldError("/b", "missing_field")])
    document = problems.document(refusal, "en", "id")
    assert [fault["pointer"] for fault in document["errors"]] == ["/a", "/b"]  # type: ignore[attr-defined]


def test_headers_of_a_refusal_are_sent() -> None:
    response = problems.response(Unavailable(headers={"Retry-After": "2"}), RequestFactory().get("/"))
    assert response.headers["Retry-After"] == "2"


def test_a_refusal_names_its_code_when_it_is_read_in_a_log() -> None:
    assert str(Conflict("version_conflict")) == "version_conflict"
