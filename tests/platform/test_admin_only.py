"""Sessions and forms exist for the admin alone."""

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.test import Client

from httpapi import counts

PASSWORD = "four blue cards"


@pytest.fixture
def boss(db: None) -> Client:
    get_user_model().objects.create_superuser(username="boss", password=PASSWORD)
    return Client(enforce_csrf_checks=True)


def test_whoever_signs_in_to_the_admin_gets_a_session(boss: Client) -> None:
    boss.get("/admin/login/")
    form = {"username": "boss", "password": PASSWORD, "csrfmiddlewaretoken": boss.cookies["csrftoken"].value}
    assert boss.post("/admin/login/", form).status_code == 302
    page = boss.get("/admin/")
    assert page.status_code == 200
    assert page.headers["X-Frame-Options"] == "DENY"


@pytest.mark.usefixtures("redis_client")
def test_tries_to_sign_in_are_counted_by_address(boss: Client, settings: LazySettings) -> None:
    counts.shared.cache_clear()
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"sign_in": "2/300"}
    boss.get("/admin/login/")
    form = {"username": "boss", "password": "wrong", "csrfmiddlewaretoken": boss.cookies["csrftoken"].value}
    assert [boss.post("/admin/login/", form).status_code for _ in range(3)] == [200, 200, 429]
    refusal = boss.post("/admin/login/", form | {"password": PASSWORD})
    assert refusal.status_code == 429
    assert int(refusal.headers["Retry-After"]) > 0
    assert boss.get("/admin/login/").status_code == 200


def test_a_form_without_its_token_is_refused(boss: Client) -> None:
    assert boss.post("/admin/login/", {"username": "boss", "password": PASSWORD}).status_code == 403


def test_the_interface_knows_no_cookie(boss: Client) -> None:
    answer = boss.get("/api/v1/rules")
    assert answer.status_code == 200
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
