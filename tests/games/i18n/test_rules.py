"""The rules text: every number, in order, in the language asked for or in English."""

import re
from collections.abc import Iterator

import pytest

from games.engine.refusals import REFUSALS
from games.engine.ruleset import Ruleset
from games.i18n import LANGUAGES, Part, Rule, rule, rules_text
from games.i18n.texts import UnknownLanguage, read

DECISIONS_PER_QUESTION = (5, 6, 10, 13, 7, 8, 7, 22, 5, 12, 5, 3, 7, 12, 9)
BASE = [f"B{number}" for number in range(1, 66)]
DECISIONS = [
    *(f"2.2.{number}" for number in range(1, 8)),
    *(f"{question}.{n}" for question, last in enumerate(DECISIONS_PER_QUESTION, 1) for n in range(1, last + 1)),
    *(f"22.{number}" for number in range(1, 38)),
]
WITH_DECISIONS = ("en", "he")
NAMES_AN_OPTION = re.compile(r"\b([a-z]+_[a-z0-9_]+) = ([a-z0-9_]+)")


def rules_of(part: Part) -> Iterator[Rule]:
    for section in part.sections:
        yield from section.rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_is_there_once_and_in_order(language: str) -> None:
    text = rules_text(language)
    assert [rule.number for rule in rules_of(text.base)] == BASE
    assert [rule.number for rule in rules_of(text.decisions)] == DECISIONS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_base_text_speaks_every_language(language: str) -> None:
    base = rules_text(language).base
    assert base.language == language
    assert {section.language for section in base.sections} == {language}
    assert {rule.language for rule in rules_of(base)} == {language}


@pytest.mark.parametrize("language", WITH_DECISIONS)
def test_the_decisions_speak_english_and_hebrew(language: str) -> None:
    decisions = rules_text(language).decisions
    assert {decisions.language, *(section.language for section in decisions.sections)} == {language}
    assert {rule.language for rule in rules_of(decisions)} == {language}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language not in WITH_DECISIONS])
def test_other_languages_fall_back_to_english_and_say_so(language: str) -> None:
    decisions = rules_text(language).decisions
    assert (decisions.title, decisions.language) == (rules_text("en").decisions.title, "en")
    assert tuple(rules_of(decisions)) == tuple(rules_of(rules_text("en").decisions))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_base_sentence_is_left_in_english(language: str) -> None:
    own, english = rules_text(language).base, rules_text("en").base
    pairs = zip(rules_of(own), rules_of(english), strict=True)
    assert [mine.number for mine, theirs in pairs if mine.text == theirs.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_rules_say_the_same_in_the_same_words(language: str) -> None:
    text = rules_text(language)
    texts = [rule.text for part in (text.base, text.decisions) for rule in rules_of(part)]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("kind", ["rules", "decisions"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_text_for_a_number_or_heading_that_does_not_exist(kind: str, language: str) -> None:
    own, english = read(kind, language, dict[str, object]), read(kind, "en", dict[str, object])
    if own is None or english is None:
        return
    for part in ("headings", "texts"):
        mine, theirs = own[part], english[part]
        assert isinstance(mine, dict)
        assert isinstance(theirs, dict)
        assert mine.keys() <= theirs.keys()


def test_every_option_stands_at_a_rule_and_every_one_named_exists() -> None:
    text = rules_text("en")
    named = {option for part in (text.base, text.decisions) for rule in rules_of(part) for option in rule.options}
    assert named == set(Ruleset.__struct_fields__)


@pytest.mark.parametrize("language", WITH_DECISIONS)
def test_a_decision_that_names_an_option_lists_it(language: str) -> None:
    for decision in rules_of(rules_text(language).decisions):
        named = {option for option, _ in NAMES_AN_OPTION.findall(decision.text)}
        assert named <= set(decision.options), decision.number


def test_both_languages_of_the_decisions_name_the_same_options_and_codes() -> None:
    pairs = zip(rules_of(rules_text("en").decisions), rules_of(rules_text("he").decisions), strict=True)
    code = re.compile(r"[a-z]+_[a-z0-9_]+|\d+\.\d+")
    for english, hebrew in pairs:
        assert set(code.findall(english.text)) == set(code.findall(hebrew.text)), english.number


def test_every_rule_a_refusal_cites_can_be_looked_up() -> None:
    for refusal in REFUSALS:
        assert rule(refusal.rule, "en").text


def test_a_language_nobody_speaks_here_is_an_error() -> None:
    with pytest.raises(UnknownLanguage):
        rules_text("xx")
