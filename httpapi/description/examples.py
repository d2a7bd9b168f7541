"""Examples: real answers that a test records and compares, read when the description is made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from httpapi import catalog
from httpapi.description.calls import Schema
from httpapi.languages import ENGLISH
from httpapi.problems import FieldError, Problem, document

REQUEST_ID: Final = "7d1f0c2b9a3e4f56b8c1d2e3f4a5b6c7"


class Example(Struct, frozen=True, omit_defaults=True):
    """One call as it was made and answered; what differs from run to run stands still in it.

    `code` is that of a refusal; `text` the body of an answer that is no JSON.
    """

    call: str
    name: str
    status: int
    query: str = ""
    request: Any = None
    answer: Any = None
    text: str | None = None
    code: str | None = None


class Examples:
    """All examples of one file."""

    def __init__(self, path: Path) -> None:
        self.all: tuple[Example, ...] = msgspec.json.decode(path.read_bytes(), type=tuple[Example, ...])

    def asked(self, call: str) -> dict[str, Schema]:
        """Bodies that a call was made with and that were accepted."""
        return {
            each.name: {"summary": summary(each.name), "value": each.request}
            for each in self.all
            if each.call == call and each.request is not None and each.code is None
        }

    def answered(self, call: str, status: int) -> dict[str, Schema]:
        """Answers that a call gave."""
        return {
            each.name: {"summary": summary(each.name), "value": each.answer if each.text is None else each.text}
            for each in self.all
            if each.call == call and each.status == status and (each.answer is not None or each.text is not None)
        }

    def problems(self, codes: Iterable[str], faults: Iterable[str]) -> dict[str, Schema]:
        """A problem document for each code, by code; for one that no example shows, what the catalog says of it."""
        recorded = {each.code: each.answer for each in self.all if each.code is not None}
        for each in self.all:
            for fault in each.answer.get("errors", ()) if each.code is not None else ():
                recorded.setdefault(fault["code"], each.answer)
        shown = {code: recorded.get(code) or _from_catalog(code) for code in codes}
        shown |= {code: recorded.get(code) or _from_catalog("invalid_request", code) for code in faults}
        return {code: {"summary": catalog.text(code, ENGLISH).title, "value": value} for code, value in shown.items()}


def _from_catalog(code: str, fault: str | None = None) -> dict[str, object]:
    entry = catalog.find(code)
    if entry is None:
        raise LookupError(code)
    errors = [] if fault is None else [FieldError("/field", fault)]
    problem = Problem(code, errors=errors)
    return {**document(problem, ENGLISH, REQUEST_ID), "status": entry.status}


def summary(name: str) -> str:
    """The name of an example as words."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
