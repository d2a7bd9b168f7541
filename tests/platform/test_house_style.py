"""What the checkers do not check: lengths, and that the engine stands on nothing but msgspec."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FILE, LONGEST_FUNCTION = 400, 40
# What would make a rule depend on the moment, on luck or on the machine.
IMPURE = {"random", "secrets", "time", "datetime", "os", "logging", "socket", "threading", "subprocess", "asyncio"}
# The log's plain functions; a contract keeps Django out of them.
PURE_LOG = {
    "eventlog.record",
    "eventlog.records",
    "eventlog.chain",
    "eventlog.digest",
    "eventlog.codec",
    "eventlog.upcasters",
    "eventlog.checkpoints",
    "eventlog.kept",
}


ROOMS = (
    "taki_project",
    "tournaments",
    "games",
    "accounts",
    "httpapi",
    "eventlog",
    "bench",
    "demo",
    "examples",
    "tests",
)


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_file_and_no_function_is_too_long() -> None:
    faults = []
    for path in sources():
        text, name = path.read_text(), path.relative_to(ROOT)
        tree = ast.parse(text)
        if len(text.splitlines()) > LONGEST_FILE:
            faults.append(f"{name}: {len(text.splitlines())} lines")
        faults += [
            f"{name}: {function.name} has {function.end_lineno - function.lineno + 1} lines"
            for function in functions(tree)
            if function.end_lineno and function.end_lineno - function.lineno + 1 > LONGEST_FUNCTION
        ]
    assert faults == []


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", sorted((ROOT / "games" / "engine").glob("*.py")), ids=lambda path: path.stem)
def test_the_engine_stands_on_the_standard_library_and_msgspec_alone(path: Path) -> None:
    for module in imported(path):
        package = module.split(".")[0]
        if package == "eventlog":
            assert path.stem in {"record", "witness", "card_proofs", "seating_proof", "story"}
            assert module in PURE_LOG or module == "eventlog"
        elif package == "yaml":
            assert path.stem in {"scenarios", "case_format"}
        elif package != "games":
            assert package == "msgspec" or package in sys.stdlib_module_names - IMPURE, module
