"""Which answer an exception gets: refusals theirs, faults of the request 4xx, the database away 503, all else 500."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

import psycopg
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from rest_framework import exceptions as drf

from httpapi import hangs, problems
from httpapi.bodies import LIMIT
from httpapi.problems import Problem

log: Final = logging.getLogger("httpapi")

_DATABASE_AWAY: Final = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)


def answer(error: Exception, request: HttpRequest) -> HttpResponse | None:
    """The answer for an exception raised while answering this request; None for a fault of ours, to be let rise."""
    problem = _problem_for(error, request)
    return None if problem is None else problems.response(problem, request)


def page(error: Exception) -> HttpResponse | None:
    """The answer on a page for people while the database is away; None for all else."""
    if not isinstance(error, _DATABASE_AWAY):
        return None
    away = _database_away(error)
    words = "The database is away. Please try again in a moment.\n"
    return HttpResponse(words, status=away.status, content_type="text/plain; charset=utf-8", headers=dict(away.headers))


def _problem_for(error: Exception, request: HttpRequest) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, _DATABASE_AWAY):
        return _database_away(error)
    if isinstance(error, drf.MethodNotAllowed):
        return problems.MethodNotAllowed(params={"method": request.method})
    if isinstance(error, RequestDataTooBig):
        return problems.TooLarge(params={"limit": LIMIT})
    return next((make() for types, make in _REFUSALS if isinstance(error, types)), None)


def _database_away(error: Exception) -> Problem:
    """503; the connection is given up, since one that failed is seldom good again."""
    log.error("database away: %s: %s", type(error).__name__, str(error).partition("\n")[0])
    if isinstance(error.__cause__ or error, psycopg.errors.ConnectionTimeout):
        hangs.watch().breaker.failed()
    connection.close()
    return problems.Unavailable()


# The first that fits counts, so the narrower types stand first.
_REFUSALS: Final[tuple[tuple[tuple[type[Exception], ...], Callable[[], Problem]], ...]] = (
    ((Http404, drf.NotFound), problems.NotFound),
    ((drf.NotAuthenticated, drf.AuthenticationFailed), problems.Unauthenticated),
    ((drf.PermissionDenied, PermissionDenied), problems.Forbidden),
    ((drf.UnsupportedMediaType,), problems.UnsupportedMedia),
    ((DisallowedHost,), partial(problems.MalformedRequest, "unknown_host")),
    ((SuspiciousOperation, UnreadablePostError, drf.APIException), partial(problems.MalformedRequest, "bad_request")),
)
