"""The page about the rules says what the service says and does."""

import re
from pathlib import Path

import msgspec
import pytest

from games.engine.refusals import REFUSALS
from games.engine.ruleset import (
    NOT_OFFERED,
    PRESETS,
    PRESETS_NOT_OFFERED,
    VALUES_NOT_OFFERED,
    Ruleset,
    options_of,
    ruleset_from,
)
from games.i18n import Rule, error_texts, option_texts, preset_texts, rules_text

PAGE = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")
DEFAULTS = {name: str(value).lower() for name, value in options_of(Ruleset()).items()}


def all_rules() -> list[Rule]:
    text = rules_text("en")
    return [rule for part in (text.base, text.decisions) for section in part.sections for rule in section.rules]


def row_of(first_cell: str) -> str:
    rows = re.findall(rf"^\| {re.escape(first_cell)} \|.*$", PAGE, flags=re.MULTILINE)
    assert rows, f"no row for {first_cell}"
    return str(rows[0])


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.number)
def test_the_page_has_a_row_for_every_number_with_its_options_and_their_defaults(rule: Rule) -> None:
    options = ", ".join(f"`{option}` (`{DEFAULTS[option]}`)" for option in rule.options) or "–"
    assert row_of(rule.number) == f"| {rule.number} | {rule.text} | {options} |"


def test_the_page_has_every_heading_of_the_rules() -> None:
    text = rules_text("en")
    for section in (*text.base.sections, *text.decisions.sections):
        assert f"\n### {section.heading}\n" in PAGE


@pytest.mark.parametrize("option", Ruleset.__struct_fields__)
def test_the_page_explains_every_option_with_its_values_the_default_first(option: str) -> None:
    row, text = row_of(f"`{option}`"), option_texts("en")[option]
    assert row.startswith(f"| `{option}` | {text.text} | `{DEFAULTS[option]}`")
    assert all(f"`{value}`: {line}" in row or f"`{value}`" in row for value, line in text.values.items())


@pytest.mark.parametrize("field", msgspec.json.schema(Ruleset)["$defs"]["Ruleset"]["properties"].items())
def test_the_page_states_the_bounds_of_numbers(field: tuple[str, dict[str, object]]) -> None:
    option, schema = field
    for bound in ("minimum", "maximum"):
        if bound in schema:
            assert re.search(rf"\b{schema[bound]}\b", row_of(f"`{option}`")), bound


@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_lists_every_preset_with_what_it_changes(preset: str) -> None:
    row, text = row_of(f"`{preset}`"), preset_texts("en")[preset]
    assert text.name in row
    assert text.text in row
    for option, value in options_of(ruleset_from({}, preset)).items():
        if str(value).lower() != DEFAULTS[option]:
            assert f"`{option}` = `{str(value).lower()}`" in row


def test_the_page_names_what_is_not_offered() -> None:
    values = {value for group in VALUES_NOT_OFFERED.values() for value in group}
    for name in NOT_OFFERED | PRESETS_NOT_OFFERED | values:
        assert f"`{name}`" in PAGE


def test_the_page_lists_the_refusals_in_the_order_in_which_they_are_tested() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    texts = error_texts("en")
    expected = [
        (refusal.code, refusal.rule, f"{texts[refusal.code].title}. {texts[refusal.code].detail}")
        for refusal in REFUSALS
    ]
    codes = {refusal.code for refusal in REFUSALS}
    assert [row for row in rows if row[0] in codes] == expected


def test_every_number_cited_on_the_page_exists() -> None:
    known = {rule.number for rule in all_rules()}
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("|"))
    cited = re.findall(r"\b(B\d+|\d{1,2}\.\d{1,2}(?:\.\d)?)\b", prose)
    assert [number for number in cited if number not in known] == []
