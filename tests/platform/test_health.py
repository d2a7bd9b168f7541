"""What a load balancer is told."""

import pytest
from django.db import connection
from django.test import Client


def test_a_living_process_says_so_without_asking_the_database() -> None:
    answer = Client().get("/health/live")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_service_with_its_database_is_ready() -> None:
    assert Client().get("/health/ready").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_service_without_its_database_is_not_ready_and_says_when_to_ask_again() -> None:
    connection.close()
    host, connection.settings_dict["HOST"] = connection.settings_dict["HOST"], "/nowhere"
    try:
        answer = Client().get("/health/ready")
    finally:
        connection.close()
        connection.settings_dict["HOST"] = host
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
