"""The lines about options and presets."""

from enum import Enum
from typing import get_type_hints

import pytest

from games.engine.ruleset import PRESETS, Ruleset
from games.i18n import LANGUAGES, option_texts, preset_texts

TYPES = get_type_hints(Ruleset)
WITH_LINES = ("en", "he")


def values_of(option: str) -> set[str]:
    """The values of an option that have a name of their own."""
    kind = TYPES[option]
    if kind is bool:
        return {"true", "false"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member.value for member in kind}
    return {"next_action"} if option == "last_card_deadline" else set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_every_named_value_has_a_line(language: str) -> None:
    texts = option_texts(language)
    assert texts.keys() == set(Ruleset.__struct_fields__)
    for option, text in texts.items():
        assert text.text
        assert text.values.keys() == values_of(option), option
        assert all(text.values.values()), option


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_has_a_name_and_a_line(language: str) -> None:
    texts = preset_texts(language)
    assert texts.keys() == PRESETS.keys()
    assert all(text.name and text.text for text in texts.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_english_or_hebrew_and_say_which(language: str) -> None:
    expected = {language if language in WITH_LINES else "en"}
    assert {text.language for text in option_texts(language).values()} == expected
    assert {text.language for text in preset_texts(language).values()} == expected
