"""Headers of requests and answers: the conventions that hold for every app."""

from __future__ import annotations

from typing import Final

from httpapi.description.calls import Described, Schema
from httpapi.idempotency import LONGEST, SHORTEST_WITHOUT_ACCOUNT
from httpapi.languages import LANGUAGES

_VERSION_TAG: Final = r'^(\*|\d{1,15}|(W/)?"\d{1,15}")$'

# Examples stand in the words: viewers would fill forms with them, and every call tried out would carry a stranger's version.
PARAMETERS: Final[dict[str, Schema]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "Makes the call safe to repeat: the same key with the same request gets the first answer again, byte for "
        "byte, with `Idempotent-Replayed: true`, and changes nothing. A UUID such as `7f9c24e8-3b12-4fef-91e0-56a2d0b1c301` is fine. Kept for 24 hours at least.",
        "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": r"^[\x20-\x7e]+$"},
    },
    "AnonymousIdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "As on every `POST`. Without an account the key counts together with the whole body and must be hard to "
        f"guess: at least {SHORTEST_WITHOUT_ACCOUNT} characters.",
        "schema": {
            "type": "string",
            "minLength": SHORTEST_WITHOUT_ACCOUNT,
            "maxLength": LONGEST,
            "pattern": r"^[\x20-\x7e]+$",
        },
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": 'The version this write is meant for: `17`, `"17"` and `W/"17"` mean the same. If the game has moved on: '
        "412 with the events missed.",
        "schema": {"type": "string", "pattern": _VERSION_TAG},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The version held already; if it is still the present one, the answer is 304 without a body.",
        "schema": {"type": "string"},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": f"The language of texts: {', '.join(LANGUAGES)}; for instance `he, en;q=0.5`. Codes never change.",
        "schema": {"type": "string", "default": "en"},
    },
    "RequestId": {
        "name": "X-Request-ID",
        "in": "header",
        "required": False,
        "description": "An id of yours for this call: answered, logged, and stored with each event. Any other text than "
        "`[A-Za-z0-9._-]{1,64}` is replaced.",
        "schema": {"type": "string"},
    },
}


def _text(words: str, **schema: object) -> Schema:
    return {"description": words, "schema": {"type": "string", **schema}}


def _sure(header: Schema) -> Schema:
    return {**header, "required": True}


HEADERS: Final[dict[str, Schema]] = {
    "X-Request-ID": _sure(_text("The id of this call, yours or one made for it.", pattern="^[A-Za-z0-9._-]{1,64}$")),
    "Cache-Control": _sure(_text("`private, no-cache`, or `no-store` for an answer that holds a secret.")),
    "Vary": _sure(_text("What the answer depends on besides the address.")),
    "ETag": _sure(_text('The version of what is shown, as `"17"`.', pattern=r'^"\d+"$')),
    "X-Server-Time": _sure(_text("The database's clock, UTC.", format="date-time")),
    "Retry-After": _sure(
        {"description": "Seconds after which to try again.", "schema": {"type": "integer", "minimum": 0}}
    ),
    "RateLimit-Policy": _text(
        'The quotas that this call was counted against, as `"account";q=6000;w=60`: q calls in w seconds.'
    ),
    "RateLimit": _text('Where you stand, as `"account";r=5999;t=41`: r calls left, whole again in t seconds.'),
    "Idempotent-Replayed": _text("`true` on a repeat, else absent.", enum=["true"]),
    "Location": _sure(_text("The address of what was made.", format="uri-reference")),
    "Content-Language": _sure(_text("The language of the texts.", enum=list(LANGUAGES))),
    "WWW-Authenticate": _sure(_text("How to sign in (RFC 6750).", pattern="^Bearer ")),
    "Allow": _sure(_text("The methods that exist here.")),
    "Content-Disposition": _sure(_text("A name for the file.")),
    "Content-Security-Policy": _sure(_text("What the page may load: nothing from elsewhere.")),
}


def reference(kind: str, name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": f"#/components/{kind}/{name}"}


def header_references(names: tuple[str, ...]) -> Schema:
    """Headers of an answer by name."""
    return {name: reference("headers", name) for name in names}


def parameters_of(described: Described) -> list[Schema]:
    """The headers that a call takes, by reference."""
    names = []
    if described.takes_key:
        names.append("IdempotencyKey" if described.signed_in else "AnonymousIdempotencyKey")
    if described.call.expects_version:
        names.append("IfMatch")
    if described.call.spares_body:
        names.append("IfNoneMatch")
    names += [further.name for further in described.further]
    return [reference("parameters", name) for name in [*names, "AcceptLanguage", "RequestId"]]


def usual_headers(described: Described) -> tuple[str, ...]:
    """What every answer to a call carries."""
    counted = ("RateLimit-Policy", "RateLimit") if described.counted else ()
    return ("X-Request-ID", "Cache-Control", "Vary", *counted)
