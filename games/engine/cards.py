"""Colors, symbols, faces and their codes, and the decks (B3, B12 to B16, option `deck`).

A face is a small int in canonical order: the thirteen colored symbols in red, yellow, green and blue, then the five
colorless kinds. Hands and piles are `bytes`, one byte a card, so that whole-hand questions are single calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import Final

Face = int


class Color(Enum):
    """The four colors of cards, and `any`, which only a lead can have (6.3)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    ANY = "any"

    def __init__(self, _code: str) -> None:
        """Number the members, for tables indexed by color."""
        self.index = len(type(self).__members__)


class Symbol(Enum):
    """What a card shows beside its color. A Super TAKI shows TAKI (8.20)."""

    ONE = "1"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    STOP = "stop"
    PLUS2 = "plus2"
    REVERSE = "reverse"
    PLUS = "plus"
    TAKI = "taki"
    KING = "king"
    PLUS3 = "plus3"
    BREAKER = "breaker"
    CHANGE_COLOR = "change-color"

    def __init__(self, _code: str) -> None:
        """Number the members, for tables indexed by symbol."""
        self.index = len(type(self).__members__)


COLORS: Final = (Color.RED, Color.YELLOW, Color.GREEN, Color.BLUE)
COLORED_SYMBOLS: Final = tuple(Symbol)[:13]
NUMBERS: Final = tuple(Symbol)[:8]

SUPER_TAKI: Final[Face] = 52
KING: Final[Face] = 53
PLUS3: Final[Face] = 54
BREAKER: Final[Face] = 55
CHANGE_COLOR: Final[Face] = 56
FACES: Final = range(57)

COLOR: Final[tuple[Color | None, ...]] = tuple(COLORS[f % 4] if f < SUPER_TAKI else None for f in FACES)
SYMBOL: Final[tuple[Symbol, ...]] = tuple(
    COLORED_SYMBOLS[f // 4]
    if f < SUPER_TAKI
    else (Symbol.TAKI, Symbol.KING, Symbol.PLUS3, Symbol.BREAKER, Symbol.CHANGE_COLOR)[f - SUPER_TAKI]
    for f in FACES
)
CODE: Final[tuple[str, ...]] = tuple(
    f"{COLORS[f % 4].value}-{COLORED_SYMBOLS[f // 4].value}"
    if f < SUPER_TAKI
    else ("super-taki", "king", "plus3", "breaker", "change-color")[f - SUPER_TAKI]
    for f in FACES
)
FACE: Final[dict[str, Face]] = {code: face for face, code in enumerate(CODE)}

TAKIS: Final = bytes(f for f in FACES if SYMBOL[f] is Symbol.TAKI)
PLUS2S: Final = bytes(f for f in FACES if SYMBOL[f] is Symbol.PLUS2)
COLORLESS: Final = bytes(range(SUPER_TAKI, len(FACES)))
NOT_OF_COLOR: Final = tuple(bytes(f for f in FACES if COLOR[f] is not color) for color in COLORS)
"""For `hand.translate(None, NOT_OF_COLOR[color.index])`: the cards of a hand that have the color."""


class Cards(bytes):
    """Faces in order as an event or a view carries them; encoded as a list of card codes."""

    __slots__ = ()


class Lead:
    """Color and symbol that the next card has to match (rules 2.2.1); one object for each, so `is` compares."""

    __slots__ = ("color", "index", "mismatch", "symbol")

    def __init__(self, color: Color, symbol: Symbol, index: int) -> None:
        """Work out once which faces do not match this lead (B22 to B24, 2.2.2)."""
        self.color = color
        self.symbol = symbol
        self.index = index
        self.mismatch = (
            b""
            if color is Color.ANY
            else bytes(f for f in range(SUPER_TAKI) if COLOR[f] is not color and SYMBOL[f] is not symbol)
        )

    def __repr__(self) -> str:
        """Show the lead as a card code would."""
        return f"Lead({self.color.value}-{self.symbol.value})"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        """Keep one object for each lead through copies."""
        return _lead_at, (self.index,)


LEADS: Final = tuple(
    Lead(color, symbol, color.index * len(Symbol) + symbol.index) for color in Color for symbol in Symbol
)
_LEAD_BY_CODES: Final = {(lead.color.value, lead.symbol.value): lead for lead in LEADS}
_SYMBOL_COUNT: Final = len(Symbol)
LEAD_OF_FACE: Final = tuple(LEADS[(COLOR[f] or Color.ANY).index * len(Symbol) + SYMBOL[f].index] for f in FACES)


def _lead_at(index: int) -> Lead:
    return LEADS[index]


def lead_of(color: Color, symbol: Symbol) -> Lead:
    """Give the lead with this color and symbol."""
    return LEADS[color.index * _SYMBOL_COUNT + symbol.index]


def lead_named(color: str, symbol: str) -> Lead:
    """Give the lead with these codes; KeyError if there is none."""
    return _LEAD_BY_CODES[color, symbol]


def faces_of(codes: Iterable[str]) -> Cards:
    """Turn card codes into faces, in order; KeyError names an unknown code."""
    return Cards(FACE[code] for code in codes)


def codes_of(cards: bytes) -> list[str]:
    """Turn faces into card codes, in order."""
    return [CODE[face] for face in cards]


def enc_hook(value: object) -> object:
    """Encode what msgspec does not know by itself: cards and leads."""
    if type(value) is Cards:
        return [CODE[face] for face in value]
    if type(value) is Lead:
        return {"color": value.color.value, "symbol": value.symbol.value}
    raise NotImplementedError(type(value).__name__)


def dec_hook(kind: type, value: object) -> object:
    """Decode cards from a list of codes and leads from their two codes; ValueError on anything else."""
    try:
        if kind is Cards and isinstance(value, list):
            return faces_of(value)
        if kind is Lead and isinstance(value, dict):
            return lead_named(value["color"], value["symbol"])
    except (KeyError, TypeError) as fault:
        raise ValueError(f"unknown card or lead {fault}") from None
    raise ValueError(f"expected {kind.__name__}")


class Deck(Enum):
    """The editions on offer (option `deck`)."""

    FULL_116 = "116"
    KING_112 = "112_king"
    BASIC_110 = "110"


_ABSENT: Final = {
    Deck.FULL_116: b"",
    Deck.KING_112: bytes([PLUS3, BREAKER]),
    Deck.BASIC_110: bytes([KING, PLUS3, BREAKER]),
}
DECK: Final[dict[Deck, bytes]] = {
    deck: bytes(face for face in FACES if face not in absent for _ in range(4 if face == CHANGE_COLOR else 2))
    for deck, absent in _ABSENT.items()
}
"""The cards of each edition in canonical order."""


def without(cards: bytes, taken: bytes) -> bytes | None:
    """Give `cards` less each of `taken`, order kept; None if one of them is not there."""
    for face in taken:
        if face not in cards:
            return None
        cards = cards.replace(_ONE[face], b"", 1)
    return cards


_ONE: Final = tuple(bytes([f]) for f in range(256))


def counts_of(cards: bytes) -> Counter[Face]:
    """Count the copies of each face."""
    return Counter(cards)
