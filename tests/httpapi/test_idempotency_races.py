"""Repeats that meet the first while it is at work, and crashes at any point of it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from httpapi.models import IdempotencyKey
from tests.databases import Connection
from tests.httpapi.calls import Answer, call
from tests.httpapi.urls import Work

pytestmark = [pytest.mark.urls("tests.httpapi.urls"), pytest.mark.django_db(transaction=True)]


def post(path: str, body: object) -> Answer:
    return call("POST", f"/api/test/{path}", body, idempotency_key="a-key-that-is-hard-to-guess-0001")


def in_a_thread(path: str, body: object) -> Answer:
    try:
        return post(path, body)
    finally:
        connection.close()


def test_while_the_first_is_at_work_a_repeat_is_told_to_wait() -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(in_a_thread, "slow", {"name": "a"})
        assert Work.inside.wait(60)
        answer = post("slow", {"name": "a"})
        Work.go_on.set()
        assert first.result().status == 201
    answer.refused(409, "idempotency_key_in_progress")
    assert answer.headers["Retry-After"] == "1"
    assert post("slow", {"name": "a"}).headers["Idempotent-Replayed"] == "true"


def test_of_ten_at_once_one_takes_effect_and_the_others_wait_or_get_its_answer() -> None:
    barrier = threading.Barrier(10)

    def contender(_: int) -> Answer:
        barrier.wait()
        return in_a_thread("effect", {"name": "a"})

    for _ in range(5):
        Group.objects.all().delete()
        IdempotencyKey.objects.all().delete()
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(contender, range(10)))
        assert Group.objects.count() == 1
        done = [answer for answer in answers if answer.status == 201]
        assert len({answer.raw for answer in done}) == 1
        assert sum("Idempotent-Replayed" not in answer.headers for answer in done) == 1
        for answer in answers:
            if answer.status != 201:
                answer.refused(409, "idempotency_key_in_progress")


def test_a_crash_before_the_commit_leaves_neither_effect_nor_key() -> None:
    post("cut", {"name": "a"}).refused(503, "database_away")
    assert (Group.objects.count(), IdempotencyKey.objects.count()) == (0, 0)
    Work.go_on.set()
    post("cut", {"name": "a"}).ok(201)
    assert Group.objects.count() == 1


def test_a_crash_of_the_server_leaves_no_lock_behind(superuser: Connection) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(in_a_thread, "slow", {"name": "a"})
        assert Work.inside.wait(60)
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND state = 'idle in transaction'"
        )
        Work.go_on.set()
        first.result().refused(503, "database_away")
    post("slow", {"name": "a"}).ok(201)
    assert Group.objects.count() == 1
