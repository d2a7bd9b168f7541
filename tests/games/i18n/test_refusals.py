"""The texts of refusals: complete, alike in every language, and true to what the code gives them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from games.engine.refusals import REFUSALS
from games.i18n import LANGUAGES, error_texts
from games.i18n.refusals import ERRORS
from games.i18n.texts import read
from httpapi import catalog

ROOT = Path(__file__).parents[3]
OUR_CODES = error_texts("en").keys()
RAISED_WITH_A_CODE = re.compile(
    r"(Problem|MalformedRequest|Unauthenticated|Forbidden|NotFound|Conflict|VersionConflict|Unavailable|RulesetFault)$"
)

FAULTS_OF_A_FIELD = {"invalid_field", "FieldError"}


def calls() -> Iterator[ast.Call]:
    """All calls in the code of the game and its tournaments."""
    for app in ("games", "tournaments"):
        for path in (ROOT / app).rglob("*.py"):
            yield from (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))


def called_name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def code_named(call: ast.Call) -> str | None:
    """The code that a call refuses with, where the source shows it."""
    if called_name(call) in FAULTS_OF_A_FIELD:
        code = call.args[1:2]
    elif RAISED_WITH_A_CODE.search(called_name(call)):
        code = call.args[:1]
    else:
        return None
    return code[0].value if code and isinstance(code[0], ast.Constant) and isinstance(code[0].value, str) else None


def params_named(call: ast.Call) -> set[str] | None:
    """The parameters a call gives to its text; None where the source does not show them."""
    given = {keyword.arg for keyword in call.keywords if keyword.arg}
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    if called_name(call) == "RulesetFault" or "params" not in given:
        return given
    params = next(keyword.value for keyword in call.keywords if keyword.arg == "params")
    if not isinstance(params, ast.Dict):
        return None
    return {key.value for key in params.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_english_explains_every_refusal_of_the_rules() -> None:
    assert {refusal.code for refusal in REFUSALS} <= OUR_CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_explains_every_code_itself(language: str) -> None:
    own = read("errors", language, dict[str, object])
    assert own is not None
    assert own.keys() == OUR_CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_details_have_the_placeholders_of_the_english_ones(language: str) -> None:
    own, english = error_texts(language), error_texts("en")
    for code in OUR_CODES:
        assert placeholders(own[code].detail) == placeholders(english[code].detail), code
        assert not placeholders(own[code].title), code


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_title_or_detail_is_left_in_english(language: str) -> None:
    own, english = error_texts(language), error_texts("en")
    assert [code for code in OUR_CODES if own[code].title == english[code].title] == []
    assert [code for code in OUR_CODES if own[code].detail == english[code].detail] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_codes_share_a_title(language: str) -> None:
    titles = [message.title for message in error_texts(language).values()]
    assert len(titles) == len(set(titles))


def test_every_code_used_in_the_code_is_explained_in_all_seven_languages() -> None:
    used = {code for call in calls() if (code := code_named(call))}
    assert len(used) > 10, "the search finds nothing any more"
    for code in used:
        entry = catalog.find(code)
        assert entry is not None, code
        assert entry.texts.keys() == set(LANGUAGES), code


def test_whoever_refuses_gives_the_parameters_that_the_text_needs() -> None:
    by_class = {refusal.__name__: refusal.code for refusal in REFUSALS}
    for call in calls():
        code = by_class.get(called_name(call)) or code_named(call)
        if code not in OUR_CODES:
            continue
        needed, given = placeholders(error_texts("en")[code].detail), params_named(call)
        assert given is None or needed <= given, f"{code}: {needed} of {given}"


def test_the_catalog_of_problems_knows_every_code_from_these_files() -> None:
    assert ERRORS.is_dir()
    assert [code for code in OUR_CODES if catalog.find(code) is None] == []
    assert catalog.text("must_play_all", "cy").title == error_texts("cy")["must_play_all"].title
