"""Accounts as tests need them, made by the services."""

from collections.abc import Callable
from itertools import count
from typing import ClassVar, Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from accounts.models import Player
from accounts.requests import OpenGuest, SignUp
from accounts.scopes import Scope
from accounts.services import registration, tokens
from tests.httpapi.calls import Answer, Json, call

PASSWORD: Final = "correct horse battery"
_NUMBER: Final = count(1)


class CountedHasher(PBKDF2PasswordHasher):
    """Counts how often it is asked for the costly part."""

    iterations = 1
    hashes: ClassVar[int] = 0

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        CountedHasher.hashes += 1
        return super().encode(password, salt, iterations)


class SlowedHasher(CountedHasher):
    """Lets something happen while a password is being compared."""

    meanwhile: ClassVar[Callable[[], object]] = staticmethod(lambda: None)

    def verify(self, password: str, encoded: str) -> bool:
        found = super().verify(password, encoded)
        SlowedHasher.meanwhile()
        return found


class Person:
    """Somebody with an account and a token."""

    def __init__(self, player: Player, scopes: tuple[str, ...] | None = None) -> None:
        chosen = None if scopes is None else [Scope(scope) for scope in scopes]
        issued = tokens.issue(player, chosen)
        self.player, self.token, self.token_id = player, issued.text, issued.row.id

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        return call(method, f"/api/v1/{path}", body, self.token, **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def patch(self, path: str, body: object) -> Answer:
        return self.call("PATCH", path, body)

    def delete(self, path: str) -> Answer:
        return self.call("DELETE", path)

    def me(self) -> Json:
        return self.get("me").ok()


def human(username: str | None = None, scopes: tuple[str, ...] | None = None) -> Person:
    """A person with a password."""
    name = username or f"somebody-{next(_NUMBER)}"
    return Person(registration.sign_up(SignUp(name, PASSWORD, display_name="Noa", birth_year=1990), "en"), scopes)


def guest() -> Person:
    """A guest."""
    return Person(registration.open_guest(OpenGuest(), "en"))


def anyone(method: str, path: str, body: object = None, **headers: str) -> Answer:
    """A call without a token."""
    return call(method, f"/api/v1/{path}", body, **headers)
