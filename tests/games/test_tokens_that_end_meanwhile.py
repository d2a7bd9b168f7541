"""A token that ends while the body of its call is on the way does nothing any more."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player, Token
from accounts.requests import ChangeAccount
from accounts.selectors import account
from accounts.services import closing, registration
from games.models import Seat
from httpapi.patience import BRIEF
from httpapi.problems import Unauthenticated
from tests.games.people import Answer, Person, opened, people

pytestmark = pytest.mark.django_db


class Interrupted(io.RawIOBase):
    """A body in the middle of which something happens, for a while."""

    def __init__(self, body: bytes, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self.body, self.meanwhile = io.BytesIO(body), meanwhile
        self.happened = False

    def read(self, size: int = -1) -> bytes:
        if self.body.tell() and not self.happened:
            self.happened = True
            self.meanwhile()
            time.sleep(2 * BRIEF)
        return self.body.read(size)


def send(person: Person, method: str, path: str, asked: dict[str, Any], meanwhile: Callable[[], object]) -> Answer:
    body = json.dumps(asked).encode()
    environment: Any = {"wsgi.input": Interrupted(body, meanwhile)}
    response = Client().generic(
        method,
        f"/api/v1/{path}",
        body,
        "application/json",
        headers={"Authorization": f"Bearer {person.token}"},
        **environment,
    )
    return Answer(response)  # type: ignore[arg-type]  # the client's answer is one


def revoke(person: Person) -> object:
    return Token.objects.filter(player=person.player).update(revoked_at=timezone.now())


def leave(person: Person) -> object:
    return closing.close(person.player.pk)


def stay(person: Person) -> object:
    return account(person.player.pk)


@pytest.mark.parametrize("end", [revoke, leave])
def test_no_seat_is_taken_by_who_has_left_meanwhile(end: Callable[[Person], object]) -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    path = f"games/{game}/join"
    send(guest, "POST", path, {"client_seed": "abc"}, lambda: end(guest)).refused(401, "token_revoked")
    assert not Seat.objects.filter(player=guest.player).exists()


def test_no_seat_is_given_back_with_a_token_that_ended_meanwhile() -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    guest.post(f"games/{game}/join", {}).ok()
    send(guest, "POST", f"games/{game}/leave", {}, lambda: revoke(guest)).refused(401, "token_revoked")
    assert Seat.objects.filter(player=guest.player).exists()


def test_a_name_is_not_put_back_on_an_account_closed_meanwhile() -> None:
    person = people(1)[0]
    send(person, "PATCH", "me", {"display_name": "Noa"}, lambda: leave(person)).refused(401, "token_revoked")
    assert Player.objects.get(pk=person.player.pk).display_name != "Noa"


def test_a_slow_body_with_a_token_that_still_counts_is_taken() -> None:
    host, guest = people(2)
    game = opened(host)["id"]
    send(guest, "POST", f"games/{game}/join", {}, lambda: stay(guest)).ok()


def test_nothing_of_a_closed_account_is_changed_even_past_its_token() -> None:
    person = people(1)[0]
    leave(person)
    with pytest.raises(Unauthenticated, match="token_revoked"):
        registration.change(person.player.pk, ChangeAccount(display_name="Noa"))
