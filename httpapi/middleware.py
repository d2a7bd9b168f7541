"""What every call passes through: a request id, CORS, and problems instead of pages."""

import logging
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from httpapi import exception_answers, limits, problems, request_ids
from httpapi.answers import JSON
from httpapi.bodies import LIMIT
from httpapi.pages import wants_a_page
from httpapi.problems import PROBLEM_JSON, Problem

GetResponse = Callable[[HttpRequest], HttpResponseBase]

log: Final = logging.getLogger("httpapi.requests")

EXPOSED: Final = "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, X-Server-Time, Idempotent-Replayed"
ACCEPTED: Final = (
    "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, X-Request-ID, X-Review-Read, X-Sandbox-Fault"
)
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
PREFLIGHT_KEPT_SECONDS: Final = 86_400
VARY: Final = "Authorization, Accept-Language"


def is_for_the_api(request: HttpRequest) -> bool:
    """Whether the path is /api or lies below it."""
    return request.path_info.startswith("/api/") or request.path_info == "/api"


class RequestIdMiddleware:
    """Answers and logs the id of each request."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Through the rest, with the id on every log line meanwhile."""
        request_id = request_ids.request_id_of(request)
        token = request_ids.current.set(request_id)
        began = time.perf_counter()
        try:
            response = self.get_response(request)
            response.headers[request_ids.HEADER] = request_id
            # Django would log each 4xx a second time, outside of the id's reach.
            response.__dict__["_has_been_logged"] = True
            if log.isEnabledFor(logging.INFO):
                took_ms = (time.perf_counter() - began) * 1000
                log.info("%s %s %d %.1f ms", request.method, quote(request.path_info), response.status_code, took_ms)
            return response
        finally:
            request_ids.current.reset(token)


class CorsMiddleware:
    """Lets pages of any origin call the API; cookies play no part in it, so there is nothing to steal."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers preflights, adds the headers to everything else."""
        if not is_for_the_api(request):
            return self.get_response(request)
        if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META:
            return _preflight()
        response = self.get_response(request)
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = EXPOSED
        return response


def _preflight() -> HttpResponse:
    response = HttpResponse(status=204)
    del response.headers["Content-Type"]
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Allow-Methods"] = METHODS
    response.headers["Access-Control-Allow-Headers"] = ACCEPTED
    response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_KEPT_SECONDS)
    return response


class ApiErrorsMiddleware:
    """Problems instead of Django's pages: under /api/ always, elsewhere for whoever does not ask for a page."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Judges the host under /api/, as nobody else does there, then the answer, and adds the headers of every answer."""
        if not is_for_the_api(request):
            return _fitting(request, self.get_response(request))
        response = self._answer(request)
        if response.status_code >= HTTPStatus.BAD_REQUEST and not _speaks_json(response):
            response = _without_page(request, response)
        _add_headers(request, response)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            request.get_host()
        except DisallowedHost:
            return problems.response(problems.MalformedRequest("unknown_host"), request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """The answer to what a view outside Django REST framework raised."""
        return exception_answers.answer(error, request) if is_for_the_api(request) else exception_answers.page(error)


def _fitting(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """An answer outside the API: a browser keeps the page that says what is wrong, anyone else gets the problem."""
    if response.status_code < HTTPStatus.BAD_REQUEST or _speaks_json(response) or wants_a_page(request):
        return response
    problem = _without_page(request, response)
    problem.headers["Vary"] = "Accept, Accept-Language"
    problem.headers["X-Content-Type-Options"] = "nosniff"
    return problem


def _speaks_json(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith((PROBLEM_JSON, JSON))


_BY_STATUS: Final[dict[int, type[Problem]]] = {
    401: problems.Unauthenticated,
    403: problems.Forbidden,
    404: problems.NotFound,
    415: problems.UnsupportedMedia,
    503: problems.Unavailable,
}


def _without_page(request: HttpRequest, page: HttpResponseBase) -> HttpResponse:
    """A problem with the status of a page that Django made; its Allow and Retry-After are kept."""
    kept = {name: page.headers[name] for name in ("Allow", "Retry-After") if name in page.headers}
    if page.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        problem: Problem = problems.MethodNotAllowed(params={"method": request.method}, headers=kept)
    elif page.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        problem = problems.TooLarge(params={"limit": LIMIT})
    elif kind := _BY_STATUS.get(page.status_code):
        problem = kind(headers=kept)
    elif page.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        problem = problems.MalformedRequest("bad_request")
    else:
        problem = problems.InternalError()
    return problems.response(problem, request)


_WITHOUT_BODY: Final = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})


def _add_headers(request: HttpRequest, response: HttpResponseBase) -> None:
    headers = response.headers
    headers["Vary"] = VARY
    headers["X-Content-Type-Options"] = "nosniff"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "private, no-cache"
    if isinstance(response, HttpResponse) and response.status_code not in _WITHOUT_BODY:
        headers["Content-Length"] = str(len(response.content))
    limits.add_headers(request, response)
