"""Faults on demand, so that clients can be tried against a bad network: only for calls on sandbox games."""

from __future__ import annotations

import copy
import re
import threading
import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from games import selectors
from httpapi import exception_answers
from httpapi.bodies import body_of
from httpapi.callers import account_of
from httpapi.problems import TooManyRequests, invalid_header

GetResponse = Callable[[HttpRequest], HttpResponseBase]

HEADER: Final = "X-Sandbox-Fault"
LONGEST_DELAY_MS: Final = 2_000
DELAYS_AT_A_TIME: Final = 2
_META: Final = "HTTP_X_SANDBOX_FAULT"
_ON_A_GAME: Final = re.compile(
    r"/api/v1/(?:sandbox/)?games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/.*)?", re.IGNORECASE
)
_DELAY: Final = re.compile(r"delay_ms=(\d{1,4})")
_delays = threading.BoundedSemaphore(DELAYS_AT_A_TIME)


class FaultMiddleware:
    """Obeys X-Sandbox-Fault; a call without that header costs one look into a dictionary."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """As asked for, if the call is about a sandbox game; else as if nothing had been asked."""
        asked = request.META.get(_META)
        if asked is None:
            return self.get_response(request)
        try:
            fault = _fault(asked) if _is_on_sandbox_game(request.path_info) else _none
            return fault(request, self.get_response)
        except Exception as error:
            answer = exception_answers.answer(error, request)
            if answer is None:
                raise
            return answer


Fault = Callable[[HttpRequest, GetResponse], HttpResponseBase]


def _is_on_sandbox_game(path: str) -> bool:
    found = _ON_A_GAME.fullmatch(path)
    return found is not None and selectors.is_sandbox(UUID(found[1]))


def _fault(asked: str) -> Fault:
    if asked in _NAMED:
        return _NAMED[asked]
    delay = _DELAY.fullmatch(asked)
    if delay is None or int(delay[1]) > LONGEST_DELAY_MS:
        raise invalid_header(HEADER, f"drop_answer, duplicate_delivery or delay_ms=0 to {LONGEST_DELAY_MS}")
    return lambda request, get_response: _delayed(request, get_response, int(delay[1]))


def _none(request: HttpRequest, get_response: GetResponse) -> HttpResponseBase:
    return get_response(request)


def _dropped(request: HttpRequest, get_response: GetResponse) -> HttpResponseBase:
    """Do what was asked, then say how long the answer is and give nothing of it: the server cuts the connection."""
    answer = get_response(request)
    if account_of(request) is None:  # no token, no faults
        return answer
    length = len(answer.content) if isinstance(answer, HttpResponse) else 0
    return StreamingHttpResponse(
        iter(()), headers={"Content-Type": "application/json", "Content-Length": str(length or 1)}
    )


def _doubled(request: HttpRequest, get_response: GetResponse) -> HttpResponseBase:
    """Deliver the request once more when it is done, as a network may; the sender hears of the second outcome."""
    body_of(request)
    get_response(copy.copy(request))
    return get_response(request)


def _delayed(request: HttpRequest, get_response: GetResponse, ms: int) -> HttpResponseBase:
    """Do what was asked and keep the answer back; few at a time, for each holds a thread of the server."""
    if not _delays.acquire(blocking=False):
        limit = {"limit": "sandbox_delays", "quota": DELAYS_AT_A_TIME, "window_seconds": LONGEST_DELAY_MS // 1000}
        raise TooManyRequests(
            params=limit | {"retry_after_seconds": LONGEST_DELAY_MS // 1000},
            headers={"Retry-After": str(LONGEST_DELAY_MS // 1000)},
        )
    try:
        answer = get_response(request)
        if account_of(request) is not None:
            time.sleep(ms / 1000)
        return answer
    finally:
        _delays.release()


_NAMED: Final[dict[str, Fault]] = {"drop_answer": _dropped, "duplicate_delivery": _doubled}
