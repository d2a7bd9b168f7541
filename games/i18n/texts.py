"""The folder of texts: one folder for each kind, one file in it for each language."""

from pathlib import Path
from typing import Final, TypeVar

import msgspec

ENGLISH: Final = "en"
LANGUAGES: Final = ("en", "he", "gd", "cy", "lv", "ms", "mn")
LOCALE: Final = Path(__file__).parent.parent / "locale"

Shape = TypeVar("Shape")


class UnknownLanguage(LookupError):
    """A language that is none of LANGUAGES."""


def read(kind: str, language: str, shape: type[Shape]) -> Shape | None:
    """Read the texts of one kind in one language; None where the language has none of this kind."""
    if language not in LANGUAGES:
        raise UnknownLanguage(language)
    path = LOCALE / kind / f"{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=shape) if path.exists() else None


def read_english(kind: str, shape: type[Shape]) -> Shape:
    """Read the English texts of one kind, which are always there."""
    return msgspec.json.decode((LOCALE / kind / f"{ENGLISH}.json").read_bytes(), type=shape)
