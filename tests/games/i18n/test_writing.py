"""How the texts are written: nothing empty, nothing stray, each language in its own letters."""

import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from games.i18n.texts import LANGUAGES, LOCALE
from httpapi import languages

FILES = sorted(LOCALE.glob("*/*.json"))
# Names of options, values, fields and codes, card games, and the few words printed on the cards.
NOT_TRANSLATED = re.compile(
    r"\{\w+\}|[a-z0-9]+(?:_[a-z0-9]+)+|seconds:N|\b(?:close|catch|any|none|keep|true|false|acts|frozen|forbid"
    r"|breakable|skip|choose|answer|immediate|N|UNO|TAKI|Crazy|Eights|Breaker|Super)\b"
)
LETTERS = {"he": "HEBREW", "mn": "CYRILLIC"}


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from texts_in(member)


def texts_of(path: Path) -> list[str]:
    return list(texts_in(msgspec.json.decode(path.read_bytes())))


def script_of(letter: str) -> str:
    return unicodedata.name(letter).split()[0]


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def test_the_game_speaks_the_languages_of_the_interface() -> None:
    assert languages.LANGUAGES == LANGUAGES
    assert {path.stem for path in FILES} == set(LANGUAGES)


def test_texts_can_be_read_without_django() -> None:
    asked = "import sys, games.i18n; games.i18n.rules_text('he'); print('django' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", asked], cwd=LOCALE.parents[1], capture_output=True, check=True)
    assert answer.stdout.split() == [b"False"]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_text_is_empty_or_padded(path: Path) -> None:
    texts = texts_of(path)
    assert texts
    assert [text for text in texts if not text or text != " ".join(text.split())] == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_texts_are_normal_and_free_of_control_and_direction_characters(path: Path) -> None:
    for text in texts_of(path):
        assert unicodedata.is_normalized("NFC", text), text
        assert not [sign for sign in text if unicodedata.category(sign).startswith("C")], text


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_key_stands_in_a_file_twice(path: Path) -> None:
    assert json.loads(path.read_text("utf-8"), object_pairs_hook=unique)


@pytest.mark.parametrize("path", [path for path in FILES if path.stem in LETTERS], ids=named)
def test_hebrew_and_mongolian_are_written_in_their_own_letters(path: Path) -> None:
    for text in texts_of(path):
        letters = [sign for sign in NOT_TRANSLATED.sub("", text) if sign.isalpha()]
        assert {script_of(letter) for letter in letters} <= {LETTERS[path.stem]}, text


@pytest.mark.parametrize("path", [path for path in FILES if path.stem not in LETTERS], ids=named)
def test_the_other_languages_are_written_in_latin_letters(path: Path) -> None:
    for text in texts_of(path):
        assert {script_of(sign) for sign in text if sign.isalpha()} <= {"LATIN"}, text


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name in {"rules", "decisions"}], ids=named)
def test_rules_are_whole_sentences(path: Path) -> None:
    numbered = msgspec.json.decode(path.read_bytes())["texts"].values()
    assert [text for text in numbered if not text.endswith((".", '."', "!"))] == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_quotation_marks_come_in_pairs(path: Path) -> None:
    for text in texts_of(path):
        assert text.count('"') % 2 == 0, text
        assert text.count("«") == text.count("»"), text
        assert text.count("(") == text.count(")"), text
