"""What every answer under /api/ carries, and that none of them is ever a page."""

import logging
import re

import pytest
from django.conf import LazySettings

from httpapi.request_ids import RequestIdFilter
from tests.httpapi.calls import Answer, call

pytestmark = pytest.mark.urls("tests.httpapi.urls")

EXPOSED = "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, X-Server-Time, Idempotent-Replayed"


@pytest.mark.parametrize(
    "path", ["/api", "/api/nothing", "/api/v1/nothing", "/api/v1/me/", "/api/test/echo/", "/api/", "/api/%ff%00"]
)
def test_an_unknown_address_is_a_problem_not_a_page(path: str) -> None:
    call("GET", path).refused(404, "not_found")


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/foo", "/favicon.ico", "/api.json", "/.well-known/security.txt"])
@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "image/avif,image/webp,*/*;q=0.8"])
def test_an_unknown_address_outside_the_interface_is_a_problem_too(path: str, accept: str) -> None:
    answer = call("GET", path, accept=accept)
    answer.refused(404, "not_found")
    assert answer.headers["Vary"] == "Accept, Accept-Language"


def test_a_browser_gets_a_page_outside_the_interface_alone() -> None:
    page = call("GET", "/foo", accept=BROWSER)
    assert (page.status, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    call("GET", "/api", accept=BROWSER).refused(404, "not_found")
    call("GET", "/api/nothing", accept=BROWSER).refused(404, "not_found")


@pytest.mark.parametrize("debug", [True, False])
def test_no_page_of_the_framework_shows_under_api(settings: LazySettings, debug: bool) -> None:
    settings.DEBUG = debug
    call("GET", "/api/v1/nothing").refused(404, "not_found")
    call("GET", "/api/test/broken-plain").refused(500, "internal_error")


@pytest.mark.parametrize("path", ["/api/test/broken", "/api/test/broken-plain"])
def test_an_error_of_ours_tells_nothing_of_the_inside(path: str) -> None:
    answer = call("GET", path)
    answer.refused(500, "internal_error")
    assert b"secret" not in answer.raw
    assert b"Traceback" not in answer.raw


def test_what_the_framework_finds_suspicious_is_a_bad_request() -> None:
    answer = call("GET", "/api/test/suspicious")
    answer.refused(400, "bad_request")
    assert b"secret" not in answer.raw


@pytest.mark.parametrize("host", ["evil.example", "a b", "localhost:port", "[::1"])
def test_an_unknown_host_is_refused(host: str) -> None:
    call("GET", "/api/test/echo", host=host).refused(400, "unknown_host")


def test_a_wrong_method_is_refused_with_those_that_are_possible() -> None:
    answer = call("PUT", "/api/test/echo", {})
    assert answer.refused(405, "method_not_allowed")["params"] == {"method": "PUT"}
    assert answer.headers["Allow"] == "GET, HEAD, POST"


def test_a_signed_in_view_without_a_token_asks_for_one() -> None:
    answer = call("GET", "/api/test/signed-in")
    answer.refused(401, "token_missing")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_head_gives_the_headers_of_get_alone() -> None:
    answer = call("HEAD", "/api/test/versioned")
    assert (answer.status, answer.raw, answer.headers["ETag"]) == (200, b"", '"17"')


def test_an_id_of_the_caller_is_kept() -> None:
    assert call("GET", "/api/test/echo", x_request_id="My-request_1.2").headers["X-Request-ID"] == "My-request_1.2"


@pytest.mark.parametrize("offered", ["", "a b", "a" * 65, "né", "a/b", "a\x00"])
def test_an_id_of_another_form_is_replaced(offered: str) -> None:
    made = call("GET", "/api/test/echo", x_request_id=offered).headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{16}", made)


def test_every_request_has_an_id_of_its_own() -> None:
    assert len({call("GET", "/api/test/echo").headers["X-Request-ID"] for _ in range(5)}) == 5


def test_the_id_stands_on_the_log_line_of_the_request_and_of_its_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(RequestIdFilter())
    with caplog.at_level(logging.INFO):
        call("GET", "/api/test/broken-plain?token=hidden", x_request_id="abc")
    lines = {(record.name, record.__dict__["request_id"]) for record in caplog.records}
    assert {("httpapi.requests", "abc"), ("django.request", "abc")} <= lines
    assert "hidden" not in "".join(
        record.getMessage() for record in caplog.records if record.name == "httpapi.requests"
    )


def test_a_path_cannot_forge_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "httpapi.requests"):
        call("GET", "/api/a%0aINFO forged")
    assert all("\n" not in record.getMessage() for record in caplog.records)


def test_pages_of_any_origin_may_read_every_answer() -> None:
    answers = [call("GET", "/api/test/echo", origin="https://a.example"), call("GET", "/api/nothing"), _unknown_host()]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Access-Control-Expose-Headers"] == EXPOSED
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_preflight_is_answered_without_a_token() -> None:
    answer = call(
        "OPTIONS",
        "/api/v1/me",
        origin="https://a.example",
        access_control_request_method="PATCH",
        access_control_request_headers="authorization, idempotency-key",
    )
    assert (answer.status, answer.raw) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "PATCH" in answer.headers["Access-Control-Allow-Methods"]
    allowed = {name.strip().lower() for name in answer.headers["Access-Control-Allow-Headers"].split(",")}
    assert {"authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-request-id"} <= allowed
    assert answer.headers["Access-Control-Max-Age"] == "86400"


def test_options_without_a_preflight_is_a_wrong_method() -> None:
    call("OPTIONS", "/api/test/echo").refused(405, "method_not_allowed")
    call("TRACE", "/api/test/echo?limit=1").refused(405, "method_not_allowed")


def test_the_api_sets_no_cookies() -> None:
    assert not call("GET", "/api/test/echo", cookie="sessionid=1; csrftoken=2").cookies


def test_other_paths_keep_their_pages_and_get_an_id() -> None:
    answer = call("GET", "/nothing", accept=BROWSER)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert answer.headers["X-Request-ID"]


def test_no_cache_between_keeps_an_answer_for_others() -> None:
    headers = call("GET", "/api/test/echo").headers
    assert headers["Cache-Control"] == "private, no-cache"
    assert headers["Vary"] == "Authorization, Accept-Language"


def test_answers_tell_their_length() -> None:
    answer = call("GET", "/api/test/echo")
    assert answer.headers["Content-Length"] == str(len(answer.raw))
    assert "Content-Length" not in call("GET", "/api/test/versioned", if_none_match="17").headers


def _unknown_host() -> Answer:
    return call("GET", "/api/test/echo", host="evil.example")
