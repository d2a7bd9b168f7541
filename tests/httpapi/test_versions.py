"""Versions in headers."""

import pytest

from tests.httpapi.calls import call

pytestmark = pytest.mark.urls("tests.httpapi.urls")


@pytest.mark.parametrize("tag", ["17", '"17"', 'W/"17"', '"16", W/"17"', '"abc", "17"'])
def test_a_reader_who_has_the_version_gets_304(tag: str) -> None:
    answer = call("GET", "/api/test/versioned", if_none_match=tag)
    assert (answer.status, answer.raw) == (304, b"")
    assert answer.headers["ETag"] == '"17"'
    assert "Content-Type" not in answer.headers
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("tag", ["16", '"170"', "abc", '"17', "", "*", "９"])
def test_any_other_tag_gets_the_whole_answer(tag: str) -> None:
    assert call("GET", "/api/test/versioned", if_none_match=tag).ok() == {"version": 17}


@pytest.mark.parametrize("tag", ["17", '"17"', 'W/"17"', ' "17" '])
def test_a_writer_states_a_version_in_three_ways(tag: str) -> None:
    assert call("POST", "/api/test/versioned", if_match=tag).ok() == {"expected": 17}


def test_a_writer_may_state_none() -> None:
    assert call("POST", "/api/test/versioned").ok() == {"expected": None}
    assert call("POST", "/api/test/versioned", if_match="*").ok() == {"expected": None}


@pytest.mark.parametrize("tag", ["", " ", "abc", "-1", "1.5", '"17", "18"', "w/17", "1" * 40])
def test_a_writer_with_an_unreadable_version_is_refused(tag: str) -> None:
    refusal = call("POST", "/api/test/versioned", if_match=tag).refused(400, "invalid_header")
    assert refusal["params"]["header"] == "If-Match"
