"""Which problem documents a call can answer: what follows from the conventions, and its own codes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from httpapi import catalog, codes
from httpapi.description.calls import Described, Schema, SignIn, phrase
from httpapi.description.headers import header_references, reference, usual_headers
from httpapi.problems import PROBLEM_JSON

_BODY: Final = (
    "invalid_request",
    "malformed_json",
    "body_too_slow",
    "body_too_large",
    "unsupported_media_type",
    "content_encoding_unsupported",
    "too_many_slow_bodies",
)
_KEY: Final = ("idempotency_key_invalid", "idempotency_key_in_progress", "idempotency_key_reused", *_BODY[2:])
_VERSION: Final = ("invalid_header", "version_conflict")
_ALWAYS: Final = ("invalid_request", "bad_request", "unknown_host", "internal_error", "database_away")
_OWN_HEADERS: Final[Mapping[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    412: ("X-Server-Time",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
SHARED: Final = frozenset({401, 405, 408, 413, 415, 422, 429, 500, 503})
"""Statuses whose answer is the same wherever it can come."""


class FieldFault(Struct, frozen=True):
    """One fault of the body, the query or the path."""

    pointer: str
    code: str
    detail: str
    params: dict[str, Any]


class Problem(Struct, frozen=True):
    """Why a call was refused (RFC 9457). Go by `code` and `params`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, Any]
    request_id: str
    errors: list[FieldFault] | UnsetType = UNSET


def fault_codes() -> list[str]:
    """The codes that stand inside `errors`."""
    whole = {code for code, status in codes.PROBLEMS.items() if status == HTTPStatus.BAD_REQUEST}
    bad = (entry.code for entry in catalog.entries() if entry.status == HTTPStatus.BAD_REQUEST)
    return [*(code for code in bad if code not in whole), "malformed_json"]


def problem_codes() -> list[str]:
    """The codes of whole answers."""
    faults = set(fault_codes()) - {"malformed_json"}
    return [entry.code for entry in catalog.entries() if entry.code not in faults]


def codes_of(described: Described) -> list[str]:
    """Every code that a call can answer, in the order of the catalog."""
    call = described.call
    wanted = {*_ALWAYS, *call.codes, *(code for further in described.further for code in further.codes)}
    for applies, more in (
        (described.demands.reads_token, described.sign_in.token),
        (described.demands.scopes, described.sign_in.scope),
        (described.counted, ("too_many_requests",)),
        (described.takes_key, _KEY),
        (call.body is not None, _BODY),
        (call.expects_version, _VERSION),
        ("{" in described.path, ("not_found",)),
    ):
        wanted |= set(more) if applies else set()
    if unknown := wanted - set(problem_codes()):
        raise LookupError(f"{call.name}: no problem of the catalog: {sorted(unknown)}")
    return [code for code in problem_codes() if code in wanted]


def refusals(described: Described) -> dict[str, Schema]:
    """The refusals of a call by status."""
    by_status: defaultdict[int, list[str]] = defaultdict(list)
    for code in codes_of(described):
        by_status[_status(code)].append(code)
    return {str(status): _refusal(described, status, found) for status, found in sorted(by_status.items())}


def _refusal(described: Described, status: int, found: list[str]) -> Schema:
    if status in SHARED and set(found) == set(shared_codes(status, described.sign_in)):
        return reference("responses", shared_name(status))
    headers = (*usual_headers(described), "Content-Language", *_OWN_HEADERS.get(status, ()))
    return answer(status, found, headers, described.call.refusal.get(status, "Problem"), described.call.faults)


def answer(
    status: int, found: Iterable[str], headers: tuple[str, ...], base: str = "Problem", faults: Iterable[str] = ()
) -> Schema:
    """A refusal with these codes."""
    found = list(found)
    shown = [*found, *faults] if status == HTTPStatus.BAD_REQUEST else found
    return {
        "description": f"{phrase(status)}: " + ", ".join(f"`{code}`" for code in found),
        "headers": header_references(headers),
        "content": {
            PROBLEM_JSON: {
                "schema": {
                    "allOf": [
                        reference("schemas", base),
                        {
                            "type": "object",
                            "properties": {"code": {"type": "string", "enum": found}},
                        },
                    ]
                },
                "examples": {code: reference("examples", code) for code in shown},
            }
        },
    }


def shared_codes(status: int, sign_in: SignIn) -> list[str]:
    """The codes of an answer that is the same wherever it can come."""
    if status == HTTPStatus.UNAUTHORIZED:
        return list(sign_in.token)
    return [code for code in problem_codes() if _status(code) == status]


def shared_name(status: int) -> str:
    """The name of a shared answer among the components."""
    return phrase(status).replace(" ", "")


def shared_answers(sign_in: SignIn) -> dict[str, Schema]:
    """The components of answers that are the same wherever they can come."""
    usual = ("X-Request-ID", "Cache-Control", "Vary", "RateLimit-Policy", "RateLimit", "Content-Language")
    return {
        shared_name(status): answer(status, shared_codes(status, sign_in), (*usual, *_OWN_HEADERS.get(status, ())))
        for status in sorted(SHARED)
    }


def _status(code: str) -> int:
    entry = catalog.find(code)
    if entry is None:
        raise LookupError(code)
    return entry.status


def narrowed(components: dict[str, Schema]) -> None:
    """Let Problem and FieldFault list their codes."""
    components["Problem"]["properties"]["code"]["enum"] = problem_codes()
    components["FieldFault"]["properties"]["code"]["enum"] = sorted(set(fault_codes()))


TYPES: Final[tuple[Any, ...]] = (Problem,)
