"""The seven languages of texts and the choice among them by Accept-Language."""

import re
from functools import lru_cache
from typing import Final

from django.http import HttpRequest

ENGLISH: Final = "en"
LANGUAGES: Final = ("en", "he", "gd", "cy", "lv", "ms", "mn")

# Codes under which browsers still ask for a language that has a newer code.
_OLDER_CODES: Final = {"iw": "he", "zsm": "ms", "khk": "mn"}
_RANGE: Final = re.compile(r"([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]+)?(?:\s*;\s*q=([01](?:\.\d{0,3})?))?\Z")
_LONGEST_HEADER: Final = 500


def asked_for(request: HttpRequest) -> str:
    """The language of texts in the answer to this request."""
    return negotiate(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))


@lru_cache(maxsize=512)
def negotiate(accept_language: str) -> str:
    """The best of LANGUAGES for an Accept-Language header (RFC 9110, 12.5.4); English when it names none of them."""
    best, best_weight = ENGLISH, 0.0
    for part in accept_language[:_LONGEST_HEADER].split(","):
        language, weight = _read_range(part.strip())
        if language is not None and weight > best_weight:
            best, best_weight = language, weight
    return best


def _read_range(text: str) -> tuple[str | None, float]:
    found = _RANGE.match(text)
    if found is None:
        return None, 0.0
    name = found[1].lower()
    language = ENGLISH if name == "*" else _OLDER_CODES.get(name, name)
    return (language if language in LANGUAGES else None), float(found[2] or 1)
