"""How a log line is written: of an error its type and where it arose, not its message, which might quote hidden cards."""

from __future__ import annotations

import copy
import logging
import time
import traceback
from functools import lru_cache
from types import TracebackType
from typing import Final, TypeAlias

import psycopg
from django.db import Error

_Raised: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
_BETWEEN: Final = "\nThat arose from this:\n"


class LineFormatter(logging.Formatter):
    """Writes tracebacks without messages; of the database's errors the first line, for their details quote rows."""

    def format(self, record: logging.LogRecord) -> str:
        """Of an error write a copy: other handlers may have written it already, or will."""
        if not record.exc_info and not record.exc_text and not isinstance(record.args, dict):
            return super().format(record)
        line = copy.copy(record)
        line.exc_text = None
        if isinstance(line.args, dict) and "exc" in line.args:  # Celery's lines about failed tasks quote the error
            raised = record.exc_info[1] if record.exc_info else None
            line.args = {**line.args, "exc": "an error" if raised is None else _name(raised), "traceback": ""}
        return super().format(line)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        """The moment, as ever; each second is put into words once."""
        return f"{_second(int(record.created))},{int(record.msecs):03d}"

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 (logging's name)
        """The error with all it arose from, latest first."""
        told: list[str] = []
        error = ei[1]
        while error is not None and len(told) < 10:  # noqa: PLR2004 (a chain may be a ring)
            told.append("".join(traceback.format_tb(error.__traceback__)) + _name(error))
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return _BETWEEN.join(told)


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def _name(error: BaseException) -> str:
    name = type(error).__name__
    return f"{name}: {str(error).partition(chr(10))[0]}" if isinstance(error, Error | psycopg.Error) else name
