"""What a call says of itself: each app writes a chapter beside its views; the book is all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

Schema = dict[str, Any]
JSON: Final = "application/json"


class Reply(Struct, frozen=True, kw_only=True):
    """One answer that is no refusal. `type` is a msgspec type, or the name of a component that a chapter brings."""

    type: Any = None
    text: str
    headers: tuple[str, ...] = ()
    media: str = JSON


class Call(Struct, frozen=True, kw_only=True):
    """One method of one view. What follows from the conventions (token, limits, keys, bodies) is not told here.

    `codes` are its own refusals, `faults` its own codes inside `errors`.
    """

    name: str
    summary: str
    text: str = ""
    body: Any = None
    query: Any = None
    replies: Mapping[int, Reply]
    codes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    takes_key: bool = False
    expects_version: bool = False
    spares_body: bool = False
    refusal: Mapping[int, str] = {}
    """Components that say more than Problem, by status."""

    @property
    def status(self) -> int:
        """The status of its success."""
        return min(self.replies)


Calls = Mapping[tuple[type, str], Call]


class SignIn(Struct, frozen=True):
    """What a call that needs a token, or a scope of it, can be refused with."""

    token: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()


class Further(Struct, frozen=True, kw_only=True):
    """A header that every call at or below a path takes: the parameter, its component's name, and refusals over it."""

    below: str
    name: str
    parameter: Schema
    codes: tuple[str, ...] = ()


class Chapter(Struct, frozen=True, kw_only=True):
    """What one app tells: its calls by view and method, and the words, names and shapes of what they carry.

    `words` is a YAML file {component: {field: text, or JSON Schema keywords}}; `places` are parameters of paths.
    `shapes` are schemas of types that msgspec does not know, `components` are made when the book is;
    `types` are further shapes of answers.
    """

    tag: str
    text: str
    calls: Calls
    words: Path | None = None
    names: Mapping[type, str] = {}
    places: Mapping[str, Schema] = {}
    shapes: Mapping[type, Schema] = {}
    components: Callable[[], Mapping[str, Schema]] = dict
    types: tuple[Any, ...] = ()
    further: tuple[Further, ...] = ()
    sign_in: SignIn = SignIn()


class Demands(Struct, frozen=True):
    """What a view asks of a caller: scopes (None: no token, empty: any), a limit by address.

    `reads_token`: a token is looked at, so a bad one is refused even where none is needed.
    """

    scopes: tuple[str, ...] | None
    reads_token: bool
    limited: bool


class Described(Struct, frozen=True):
    """A call with where it stands and what its view demands."""

    call: Call
    path: str
    method: str
    tag: str
    demands: Demands
    sign_in: SignIn
    further: tuple[Further, ...] = ()

    @property
    def takes_key(self) -> bool:
        """Every POST may be repeated with an Idempotency-Key."""
        return self.method == "POST" or self.call.takes_key

    @property
    def signed_in(self) -> bool:
        """Whether it needs a token."""
        return self.demands.scopes is not None

    @property
    def counted(self) -> bool:
        """Whether it is counted against a limit."""
        return self.demands.reads_token or self.demands.limited


def phrase(status: int) -> str:
    """What HTTP calls a status."""
    return HTTPStatus(status).phrase
