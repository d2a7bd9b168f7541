"""Bodies too large, compressed, of another type, or without a length."""

import gzip
import io

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory

from httpapi.bodies import LIMIT, body_of
from httpapi.problems import MalformedRequest, TooLarge
from tests.httpapi.calls import call

pytestmark = pytest.mark.urls("tests.httpapi.urls")


class Stream(io.BytesIO):
    """A body that remembers how much of it was read."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.taken = 0

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        self.taken += len(piece)
        return piece


def chunked(stream: Stream) -> WSGIRequest:
    """A request whose body comes in chunks: it has no Content-Length."""
    environ = RequestFactory().post("/api/test/echo", content_type="application/json").environ
    del environ["CONTENT_LENGTH"]
    return WSGIRequest(environ | {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": stream})


def test_a_body_up_to_the_limit_is_read() -> None:
    body = b'{"text": "abc"}' + b" " * (LIMIT - 15)
    assert call("POST", "/api/test/echo", body).ok()["text"] == "abc"


def test_a_longer_body_is_refused_by_its_length_alone() -> None:
    answer = call("POST", "/api/test/echo", b" " * (LIMIT + 1))
    assert answer.refused(413, "body_too_large")["params"] == {"limit": LIMIT}


def test_two_megabytes_are_refused_unread() -> None:
    stream = Stream(b"x" * 2_000_000)
    environ = RequestFactory().post("/", content_type="application/json").environ
    request = WSGIRequest(environ | {"CONTENT_LENGTH": "2000000", "wsgi.input": stream})
    with pytest.raises(TooLarge):
        body_of(request)
    assert stream.taken == 0


@pytest.mark.parametrize("length", ["-1", "abc", "1e9", "9" * 40])
def test_a_length_that_is_no_reasonable_number_is_refused(length: str) -> None:
    environ = RequestFactory().post("/", content_type="application/json").environ
    request = WSGIRequest(environ | {"CONTENT_LENGTH": "0"})
    request.META["CONTENT_LENGTH"] = length
    with pytest.raises(TooLarge):
        body_of(request)


def test_a_body_in_chunks_is_read_though_it_has_no_length() -> None:
    assert body_of(chunked(Stream(b'{"text": "abc"}'))) == b'{"text": "abc"}'


def test_a_body_in_chunks_of_which_nothing_came_does_not_count_as_absent() -> None:
    with pytest.raises(MalformedRequest) as refused:
        body_of(chunked(Stream(b"")))
    assert (refused.value.code, refused.value.headers) == ("bad_request", {"Connection": "close"})


def test_a_body_in_chunks_is_read_no_further_than_the_limit() -> None:
    stream = Stream(b"x" * 2_000_000)
    with pytest.raises(TooLarge):
        body_of(chunked(stream))
    assert stream.taken == LIMIT + 1


def test_a_compressed_body_is_refused_unopened() -> None:
    bomb = gzip.compress(b" " * 1_000_000)
    call("POST", "/api/test/echo", bomb, content_encoding="gzip").refused(415, "content_encoding_unsupported")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "json"]
)
def test_another_type_is_refused(content_type: str) -> None:
    call("POST", "/api/test/echo", b"{}", content_type=content_type).refused(415, "unsupported_media_type")


@pytest.mark.parametrize(
    "content_type", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
def test_json_is_taken_however_it_is_spelled(content_type: str) -> None:
    call("POST", "/api/test/echo", b"{}", content_type=content_type).ok()


def test_serializers_get_bodies_under_the_same_rules() -> None:
    assert call("POST", "/api/test/framework", {"a": 1}).ok() == {"got": {"a": 1}}
    call("POST", "/api/test/framework", b'{"a": 1, "a": 2}').faulty("/a", "duplicate_field")
    call("POST", "/api/test/framework", b"x=1", content_type="text/plain").refused(415, "unsupported_media_type")
