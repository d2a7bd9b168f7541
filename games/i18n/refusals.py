"""Why something was refused, by code, in the form in which the catalog of problems reads it."""

from functools import cache
from typing import Final

from msgspec import Struct

from games.i18n.texts import LOCALE, read, read_english

ERRORS: Final = LOCALE / "errors"
"""For `httpapi.catalog.register`."""


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """What a code says: a title that never varies and a detail with {placeholders} for parameters."""

    title: str
    detail: str


@cache
def error_texts(language: str) -> dict[str, Message]:
    """Give the texts of every code, in English where the language lacks one."""
    shape = dict[str, Message]
    return read_english("errors", shape) | (read("errors", language, shape) or {})
