"""What a token may be used for, and which of it an account may give to its tokens."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Kind(StrEnum):
    """Who an account belongs to."""

    HUMAN = "human"
    GUEST = "guest"
    BOT = "bot"


class Scope(StrEnum):
    """One kind of use."""

    PLAY = "play"
    READ = "read"
    HOST = "host"
    REVIEW = "review"


Scopes = frozenset[Scope]

_OF_KIND: Final = {
    Kind.HUMAN: frozenset({Scope.PLAY, Scope.READ, Scope.HOST}),
    Kind.GUEST: frozenset({Scope.PLAY, Scope.READ}),
    Kind.BOT: frozenset({Scope.PLAY, Scope.READ}),
}


def allowed(kind: Kind, *, may_review: bool) -> Scopes:
    """The scopes that tokens of an account may have; staff approve those who may review."""
    return _OF_KIND[kind] | {Scope.REVIEW} if may_review else _OF_KIND[kind]


@lru_cache(maxsize=256)
def in_force(granted: tuple[str, ...], kind: Kind, *, may_review: bool) -> Scopes:
    """The scopes of a token that count today: an approval that was withdrawn takes them back."""
    return frozenset(Scope(word) for word in granted) & allowed(kind, may_review=may_review)


def ordered(scopes: Iterable[Scope]) -> list[str]:
    """For answers: always in the same order."""
    chosen = frozenset(scopes)
    return [scope.value for scope in Scope if scope in chosen]
