"""Repeats of a POST: one effect, one answer."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from httpapi.models import IdempotencyKey
from tests.httpapi.calls import Answer, call

pytestmark = [pytest.mark.urls("tests.httpapi.urls"), pytest.mark.django_db]
KEY = "a-key-that-is-hard-to-guess-0001"


def post(path: str, body: object, key: str = KEY, **headers: str) -> Answer:
    return call("POST", f"/api/test/{path}", body, idempotency_key=key, **headers)


def test_a_repeat_gets_the_first_answer_byte_for_byte_and_changes_nothing() -> None:
    first, second = post("effect", {"name": "a"}), post("effect", {"name": "a"})
    assert (first.status, first.raw) == (second.status, second.raw)
    assert second.headers["X-Server-Time"] == first.headers["X-Server-Time"]
    assert second.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert Group.objects.count() == 1


def test_a_key_that_an_earlier_release_kept_with_a_whole_fingerprint_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("httpapi.idempotency.Key.kept_fingerprint", property(lambda key: key.fingerprint))
        first = post("effect", {"name": "a"})
    assert len(IdempotencyKey.objects.get().fingerprint) == 32
    assert post("effect", {"name": "a"}).raw == first.raw
    post("effect?x=1", {"name": "a"}).refused(422, "idempotency_key_reused")


def test_without_a_key_every_call_counts() -> None:
    for name in ("a", "b"):
        call("POST", "/api/test/effect", {"name": name}).ok(201)
    assert (Group.objects.count(), IdempotencyKey.objects.count()) == (2, 0)


def test_the_same_key_at_another_address_is_refused() -> None:
    post("effect", {"name": "a"}).ok(201)
    post("refused", {"name": "a"}).refused(422, "idempotency_key_reused")


def test_the_same_key_with_another_query_is_refused() -> None:
    post("effect", {"name": "a"}).ok(201)
    post("effect?x=1", {"name": "a"}).refused(422, "idempotency_key_reused")


def test_without_an_account_another_body_is_another_call() -> None:
    post("effect", {"name": "a"}).ok(201)
    post("effect", {"name": "b"}).ok(201)
    assert Group.objects.count() == 2


def test_a_refused_call_leaves_nothing_and_is_judged_anew() -> None:
    post("refused", {"name": "a"}).refused(409, "conflict")
    post("refused", {"name": "a"}).refused(409, "conflict")
    assert (Group.objects.count(), IdempotencyKey.objects.count()) == (0, 0)


def test_a_malformed_call_leaves_nothing() -> None:
    post("effect", b"{").refused(400, "malformed_json")
    assert IdempotencyKey.objects.count() == 0


@pytest.mark.parametrize("key", ["short", "x" * 21, "x" * 256, "x" * 30 + "\x7f", "é" * 30, ""])
def test_a_key_that_could_be_guessed_or_not_be_printed_is_refused(key: str) -> None:
    refusal = post("effect", {"name": "a"}, key=key).refused(400, "idempotency_key_invalid")
    assert refusal["params"] == {"shortest": 22, "longest": 255}


def test_the_key_is_judged_before_the_body() -> None:
    post("effect", b"{", key="short").refused(400, "idempotency_key_invalid")


@pytest.mark.parametrize(
    "key", ["x" * 22, "x" * 255, "with spaces and ~!@#$%^&*()", '"c0ffee00-0000-4000-8000-000000000000"']
)
def test_every_printable_key_is_taken(key: str) -> None:
    assert post("effect", {"name": "a"}, key=key).raw == post("effect", {"name": "a"}, key=key).raw


def test_an_answer_lost_after_the_commit_is_given_by_the_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[bytes] = []

    def cut(request: Any, response: Any) -> None:
        lost.append(response.content)
        raise ConnectionResetError("the caller is gone")

    with monkeypatch.context() as patch:
        patch.setattr("httpapi.middleware._add_headers", cut)
        assert post("effect", {"name": "a"}).status == 500
    repeat = post("effect", {"name": "a"})
    assert (repeat.raw, repeat.headers["Idempotent-Replayed"]) == (lost[0], "true")
    assert Group.objects.count() == 1


def test_the_key_and_the_answer_cannot_be_read_in_the_database() -> None:
    post("effect", {"name": "visible-name"}).ok(201)
    row = IdempotencyKey.objects.get()
    kept = bytes(row.scope_key) + bytes(row.fingerprint) + bytes(row.sealed or b"")
    assert (len(row.scope_key), len(row.fingerprint)) == (32, 16)
    assert KEY.encode() not in kept
    assert b"visible-name" not in kept
