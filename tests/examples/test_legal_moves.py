"""The matchers given to client authors, in Python and JavaScript, say what the engine does.

After a change of the templates: `.venv/bin/python -m tests.examples.legal_move_vectors` writes the vectors again.
"""

import json
import shutil
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.examples.legal_move_vectors import VECTORS, vectors

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NODE = shutil.which("node")


def example() -> ModuleType:
    spec = spec_from_file_location("legal_moves", EXAMPLES / "legal_moves.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stored() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text())["vectors"]
    return found


def test_the_vectors_are_the_engines_own() -> None:
    assert stored() == vectors()


def test_the_vectors_hold_accepted_and_refused_commands_of_every_kind() -> None:
    told = {(vector["command"]["type"], vector["accepted"]) for vector in stored()}

    assert told >= {(kind, accepted) for kind in ("play", "draw", "pass", "say_last") for accepted in (True, False)}
    assert sum("turns_to" in json.dumps(vector["legal_moves"]) for vector in stored()) > 5


def test_the_matcher_in_python_agrees() -> None:
    matcher = example()

    for vector in stored():
        assert matcher.matches(vector["legal_moves"], vector["command"]) is vector["accepted"], vector


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_matcher_in_javascript_agrees() -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(EXAMPLES / "legal_moves.js"), str(VECTORS)], check=False, capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stdout.strip()) == (0, f"{len(stored())} passed, 0 failed")
