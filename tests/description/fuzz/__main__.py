"""`make test-schema`: a service of its own, and schemathesis against it for a bounded time, the same each time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.platform.local_run import ROOT, free_port, local_run

SECONDS: Final = os.environ.get("SCHEMA_SECONDS", "120")
GENEROUS: Final = "1000000/60"
LIMITS: Final = ("LIMIT_ACCOUNT", "LIMIT_SIGN_UP", "LIMIT_GUEST", "LIMIT_SIGN_IN")


def main() -> int:
    """The exit status of schemathesis."""
    from tests.description.fuzz import world  # noqa: PLC0415 (Django must be set up first)

    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        local_run(Path(folder) / "var", port, **dict.fromkeys(LIMITS, GENEROUS)),
    ):
        made = world.make(f"http://127.0.0.1:{port}")
        return subprocess.run(
            [
                str(Path(sys.executable).parent / "st"),
                "run",
                f"http://127.0.0.1:{port}/api/schema",
                f"--max-time={SECONDS}",
                "--seed=4711",
                "--generation-deterministic",
                # Whether a name is free or a key was used is no matter of shapes, so valid data may well be refused.
                "--exclude-checks=positive_data_acceptance",
                "--request-timeout=20",
                *sys.argv[1:],
            ],
            cwd=folder,
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "SCHEMATHESIS_HOOKS": "tests.description.fuzz.hooks",
                "FUZZ_WORLD": json.dumps(made),
            },
            check=False,
        ).returncode


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    sys.exit(main())
