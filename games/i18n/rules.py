"""The rules as numbered sentences: the base text (B1 to B65) and the decisions where it is silent."""

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

import msgspec
from msgspec import Struct

from games.i18n.cards import Names, names
from games.i18n.texts import ENGLISH, LOCALE, read, read_english

Kind = Literal["rules", "decisions"]


class Rule(Struct, frozen=True):
    """One rule: its number, what it says, in which language, and the options that change it."""

    number: str
    text: str
    language: str
    options: tuple[str, ...]


class Section(Struct, frozen=True):
    """Rules about one matter under a heading; `language` is the heading's."""

    id: str
    heading: str
    language: str
    rules: tuple[Rule, ...]


class Part(Struct, frozen=True):
    """The base text or the decisions; `language` is the title's."""

    title: str
    language: str
    sections: tuple[Section, ...]


class RulesText(Struct, frozen=True):
    """All rules in the language asked for, in English where that language lacks a text; and the names of the cards."""

    language: str
    names: Names
    base: Part
    decisions: Part


class _Matter(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    rules: dict[str, tuple[str, ...]]


class _Outline(Struct, frozen=True, forbid_unknown_fields=True):
    base: tuple[_Matter, ...]
    decisions: tuple[_Matter, ...]


class _Texts(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    headings: dict[str, str]
    texts: dict[str, str]


class _Reader:
    """Finds each text in one language or, failing that, in English."""

    def __init__(self, kind: Kind, language: str) -> None:
        self._language = language
        self._english = read_english(kind, _Texts)
        self._own = read(kind, language, _Texts) or _Texts(title="", headings={}, texts={})

    def part(self, matters: tuple[_Matter, ...]) -> Part:
        title, language = (self._own.title, self._language) if self._own.title else (self._english.title, ENGLISH)
        return Part(title=title, language=language, sections=tuple(map(self._section, matters)))

    def _section(self, matter: _Matter) -> Section:
        heading, language = self._find(matter.id, self._own.headings, self._english.headings)
        rules = tuple(self._rule(number, options) for number, options in matter.rules.items())
        return Section(id=matter.id, heading=heading, language=language, rules=rules)

    def _rule(self, number: str, options: tuple[str, ...]) -> Rule:
        text, language = self._find(number, self._own.texts, self._english.texts)
        return Rule(number=number, text=text, language=language, options=options)

    def _find(self, key: str, own: Mapping[str, str], english: Mapping[str, str]) -> tuple[str, str]:
        return (own[key], self._language) if key in own else (english[key], ENGLISH)


_OUTLINE: Final = msgspec.json.decode((LOCALE / "outline.json").read_bytes(), type=_Outline)


@cache
def rules_text(language: str) -> RulesText:
    """Give all rules in a language, arranged in sections."""
    return RulesText(
        language=language,
        names=names(language),
        base=_Reader("rules", language).part(_OUTLINE.base),
        decisions=_Reader("decisions", language).part(_OUTLINE.decisions),
    )


def rule(number: str, language: str) -> Rule:
    """Give one rule by its number; KeyError for an unknown one."""
    return _by_number(language)[number]


@cache
def _by_number(language: str) -> dict[str, Rule]:
    text = rules_text(language)
    sections = text.base.sections + text.decisions.sections
    return {rule.number: rule for section in sections for rule in section.rules}
