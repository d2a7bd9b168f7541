"""Accounts under races, on real threads and connections."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Player, Token
from tests.accounts.people import PASSWORD, Person, anyone, guest
from tests.httpapi.calls import Answer

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_ten_who_want_a_name_one_gets_it() -> None:
    barrier = threading.Barrier(10)

    def contender(number: int) -> Answer:
        barrier.wait()
        try:
            return anyone("POST", "players", {"username": "noa", "password": PASSWORD, "display_name": f"N {number}"})
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(contender, range(10)))
    assert Counter(answer.status for answer in answers) == {201: 1, 409: 9}
    for answer in answers:
        if answer.status == 409:
            answer.refused(409, "username_taken")
    assert (Player.objects.count(), Token.objects.count()) == (1, 1)


def test_a_guest_upgraded_from_ten_devices_at_once_is_upgraded_once() -> None:
    player = guest().player
    people = [Person(player) for _ in range(10)]
    barrier = threading.Barrier(10)

    def contender(number: int) -> Answer:
        barrier.wait()
        try:
            return people[number].post("me/upgrade", {"username": f"noa-{number}", "password": PASSWORD})
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(contender, range(10)))
    assert Counter(answer.status for answer in answers) == {200: 1, 409: 9}
    (winner,) = [answer.body for answer in answers if answer.status == 200]
    assert Player.objects.get().username == winner["username"]
