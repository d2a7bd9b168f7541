"""What the options and presets of a ruleset mean, one line each."""

from functools import cache

from msgspec import Struct

from games.i18n.texts import ENGLISH, read, read_english


class OptionText(Struct, frozen=True):
    """One option: its line, and a line for each value that has a name of its own."""

    text: str
    values: dict[str, str]
    language: str


class PresetText(Struct, frozen=True):
    """One preset: its name and its line."""

    name: str
    text: str
    language: str


class _Option(Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    values: dict[str, str] = {}


class _Preset(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    text: str


class _Texts(Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, _Option]
    presets: dict[str, _Preset]


@cache
def option_texts(language: str) -> dict[str, OptionText]:
    """Explain every option by name, in English where the language lacks it; each entry says its language."""
    english = read_english("options", _Texts).options
    own = _own(language).options
    return {
        name: OptionText(text=text.text, values=text.values, language=language if name in own else ENGLISH)
        for name, text in (english | own).items()
    }


@cache
def preset_texts(language: str) -> dict[str, PresetText]:
    """Explain every preset by name, in English where the language lacks it; each entry says its language."""
    english = read_english("options", _Texts).presets
    own = _own(language).presets
    return {
        name: PresetText(name=text.name, text=text.text, language=language if name in own else ENGLISH)
        for name, text in (english | own).items()
    }


def _own(language: str) -> _Texts:
    return read("options", language, _Texts) or _Texts(options={}, presets={})
