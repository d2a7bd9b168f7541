"""Names that people give to themselves and to things: composed, short, visible, and written in one direction."""

import unicodedata
from typing import Final

from httpapi.problems import invalid_field

LONGEST: Final = 60
# Embeddings, overrides and isolates turn the text around them; the plain marks (LRM, RLM, ALM) do not.
_DIRECTION: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_NONCHARACTERS: Final = range(0xFDD0, 0xFDF0)
_LAST_TWO: Final = 0xFFFE
_INVISIBLE: Final = frozenset({"Cf", "Mn", "Me", "Zs"})


def clean_name(text: str, pointer: str) -> str:
    """The name in NFC without blanks around it; `pointer` is where it stood, for the refusal."""
    name = unicodedata.normalize("NFC", text).strip()
    for character in name:
        if character in _DIRECTION or unicodedata.category(character) in _CONTROL or _is_noncharacter(character):
            raise invalid_field(pointer, "forbidden_character", character=f"U+{ord(character):04X}")
    if all(unicodedata.category(character) in _INVISIBLE for character in name):
        raise invalid_field(pointer, "blank_text")
    if len(name) > LONGEST:
        raise invalid_field(pointer, "too_long", limit=LONGEST)
    return name


def _is_noncharacter(character: str) -> bool:
    """Unicode promises never to use U+FDD0 to U+FDEF and the last two of each plane (Unicode 23.7)."""
    number = ord(character)
    return number in _NONCHARACTERS or number & _LAST_TWO == _LAST_TWO
