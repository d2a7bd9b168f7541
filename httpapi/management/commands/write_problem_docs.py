"""Writes docs/problems.md, the list of all error codes."""

from itertools import groupby
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand

from httpapi import catalog
from httpapi.languages import ENGLISH

PATH: Final = Path(__file__).resolve().parents[3] / "docs" / "problems.md"
_HEAD: Final = """# Error codes

Written by `python manage.py write_problem_docs` from the catalog; a test compares. How an error answer looks is told in
[api.md](api.md). A code never changes its meaning; texts may, so programs go by `code` and `params`. The names in
braces are the `params`. Codes of status 400 that name a fault of one field stand in `errors`; their pointer says where.
The service explains each code, in seven languages, at `/problems/<code>`.
"""


def text() -> str:
    """The document as it should be."""
    parts = [_HEAD]
    for status, entries in groupby(catalog.entries(), key=lambda entry: entry.status):
        parts.append(f"\n## {status}\n\n| Code | Meaning |\n|---|---|\n")
        for entry in entries:
            english = entry.texts[ENGLISH]
            parts.append(f"| `{entry.code}` | **{english.title}.** {english.detail} |\n")
    return "".join(parts).replace("<token>", "&lt;token&gt;")


class Command(BaseCommand):
    """Run it after adding or changing a code."""

    help = "Writes docs/problems.md from the catalog of error codes."

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file."""
        PATH.write_text(text())
        self.stdout.write(f"{len(catalog.entries())} codes written to {PATH}")
