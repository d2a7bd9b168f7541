"""Runs scenario files: `python -m games.engine.scenarios PATH…`; status 1 if any failed, 2 if one cannot be read."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from games.engine.case_checks import deck_mismatches, mismatches
from games.engine.case_format import Case, CaseFault, read_case
from games.engine.case_table import Surprise, Table, play_step, set_table

ALL_PASSED: Final = 0
SOME_FAILED: Final = 1
UNREADABLE: Final = 2
_SUFFIXES: Final = (".yaml", ".yml")


class Unreadable(Exception):
    """Input that holds no scenarios: which, and why."""


class Failure(Struct, frozen=True):
    """Where a scenario went otherwise than written."""

    step: str
    expected: str
    came: str


class _Loader(yaml.SafeLoader):
    """YAML with the booleans of version 1.2 alone, so that the option value `no` stays a text; a key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002
        """Refuse a key that stands twice: YAML would keep the last one silently."""
        seen = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"found the key {name!r} twice", key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


# --- reading -------------------------------------------------------------------------------------


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """List the files named and those in the folders named, in order of their names."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
        if not inside:
            raise Unreadable(f"{path}: no scenario files in this folder")
        found += inside
    return found


def read_scenarios(path: Path) -> list[object]:
    """Read the scenarios of one file, unchecked."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a safe loader, see above
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError, ValueError, RecursionError) as fault:
        raise Unreadable(f"{path}: {fault}") from None
    if content is None:
        return []
    if not isinstance(content, list):
        raise Unreadable(f"{path}: not a list of scenarios")
    return content


# --- running -------------------------------------------------------------------------------------


def run_scenario(raw: object) -> list[Failure]:
    """Run one scenario and give what failed: nothing if it passed."""
    try:
        case = read_case(raw)
        table = set_table(case)
    except CaseFault as fault:
        return [Failure(fault.where, "a scenario in the documented form", fault.why)]
    except Exception as fault:  # noqa: BLE001 - one broken case must not hide the others
        return [Failure("position", "a table", _broken(fault))]
    if table is None:
        return _check_deck(case)
    return _run_steps(case, table)


def _run_steps(case: Case, table: Table) -> list[Failure]:
    shown = "position"
    try:
        for number, step in enumerate(case.steps, 1):
            shown = f"step {number} {step.shown}"
            table = play_step(table, step, f"step {number}")
        shown = "then"
        return [Failure(f"then: {wrong.key}", wrong.expected, wrong.came) for wrong in mismatches(table, case.then)]
    except Surprise as surprise:
        return [Failure(shown, surprise.expected, surprise.came)]
    except CaseFault as fault:
        return [Failure(fault.where, "a scenario in the documented form", fault.why)]
    except Exception as fault:  # noqa: BLE001 - one broken case must not hide the others
        return [Failure(shown, "a decision of the engine", _broken(fault))]


def _check_deck(case: Case) -> list[Failure]:
    if case.steps:
        return [Failure("when", "a position to play on", "none")]
    try:
        wrong = list(deck_mismatches(case.rules.deck, case.then))
    except CaseFault as fault:
        return [Failure(fault.where, "a scenario in the documented form", fault.why)]
    return [Failure(f"then: {each.key}", each.expected, each.came) for each in wrong]


def _broken(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"


# --- the command line ----------------------------------------------------------------------------


def _named(raw: object, path: Path, number: int) -> str:
    identity = raw.get("id") if isinstance(raw, dict) else None
    return str(identity) if identity else f"number {number} of {path.name}"


def _report(raw: object, path: Path, number: int, failures: Sequence[Failure]) -> str:
    rule = raw.get("rule") if isinstance(raw, dict) else None
    lines = [f"FAILED {_named(raw, path, number)} ({path}{f', rule {rule}' if rule else ''})"]
    for failure in failures:
        lines += [f"  {failure.step}", f"    expected: {failure.expected}", f"    came:     {failure.came}"]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run all scenarios of the paths given and say how many passed."""
    if not arguments:
        print("usage: python -m games.engine.scenarios PATH…", file=sys.stderr)
        return UNREADABLE
    try:
        books = [(path, read_scenarios(path)) for path in scenario_files(map(Path, arguments))]
    except Unreadable as fault:
        print(f"cannot read {fault}", file=sys.stderr)
        return UNREADABLE
    passed = failed = 0
    for path, scenarios in books:
        for number, raw in enumerate(scenarios, 1):
            failures = run_scenario(raw)
            passed += not failures
            failed += bool(failures)
            if failures:
                print(_report(raw, path, number, failures))
    print(f"{passed} passed, {failed} failed")
    return SOME_FAILED if failed else ALL_PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
