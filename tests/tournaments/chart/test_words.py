"""What the chart says."""

from msgspec.structs import replace

from tests.tournaments.chart.pictures import picture, waiting, won
from tournaments.chart.words import description_of, shortened, standing_of, state_of, title_of


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def test_the_state_tells_how_long_and_who() -> None:
    assert state_of(waiting()) == "not started yet"
    assert state_of(replace(waiting(), status="void")) == "void before the start"
    assert state_of(picture(minutes=12)) == "running for 12 min"
    over = won(picture(changes=[(10, 1, 0)]), 1)
    assert plain(state_of(over)) == "Ben won after 10 min"
    assert plain(state_of(replace(over, ended="forfeit"))) == "Ben won by forfeit after 10 min"
    assert state_of(replace(over, ended="stalemate", winner=None)) == "stalemate after 10 min"
    assert state_of(replace(over, ended="no_winner", winner=None)) == "ended without a winner after 10 min"
    assert state_of(replace(over, ended="void", winner=None)) == "void after 10 min"


def test_each_standing_is_told() -> None:
    shown = picture(["Noa", "Ben", "Gil"], [(2, 0, 7)], {2: 5})
    assert [standing_of(line, shown) for line in shown.lines] == [
        "stage 7 · 1 card",
        "stage 8 · 2 cards",
        "left at stage 8",
    ]


def test_the_description_holds_all_that_the_chart_shows() -> None:
    told = plain(description_of(picture(["Noa", "Ben", "Gil"], [(2, 0, 7), (6, 0, 6)], {2: 5})))
    assert told == (
        "State: running for 10 min. "
        "1. Noa (seat 0): stage 6, 1 card. stage 8 for 2 min; stage 7 for 4 min; stage 6 for 4 min. "
        "2. Ben (seat 1): stage 8, 2 cards. stage 8 for 10 min. "
        "3. Gil (seat 2): left at stage 8. stage 8 for 5 min."
    )


def test_names_cannot_turn_the_words_around_them() -> None:
    shown = replace(won(picture(["גיל", "Ben"], [(10, 0, 0)]), 0), name="שולחן")
    assert state_of(shown) == "\u2068גיל\u2069 won after 10 min"
    assert title_of(shown) == "Stages of the tournament \u2068שולחן\u2069"


def test_long_names_are_cut_by_their_width_not_by_their_letters() -> None:
    assert shortened("Noa", 19) == "Noa"
    assert shortened("N" * 30, 19) == "N" * 19 + "…"
    assert shortened("王" * 30, 19) == "王" * 9 + "…"
    assert shortened("e\u0301" * 19, 19) == "e\u0301" * 19
