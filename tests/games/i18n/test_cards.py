"""The names of cards."""

import pytest

from games.engine.cards import CODE, Color, Symbol
from games.i18n import LANGUAGES, card_name, card_words, color_name, symbol_name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_code_has_a_name_of_its_own(language: str) -> None:
    names = [card_name(code, language) for code in CODE]
    assert all(names)
    assert len(set(names)) == len(CODE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_color_and_symbol_of_a_lead_has_a_name(language: str) -> None:
    assert all(color_name(color.value, language) for color in Color)
    assert all(symbol_name(symbol.value, language) for symbol in Symbol)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_name_the_same_colors_and_symbols(language: str) -> None:
    words, english = card_words(language), card_words("en")
    assert words.colors.keys() == english.colors.keys()
    assert words.symbols.keys() == english.symbols.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_digits(language: str) -> None:
    assert all(card_words(language).symbols[digit] == digit for digit in "13456789")


@pytest.mark.parametrize(
    "code,language,name",
    [
        ("red-5", "en", "red 5"),
        ("blue-reverse", "en", "blue Change Direction"),
        ("king", "en", "King"),
        ("green-stop", "he", "עצור ירוק"),
        ("yellow-plus", "cy", "Plws melyn"),
        ("red-taki", "lv", "sarkanā TAKI"),
        ("breaker", "ms", "Pemutus +3"),
        ("king", "gd", "Rìgh"),
        ("blue-stop", "mn", "цэнхэр Зогсоох"),
    ],
)
def test_a_card_is_named_in_the_order_of_its_language(code: str, language: str, name: str) -> None:
    assert card_name(code, language) == name


@pytest.mark.parametrize("code", ["", "red", "red-2", "red-king", "any-5", "purple-5", "5", "stop"])
def test_what_is_no_card_has_no_name(code: str) -> None:
    with pytest.raises(KeyError):
        card_name(code, "en")
