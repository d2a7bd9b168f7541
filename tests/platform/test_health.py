"""What a load balancer is told."""

import pytest
from django.test import Client


def test_a_living_process_says_so_without_asking_the_database() -> None:
    answer = Client().get("/health/live")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_service_with_its_database_is_ready() -> None:
    assert Client().get("/health/ready").status_code == 200
