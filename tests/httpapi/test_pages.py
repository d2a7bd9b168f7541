"""The page behind the type of a problem."""

import pytest

from httpapi import catalog
from tests.httpapi.calls import call


@pytest.mark.parametrize("code", [entry.code for entry in catalog.entries()])
def test_every_code_has_a_page(code: str) -> None:
    answer = call("GET", f"/problems/{code}", accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert answer.status == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert f'<code dir="ltr">{code}</code>' in answer.raw.decode()


def test_programs_get_json() -> None:
    assert call("GET", "/problems/not_found", accept="application/json").ok() == {
        "code": "not_found",
        "status": 404,
        "title": "Not found",
        "detail": "There is nothing here, or it is not for you to see.",
    }
    assert call("GET", "/problems/not_found", accept="*/*").ok()["code"] == "not_found"


def test_the_page_speaks_the_language_asked_for_in_its_direction() -> None:
    answer = call("GET", "/problems/not_found", accept="text/html", accept_language="he")
    assert 'lang="he" dir="rtl"' in answer.raw.decode()
    assert "לא נמצא" in answer.raw.decode()
    assert answer.headers["Content-Language"] == "he"


def test_placeholders_and_brackets_are_only_text_on_the_page() -> None:
    assert "Bearer &lt;token&gt;" in call("GET", "/problems/token_missing", accept="text/html").raw.decode()


def test_an_unknown_code_has_none() -> None:
    call("GET", "/problems/no-such-code").refused(404, "not_found")
