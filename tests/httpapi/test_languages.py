"""Which language an Accept-Language header gets."""

import pytest

from httpapi.languages import negotiate


@pytest.mark.parametrize(
    "header, language",
    [
        ("", "en"),
        ("he", "he"),
        ("HE-il", "he"),
        ("iw", "he"),
        ("de", "en"),
        ("de, cy;q=0.4, lv;q=0.8", "lv"),
        ("cy;q=0.8, lv;q=0.8", "cy"),
        ("mn;q=0, ms;q=0.001", "ms"),
        ("*", "en"),
        ("*;q=0.1, gd;q=0.2", "gd"),
        ("gd;q=2", "en"),
        ("gd;q=x, ms", "ms"),
        (",,;;q=", "en"),
        ("he" * 10_000, "en"),
    ],
)
def test_the_heaviest_language_that_we_have_is_chosen(header: str, language: str) -> None:
    assert negotiate(header) == language
