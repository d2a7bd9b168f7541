"""What a table can be opened with: the presets, and every option with its values and its default."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, EnumType, Field, IntType, StrType, StructType, type_info

from games.engine.ruleset import PRESETS, RULESET_VERSION, Ruleset, options_of, ruleset_from
from games.i18n import option_texts, preset_texts
from games.i18n.options import OptionText


class Choice(Struct, frozen=True, omit_defaults=True):
    """One value of an option."""

    value: str | bool
    text: str | None = None


class OptionShown(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One option. `values` where they can be listed, else `minimum` and `maximum`, or a `pattern`."""

    option: str
    text: str
    language: str
    type: str
    default: Any
    values: tuple[Choice, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None


class PresetShown(Struct, frozen=True):
    """One preset: what it changes, and all options as it sets them."""

    preset: str
    name: str
    text: str
    language: str
    changes: dict[str, Any]
    options: dict[str, Any]


class Catalog(Struct, frozen=True):
    """All presets and options."""

    version: int
    presets: tuple[PresetShown, ...]
    options: tuple[OptionShown, ...]


def _fields() -> tuple[Field, ...]:
    described = type_info(Ruleset)
    assert isinstance(described, StructType)  # noqa: S101 (for the type checker)
    return described.fields


_DEFAULTS: Final = options_of(Ruleset())


@cache
def catalog(language: str) -> Catalog:
    """Everything on offer, explained in a language, in English where the language lacks a text."""
    explained, named = option_texts(language), preset_texts(language)
    presets = tuple(
        PresetShown(
            preset,
            named[preset].name,
            named[preset].text,
            named[preset].language,
            dict(changes),
            options_of(ruleset_from({}, preset)),
        )
        for preset, changes in PRESETS.items()
    )
    return Catalog(RULESET_VERSION, presets, tuple(_option(field, explained[field.name]) for field in _fields()))


def _option(field: Field, explained: OptionText) -> OptionShown:
    return OptionShown(
        option=field.name,
        text=explained.text,
        language=explained.language,
        default=_DEFAULTS[field.name],
        **_values(field.type, explained.values),
    )


def _values(kind: msgspec.inspect.Type, texts: dict[str, str]) -> dict[str, Any]:
    if isinstance(kind, EnumType):
        choices = tuple(Choice(member.value, texts.get(member.value)) for member in kind.cls)
        return {"type": "choice", "values": choices}
    if isinstance(kind, BoolType):
        choices = tuple(Choice(value, texts.get(str(value).lower())) for value in (False, True))
        return {"type": "boolean", "values": choices}
    if isinstance(kind, IntType):
        return {"type": "integer", "minimum": kind.ge, "maximum": kind.le}
    if isinstance(kind, StrType):
        return {"type": "text", "pattern": kind.pattern}
    raise TypeError(kind)
