"""The catalog of codes: complete, in seven languages, documented."""

import json
import string
from pathlib import Path

import pytest

from httpapi import catalog
from httpapi.catalog import Entry
from httpapi.languages import ENGLISH, LANGUAGES
from httpapi.management.commands import write_problem_docs

WITH_BLANKS = string.Formatter()


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in WITH_BLANKS.parse(text) if name}


@pytest.mark.parametrize("entry", catalog.entries(), ids=lambda entry: entry.code)
def test_every_code_speaks_seven_languages_with_the_same_blanks(entry: Entry) -> None:
    assert entry.texts.keys() == set(LANGUAGES)
    english = entry.texts[ENGLISH]
    for text in entry.texts.values():
        assert blanks(text.detail) == blanks(english.detail)
        assert not blanks(text.title)
        assert text.title.strip() == text.title != ""
        assert text.detail.rstrip().endswith((".", "؟", "!", "?")), text.detail


def test_no_language_repeats_the_english_text() -> None:
    for entry in catalog.entries():
        for language in set(LANGUAGES) - {ENGLISH}:
            assert entry.texts[language].detail != entry.texts[ENGLISH].detail, (entry.code, language)


def test_the_document_of_codes_is_the_catalog() -> None:
    assert write_problem_docs.PATH.read_text() == write_problem_docs.text(), "run manage.py write_problem_docs"


def test_the_document_names_every_code() -> None:
    document = write_problem_docs.PATH.read_text()
    assert all(f"`{entry.code}`" in document for entry in catalog.entries())


def test_a_code_without_a_text_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text("{}")
    with pytest.raises(LookupError, match="left_alone"):
        catalog.register(tmp_path, {"left_alone": 409})


def test_a_text_without_a_status_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text(json.dumps({"left_alone": {"title": "A", "detail": "B."}}))
    with pytest.raises(LookupError, match="left_alone"):
        catalog.register(tmp_path, {})


def test_a_missing_parameter_leaves_its_blank_and_fails_nothing() -> None:
    assert catalog.detail("too_long", "en", {}) == "The length must be at most {limit}."


def test_a_parameter_is_never_taken_for_a_template() -> None:
    assert "{limit.__class__}" in catalog.detail("invalid_header", "en", {"header": "{limit.__class__}"})
