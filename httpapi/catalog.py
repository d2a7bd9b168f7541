"""Every error code with its status and its texts in seven languages; other apps register theirs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from httpapi.languages import ENGLISH, LANGUAGES


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a code says: a title that never varies and a detail with {placeholders} for parameters."""

    title: str
    detail: str


class Entry(msgspec.Struct, frozen=True):
    """One code: the HTTP status it comes with and its texts by language, English always among them."""

    code: str
    status: int
    texts: Mapping[str, Text]


class _Blanks(dict[str, object]):
    """Parameters for a template; a missing one leaves its placeholder standing, since a text must never fail."""

    def __getitem__(self, name: str) -> object:
        value = super().__getitem__(name)
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def __missing__(self, name: str) -> str:
        return "{" + name + "}"


_READER: Final = msgspec.json.Decoder(dict[str, Text])
_ENTRIES: Final[dict[str, Entry]] = {}


def register(folder: Path, statuses: Mapping[str, int]) -> None:
    """Add codes whose texts stand in `folder`/<language>.json as {code: {"title", "detail"}}.

    A code without an English text, or one that stands there without a status, stops the start of the service.
    """
    texts = {language: _read(folder / f"{language}.json") for language in LANGUAGES}
    if difference := texts[ENGLISH].keys() ^ statuses.keys():
        raise LookupError(f"{folder}: codes with only a status or only a text: {sorted(difference)}")
    for code, status in statuses.items():
        in_each = {language: known[code] for language, known in texts.items() if code in known}
        _ENTRIES[code] = Entry(code=code, status=status, texts=in_each)


def _read(path: Path) -> dict[str, Text]:
    return _READER.decode(path.read_bytes()) if path.exists() else {}


def find(code: str) -> Entry | None:
    """The entry of a code, if it is registered."""
    return _ENTRIES.get(code)


def entries() -> tuple[Entry, ...]:
    """All entries, by status and code."""
    return tuple(sorted(_ENTRIES.values(), key=lambda entry: (entry.status, entry.code)))


def text(code: str, language: str) -> Text:
    """The texts of a code in a language, in English where that language lacks it."""
    entry = _ENTRIES[code]
    return entry.texts.get(language) or entry.texts[ENGLISH]


def detail(code: str, language: str, params: Mapping[str, object]) -> str:
    """The detail of a code with its placeholders filled."""
    return text(code, language).detail.format_map(_Blanks(params))
