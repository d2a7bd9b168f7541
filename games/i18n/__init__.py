"""What the game says in seven languages: cards, rules, options and the reasons of refusals."""

from games.i18n.cards import CardWords, card_name, card_words, color_name, symbol_name
from games.i18n.options import OptionText, PresetText, option_texts, preset_texts
from games.i18n.refusals import ERRORS, Message, error_texts
from games.i18n.rules import Part, Rule, RulesText, Section, rule, rules_text
from games.i18n.texts import ENGLISH, LANGUAGES

__all__ = [
    "ENGLISH",
    "ERRORS",
    "LANGUAGES",
    "CardWords",
    "Message",
    "OptionText",
    "Part",
    "PresetText",
    "Rule",
    "RulesText",
    "Section",
    "card_name",
    "card_words",
    "color_name",
    "error_texts",
    "option_texts",
    "preset_texts",
    "rule",
    "rules_text",
    "symbol_name",
]
