"""What bad bodies and queries get: a code and a place, and never more."""

import msgspec
import pytest

from httpapi.parsing import decode, uuid_or_404
from httpapi.problems import MalformedRequest, NotFound
from tests.httpapi.calls import call
from tests.httpapi.urls import Body

pytestmark = pytest.mark.urls("tests.httpapi.urls")


class Inner(msgspec.Struct):
    needed: int


class Outer(msgspec.Struct):
    inner: Inner


FAULTY = {
    b'{"colour": 1}': ("/colour", "unknown_field"),
    b'{"nested": {"a/b~c": 1}}': ("/nested/a~1b~0c", "unknown_field"),
    b'{"number": 1, "number": 1}': ("/number", "duplicate_field"),
    b'{"number": 1, "\\u006eumber": 1}': ("/number", "duplicate_field"),
    b'{"anything": [{"a": 1}, {"b": 1, "b": 2}]}': ("/anything/1/b", "duplicate_field"),
    b'{"number": "1"}': ("/number", "wrong_type"),
    b'{"number": 1.5}': ("/number", "wrong_type"),
    b'{"number": true}': ("/number", "wrong_type"),
    b'{"number": null}': ("/number", "wrong_type"),
    b'{"nested": {"numbers": [1, "2"]}}': ("/nested/numbers/1", "wrong_type"),
    b'{"nested": {"numbers": [1, 10]}}': ("/nested/numbers/1", "out_of_range"),
    b'{"number": 1e999}': ("/number", "out_of_range"),
    b'{"text": "a"}': ("/text", "too_short"),
    b'{"text": "abcdefghijk"}': ("/text", "too_long"),
    b'{"word": "A"}': ("/word", "wrong_pattern"),
    b'{"choice": "x"}': ("/choice", "invalid_value"),
    b'{"text": "a\\u0000b"}': ("/text", "nul_character"),
    b'{"anything": {"a": ["b", "\\u0000"]}}': ("/anything/a/1", "nul_character"),
    b'{"anything": {"a\\u0000": 1}}': ("/anything/a\x00", "nul_character"),
    b'{"text": "\\ud83d"}': ("/text", "lone_surrogate"),
    b'{"text": "\\ude00 later"}': ("/text", "lone_surrogate"),
    b'{"anything": ["\\ud83d\\ude00", "\\ud83dx"]}': ("/anything/1", "lone_surrogate"),
    b"[]": ("", "wrong_type"),
    b"null": ("", "wrong_type"),
    b'"text"': ("", "wrong_type"),
    b'{"anything": ' + b"[" * 5000 + b"]" * 5000 + b"}": ("", "nested_too_deeply"),
}
MALFORMED = {
    b"{": 1,
    b'{"number": 1,}': 13,
    b'{"number": 1} x': 15,
    b"{'number': 1}": 1,
    b'{"number": NaN}': 11,
    b'{"text": "a\nb"}': 11,
    b'{"text": "\xff"}': 10,
    b'\xef\xbb\xbf{"number": 1}': 0,
    b'{"text": "\xed\xa0\x80"}': 10,
    b"\x00": 0,
}


@pytest.mark.parametrize("body, fault", FAULTY.items())
def test_a_faulty_field_is_named_by_pointer_and_code(body: bytes, fault: tuple[str, str]) -> None:
    call("POST", "/api/test/echo", body).faulty(*fault)


@pytest.mark.parametrize("body, byte", MALFORMED.items())
def test_malformed_json_is_refused_with_the_place_where_reading_stopped(body: bytes, byte: int) -> None:
    document = call("POST", "/api/test/echo", body).refused(400, "malformed_json")
    assert document["params"] == {"byte": byte}
    assert [(error["pointer"], error["code"]) for error in document["errors"]] == [("", "malformed_json")]


def test_a_backslash_before_u0000_is_only_text() -> None:
    assert call("POST", "/api/test/echo", rb'{"text": "a\\u0000b"}').ok()["text"] == r"a\u0000b"


def test_whole_surrogate_pairs_are_characters() -> None:
    assert call("POST", "/api/test/echo", b'{"text": "\\ud83d\\ude00!"}').ok()["text"] == "😀!"


def test_a_missing_field_is_named() -> None:
    with pytest.raises(MalformedRequest) as refusal:
        decode(b'{"inner": {}}', Outer)
    assert [(error.pointer, error.code) for error in refusal.value.errors] == [("/inner/needed", "missing_field")]


def test_a_field_named_like_a_place_is_still_an_unknown_field() -> None:
    document = call("POST", "/api/test/echo", b'{"x` - at `$.text": 1}').refused(400, "invalid_request")
    assert document["errors"][0]["code"] == "unknown_field"


def test_an_absent_body_counts_as_an_empty_object() -> None:
    assert call("POST", "/api/test/echo").ok()["text"] == "none"


def test_numbers_too_long_for_any_machine_are_refused() -> None:
    for number in (b"9" * 5000, b"1e999"):
        fault = call("POST", "/api/test/echo", b'{"number": ' + number + b"}").faulty("/number", "out_of_range")
        assert fault["detail"] == "This number is outside its range: -2^63 … 2^64 - 1."


def test_duplicates_are_found_where_fields_are_not_looked_at() -> None:
    with pytest.raises(MalformedRequest) as refusal:
        decode(b'{"anything": {"a": {"b": 1, "c": [], "b": 1}}}', Body)
    assert refusal.value.errors[0].pointer == "/anything/a/b"


@pytest.mark.parametrize(
    "query, fault",
    [
        ("colour=1", ("/?colour", "unknown_field")),
        ("limit=0", ("/?limit", "out_of_range")),
        ("limit=201", ("/?limit", "out_of_range")),
        ("limit=ten", ("/?limit", "wrong_type")),
        ("limit=", ("/?limit", "wrong_type")),
        ("limit=1&limit=2", ("/?limit", "duplicate_field")),
        ("flag=perhaps", ("/?flag", "wrong_type")),
        ("cursor=null", ("/?cursor", "invalid_value")),
        ("flag=NULL", ("/?flag", "invalid_value")),
        ("cursor=a%00b", ("/?cursor", "nul_character")),
        ("a/b=1", ("/?a~1b", "unknown_field")),
    ],
)
def test_a_faulty_parameter_is_named_with_a_question_mark(query: str, fault: tuple[str, str]) -> None:
    call("GET", f"/api/test/echo?{query}").faulty(*fault)


def test_numbers_and_truths_are_read_from_a_query() -> None:
    assert call("GET", "/api/test/echo?number=7&flag=true&limit=200").ok() == {
        "limit": 200,
        "cursor": None,
        "number": 7,
        "flag": True,
    }


def test_hundreds_of_parameters_are_refused() -> None:
    call("GET", "/api/test/echo?" + "&".join(f"a{n}=1" for n in range(300))).refused(400, "bad_request")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "01a22bc1caf770969ac857b3ac132b70",
        "{01a22bc1-caf7-7096-9ac8-57b3ac132b70}",
        "x" * 36,
        "01a22bc1-caf7\n",
    ],
)
def test_what_is_no_id_is_an_unknown_one(text: str) -> None:
    with pytest.raises(NotFound):
        uuid_or_404(text)


def test_ids_are_read_in_either_case() -> None:
    assert uuid_or_404("01A22BC1-CAF7-7096-9AC8-57B3AC132B70").hex == "01a22bc1caf770969ac857b3ac132b70"
