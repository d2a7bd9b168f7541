"""The shape of a page of rows."""

from __future__ import annotations

from typing import Any

import msgspec


def paged(row: Any, name: str) -> Any:
    """A page of such rows, as httpapi.paging answers it."""
    fields = [("results", list[row]), ("next", str | None), ("previous", str | None)]
    return msgspec.defstruct(name, fields, namespace={"__doc__": "One page of a list."}, frozen=True)
