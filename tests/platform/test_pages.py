"""The pages that lead a newcomer on."""

import re

import pytest
from django.test import Client


def test_the_first_page_and_the_root_of_the_interface_lead_to_the_same_places() -> None:
    page = Client().get("/").content.decode()
    links = Client().get("/api/v1/").json()["links"]
    assert set(links.values()) <= set(re.findall(r'href="([^"]+)"', page))


@pytest.mark.django_db
def test_every_link_of_the_first_page_leads_somewhere() -> None:
    for address in re.findall(r'href="([^"]+)"', Client().get("/").content.decode()):
        # Some are for callers with a token or for POST alone: they answer, and know what they are.
        assert Client().get(address).status_code in {200, 302, 401, 405}, address


@pytest.mark.parametrize("name", ["../pyproject.toml", "..%2fmanage.py", "nothing.md", "adr"])
def test_documents_lead_nowhere_else(name: str) -> None:
    assert Client().get(f"/docs/{name}").status_code == 404
