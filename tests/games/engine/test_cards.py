from collections import Counter

import msgspec
import pytest

from games.engine.cards import (
    CODE,
    COLOR,
    COLORS,
    DECK,
    FACE,
    FACES,
    KING,
    LEAD_OF_FACE,
    LEADS,
    SYMBOL,
    Cards,
    Color,
    Deck,
    Lead,
    Symbol,
    codes_of,
    dec_hook,
    enc_hook,
    faces_of,
    lead_named,
    lead_of,
    without,
)


def test_the_full_deck_is_the_one_of_the_rules() -> None:
    deck = Counter(codes_of(DECK[Deck.FULL_116]))

    assert deck.total() == 116
    assert {code: count for code, count in deck.items() if count != 2} == {"change-color": 4}
    assert {code for code in deck if "-" not in code or code in ("super-taki", "change-color")} == {
        "super-taki", "king", "plus3", "breaker", "change-color",
    }  # fmt: skip
    assert sorted(code for code in deck if code.startswith("red-")) == sorted(
        f"red-{symbol}"
        for symbol in ("1", "3", "4", "5", "6", "7", "8", "9", "stop", "plus2", "reverse", "plus", "taki")
    )


def test_the_smaller_decks_lack_what_they_lack() -> None:
    full = set(DECK[Deck.FULL_116])

    assert codes_of(bytes(sorted(full - set(DECK[Deck.KING_112])))) == ["plus3", "breaker"]
    assert codes_of(bytes(sorted(full - set(DECK[Deck.BASIC_110])))) == ["king", "plus3", "breaker"]
    assert (len(DECK[Deck.KING_112]), len(DECK[Deck.BASIC_110])) == (112, 110)


def test_the_deck_stands_in_canonical_order() -> None:
    deck = codes_of(DECK[Deck.FULL_116])

    assert deck[:4] == ["red-1", "red-1", "yellow-1", "yellow-1"]
    assert deck[64:66] == ["red-stop", "red-stop"]
    assert deck[-12:-8] == ["super-taki", "super-taki", "king", "king"]


def test_every_code_names_its_face_color_and_symbol() -> None:
    for face in FACES:
        assert FACE[CODE[face]] == face
        color, symbol = COLOR[face], SYMBOL[face]
        assert CODE[face] == (f"{color.value}-{symbol.value}" if color else CODE[face])
        assert LEAD_OF_FACE[face] is lead_of(color or Color.ANY, symbol)


def test_a_super_taki_shows_taki() -> None:
    assert SYMBOL[FACE["super-taki"]] is Symbol.TAKI


def test_there_is_one_object_for_each_lead() -> None:
    assert len(LEADS) == len(Color) * len(Symbol)
    assert lead_named("red", "5") is lead_of(Color.RED, Symbol.FIVE)
    assert repr(lead_named("any", "king")) == "Lead(any-king)"


def test_what_mismatches_a_lead_has_another_color_and_another_symbol() -> None:
    for lead in LEADS:
        for face in FACES:
            color = COLOR[face]
            fits = color is None or lead.color in (Color.ANY, color) or lead.symbol is SYMBOL[face]
            assert (face not in lead.mismatch) == fits


def test_cards_are_taken_out_once_each_and_the_order_stays() -> None:
    hand = faces_of(["red-3", "king", "red-3", "blue-1"])

    assert codes_of(without(hand, faces_of(["red-3", "king"])) or b"") == ["red-3", "blue-1"]
    assert without(hand, faces_of(["king", "king"])) is None
    assert without(hand, b"") == hand


def test_cards_and_leads_travel_as_codes() -> None:
    cards, lead = faces_of(["red-3", "king"]), lead_named("any", "king")

    assert msgspec.json.encode([cards, lead], enc_hook=enc_hook) == (
        b'[["red-3","king"],{"color":"any","symbol":"king"}]'
    )
    assert msgspec.json.decode(b'["red-3","king"]', type=Cards, dec_hook=dec_hook) == cards
    assert msgspec.json.decode(b'{"color":"any","symbol":"king"}', type=Lead, dec_hook=dec_hook) is lead


@pytest.mark.parametrize("text", [b'["red-2"]', b'"red-3"', b"[3]", b'{"red-3": 1}', b"[[]]", b"null"])
def test_what_are_no_cards_is_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Cards, dec_hook=dec_hook)


@pytest.mark.parametrize("text", [b'{"color":"pink","symbol":"5"}', b'{"color":"red"}', b'["red","5"]', b"{}"])
def test_what_is_no_lead_is_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Lead, dec_hook=dec_hook)


def test_only_cards_and_leads_are_encoded() -> None:
    with pytest.raises(NotImplementedError):
        enc_hook(object())


def test_four_colors_and_a_king_without() -> None:
    assert [color.value for color in COLORS] == ["red", "yellow", "green", "blue"]
    assert COLOR[KING] is None
