"""Lists page by page."""

import pytest
from django.contrib.auth.models import Group

from tests.httpapi.calls import call

pytestmark = [pytest.mark.urls("tests.httpapi.urls"), pytest.mark.django_db]
PATH = "/api/test/numbers"


@pytest.fixture
def seven() -> list[str]:
    """The names of seven rows, newest first."""
    names = [f"row {number}" for number in range(7)]
    for name in names:
        Group.objects.create(name=name)
    return names[::-1]


def walk(path: str | None, way: str) -> list[list[str]]:
    pages = []
    while path is not None:
        page = call("GET", path).ok()
        pages.append(page["results"])
        path = page[way]
    return pages


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8, 200])
def test_the_pages_together_are_the_list(seven: list[str], limit: int) -> None:
    pages = walk(f"{PATH}?limit={limit}", "next")
    assert [name for page in pages for name in page] == seven
    assert all(len(page) == limit for page in pages[:-1])


def test_back_again_gives_the_same_pages(seven: list[str]) -> None:
    second = call("GET", call("GET", f"{PATH}?limit=2").ok()["next"]).ok()
    third = call("GET", second["next"]).ok()
    assert call("GET", third["previous"]).ok()["results"] == second["results"]
    back = walk(third["previous"], "previous")
    assert back == [seven[2:4], seven[0:2]]


def test_the_first_page_has_no_previous_and_the_last_no_next(seven: list[str]) -> None:
    first = call("GET", f"{PATH}?limit=4").ok()
    last = call("GET", first["next"]).ok()
    assert (first["previous"], last["next"]) == (None, None)


def test_rows_added_meanwhile_shift_nothing(seven: list[str]) -> None:
    first = call("GET", f"{PATH}?limit=3").ok()
    Group.objects.create(name="newest")
    second = call("GET", first["next"]).ok()
    assert second["results"] == seven[3:6]
    again = call("GET", second["previous"]).ok()
    assert again["results"] == seven[:3]
    assert call("GET", again["previous"]).ok()["results"] == ["newest"]


def test_an_empty_list_is_one_empty_page() -> None:
    assert call("GET", PATH).ok() == {"results": [], "next": None, "previous": None}


def test_other_parameters_stay_in_the_links(seven: list[str]) -> None:
    assert call("GET", f"{PATH}?limit=2").ok()["next"].startswith(f"{PATH}?limit=2&cursor=")


@pytest.mark.parametrize("cursor", ["x", "%00", "é", "kg", "a" * 400, "gqFhAQ", "kpHDAQ"])
def test_an_invented_cursor_is_refused(cursor: str) -> None:
    call("GET", f"{PATH}?cursor={cursor}").refused(400, "invalid_request")
