"""Typed reading of environment variables; every name read is remembered, so that a test can prove it documented."""

import os
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

READ: dict[str, str] = {}


def text(name: str, default: str = "") -> str:
    """The variable as it stands; an empty one counts as absent."""
    READ[name] = default
    return os.environ.get(name) or default


def flag(name: str, default: str = "off") -> bool:
    """`on` or `off` (also true/false, yes/no, 1/0)."""
    word = text(name, default).lower()
    if word in {"on", "true", "yes", "1"}:
        return True
    if word in {"off", "false", "no", "0"}:
        return False
    raise ImproperlyConfigured(f"{name} must be on or off, not {word!r}")


def whole_number(name: str, default: int) -> int:
    """A decimal number of zero or more."""
    word = text(name, str(default))
    if not word.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {word!r}")
    return int(word)


def words(name: str, default: str = "") -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(url: str) -> dict[str, Any]:
    """One entry of DATABASES from a libpq URL; options libpq knows may stand in its query."""
    if urlsplit(url).scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://")
    try:
        parts: dict[str, Any] = {**conninfo_to_dict(url)}
    except ProgrammingError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", ""),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "OPTIONS": parts,
    }


def broker(url: str) -> str:
    """The address of a Redis-protocol server in Celery's words, which has others for a socket and its database."""
    if not url.startswith("unix://"):
        return url
    return url.replace("unix://", "redis+socket://").replace("db=", "virtual_host=")
