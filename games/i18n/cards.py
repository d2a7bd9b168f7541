"""The names of cards, colors and symbols."""

from functools import cache

from msgspec import Struct

from games.engine.cards import CODE
from games.i18n.texts import read, read_english


class CardWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language by code; `colored` joins them, "{color} {symbol}" or the other way around."""

    colors: dict[str, str]
    symbols: dict[str, str]
    colored: str


@cache
def card_words(language: str) -> CardWords:
    """Give all words for cards in a language."""
    return read("cards", language, CardWords) or read_english("cards", CardWords)


def color_name(color: str, language: str) -> str:
    """Name a color, "any" included; KeyError for an unknown one."""
    return card_words(language).colors[color]


def symbol_name(symbol: str, language: str) -> str:
    """Name the symbol of a lead or of a card without color; KeyError for an unknown one."""
    return card_words(language).symbols[symbol]


@cache
def card_name(code: str, language: str) -> str:
    """Name the card of a code in full, "red-5" as "red 5"; KeyError for an unknown code."""
    words = card_words(language)
    if code in _COLORLESS:
        return words.symbols[code]
    color, _, symbol = code.partition("-")
    if color == "any" or symbol in _COLORLESS:
        raise KeyError(code)
    return words.colored.format(color=words.colors[color], symbol=words.symbols[symbol])


class Names(Struct, frozen=True):
    """The words for cards by code, for whoever draws a table: whole cards, colors, and symbols."""

    cards: dict[str, str]
    colors: dict[str, str]
    symbols: dict[str, str]


@cache
def names(language: str) -> Names:
    """Give the names of every card, color ("any" included) and symbol."""
    words = card_words(language)
    cards = {code: card_name(code, language) for code in CODE}
    return Names(cards=cards, colors=words.colors, symbols=words.symbols)


_COLORLESS = frozenset({"super-taki", "king", "plus3", "breaker", "change-color"})
