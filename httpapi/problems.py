"""Refusals as RFC 9457 problem documents: a stable code, texts in the language asked for, never a stack trace."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final

import msgspec
from django.http import HttpRequest, HttpResponse

from httpapi import catalog, languages
from httpapi.answers import ENCODER
from httpapi.request_ids import request_id_of

PROBLEM_JSON: Final = "application/problem+json"
CHALLENGE: Final = 'Bearer realm="api"'
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class FieldError(msgspec.Struct, frozen=True):
    """One fault of a body or query: where (RFC 6901; `/?limit` for a query parameter) and what."""

    pointer: str
    code: str
    params: Mapping[str, object] = msgspec.field(default_factory=dict)


class Problem(Exception):
    """A refusal. `extra` are further members of the document, such as `legal_moves`."""

    status: ClassVar[int] = 400
    always: ClassVar[Mapping[str, str]] = {}  # headers of every refusal of this class
    code: str = "bad_request"

    def __init__(
        self,
        code: str | None = None,
        *,
        params: Mapping[str, object] = _NONE,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] = _NONE,
        extra: Mapping[str, object] = _NONE,
    ) -> None:
        self.code = code or type(self).code
        self.params, self.errors, self.headers, self.extra = dict(params), tuple(errors), dict(headers), dict(extra)
        super().__init__(self.code)


class MalformedRequest(Problem):
    """The request itself is at fault."""

    status = 400
    code = "invalid_request"


class Unauthenticated(Problem):
    """No token, or none that counts."""

    status = 401
    always: ClassVar = {"WWW-Authenticate": CHALLENGE}
    code = "unauthenticated"


class Forbidden(Problem):
    """Not for this caller."""

    status = 403
    code = "forbidden"


class NotFound(Problem):
    """Unknown, or hidden."""

    status = 404
    code = "not_found"


class MethodNotAllowed(Problem):
    """No such method here."""

    status = 405
    code = "method_not_allowed"


class TooSlowBody(Problem):
    """The body did not arrive in time."""

    status = 408
    code = "body_too_slow"


class Conflict(Problem):
    """Refused by the rules or by the present state."""

    status = 409
    code = "conflict"


class VersionConflict(Problem):
    """If-Match names a version that has passed; params must hold the actual `version`."""

    status = 412
    code = "version_conflict"


class TooLarge(Problem):
    """Too long a body."""

    status = 413
    code = "body_too_large"


class UnsupportedMedia(Problem):
    """Not JSON, or compressed."""

    status = 415
    code = "unsupported_media_type"


class KeyReused(Problem):
    """An Idempotency-Key came with another request before."""

    status = 422
    code = "idempotency_key_reused"


class TooManyRequests(Problem):
    """A limit is used up."""

    status = 429
    code = "too_many_requests"


class InternalError(Problem):
    """Our fault."""

    status = 500
    code = "internal_error"


class Unavailable(Problem):
    """The database is away."""

    status = 503
    always: ClassVar = {"Retry-After": "2"}
    code = "database_away"


def invalid_field(pointer: str, code: str, **params: object) -> MalformedRequest:
    """A refusal for one field, found after the body was read."""
    return MalformedRequest(errors=(FieldError(pointer, code, params),))


def invalid_header(header: str, expected: str) -> MalformedRequest:
    """A refusal for a header."""
    return MalformedRequest("invalid_header", params={"header": header, "expected": expected})


def document(problem: Problem, language: str, request_id: str) -> dict[str, object]:
    """The members of the problem document, in the order in which they are sent."""
    members: dict[str, object] = {
        "type": f"/problems/{problem.code}",
        "title": catalog.text(problem.code, language).title,
        "status": problem.status,
        "detail": catalog.detail(problem.code, language, problem.params),
        "code": problem.code,
        "params": problem.params,
        "request_id": request_id,
    }
    if problem.errors:
        members["errors"] = [_fault(error, language) for error in problem.errors]
    return {**members, **problem.extra}


def _fault(error: FieldError, language: str) -> dict[str, object]:
    return {
        "pointer": error.pointer,
        "code": error.code,
        "detail": catalog.detail(error.code, language, error.params),
        "params": error.params,
    }


def response(problem: Problem, request: HttpRequest) -> HttpResponse:
    """The refusal as an answer to this request."""
    language = languages.asked_for(request)
    body = ENCODER.encode(document(problem, language, request_id_of(request)))
    headers = {"Content-Language": language, **problem.always, **problem.headers}
    return HttpResponse(body, status=problem.status, content_type=PROBLEM_JSON, headers=headers)
