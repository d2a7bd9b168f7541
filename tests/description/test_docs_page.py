"""The page that shows the description loads nothing from anywhere else."""

from __future__ import annotations

import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.test import Client


def test_the_page_names_no_other_place_and_its_policy_allows_none() -> None:
    answer = Client().get("/api/docs")
    addresses = re.findall(r'(?:src|href|data-description)="([^"]+)"', answer.content.decode())
    assert len(addresses) >= 6
    assert all(address.startswith("/") and not address.startswith("//") for address in addresses)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {value for rule in policy.values() for value in rule.split()} == {"'none'", "'self'", "data:"}
    assert "<style" not in answer.content.decode()
    assert not re.search(r"<script(?![^>]*src=)", answer.content.decode())


def test_everything_the_page_loads_is_there() -> None:
    page = Client().get("/api/docs").content.decode()
    for address in re.findall(r'(?:src|href)="/static/([^"]+)"', page):
        found = finders.find(address)
        assert isinstance(found, str), address
        assert Path(found).stat().st_size > 0
    assert Client().get("/api/schema").status_code == 200


def test_the_first_page_leads_to_it() -> None:
    assert Client().get("/api/v1/").json()["links"]["documentation"] == "/api/docs"
    assert 'href="/api/docs"' in Client().get("/").content.decode()
