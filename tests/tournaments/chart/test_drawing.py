"""The drawing: well-formed, escaped, complete, and the same for the same picture."""

import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.tournaments.chart.pictures import picture, waiting, won
from tournaments.chart.drawing import svg
from tournaments.chart.picture import Picture

SVG = "{http://www.w3.org/2000/svg}"
TEN = [f"Player {number}" for number in range(10)]


def drawn(shown: Picture) -> ET.Element:
    return ET.fromstring(svg(shown))


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    "shown",
    [waiting(), waiting([]), picture(), picture(TEN), picture(minutes=0), won(picture(changes=[(10, 1, 0)]), 1)],
)
def test_a_chart_is_well_formed_and_names_itself_to_those_who_do_not_see_it(shown: Picture) -> None:
    root = drawn(shown)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", f"{title.get('id')} {description.get('id')}")
    assert title.text
    assert description.text


def test_names_are_text_whatever_they_hold() -> None:
    nasty = '<script>alert("1")</script>&amp;\']]>'
    root = drawn(replace(picture([nasty, "Ben"]), name=nasty))
    assert root.find(f".//{SVG}script") is None
    assert any(text.startswith('<script>alert("') for text in texts(root))


def test_a_chart_fits_its_place_and_asks_for_nothing() -> None:
    drawing = svg(picture(TEN))
    assert 'width="100%"' in drawing
    assert "viewBox" not in drawing
    assert re.findall(r'(?:href|src)="([^#][^"]*)"|url\(|@import|<script|<image', drawing) == []


def test_every_seat_is_told_by_shape_and_number_besides_its_color() -> None:
    root = drawn(picture(TEN))
    marks = {use.get("href") for use in root.iter(f"{SVG}use")}
    assert marks == {f"#taki-{seat}" for seat in range(10)}
    bold = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "n"]
    assert sorted(number or "" for number in bold) == sorted([str(seat) for seat in range(10)] * 2)


def test_both_schemes_stand_in_the_chart() -> None:
    assert "@media(prefers-color-scheme:dark)" in svg(picture())


def test_a_stage_reached_is_a_rise_and_a_mark() -> None:
    before, after = picture(), picture(changes=[(5, 0, 7)])
    assert svg(after).count('class="v"') - svg(before).count('class="v"') == 1
    assert svg(after).count("<use") - svg(before).count("<use") == 1


def test_who_left_is_crossed_out_and_goes_on_in_dots() -> None:
    drawing = svg(picture(left={1: 4}))
    assert drawing.count('href="#taki-gone"') == 1
    assert drawing.count('class="d"') == 1
    assert 'class="d"' not in svg(picture())


def test_players_are_listed_by_place() -> None:
    listed = [
        name for name in texts(drawn(picture(["Noa", "Ben", "Gil"], [(2, 2, 7)]))) if name in {"Noa", "Ben", "Gil"}
    ]
    assert listed == ["Gil", "Noa", "Ben"]


def test_a_table_that_has_not_started_shows_who_sits_there() -> None:
    told = texts(drawn(waiting(["Noa", "Ben"])))
    assert {"Tournament", "not started yet", "Noa", "Ben"} <= set(told)
    assert "start" not in told


def test_one_picture_gives_one_drawing() -> None:
    shown = picture(TEN, [(2, 3, 7)])
    assert svg(shown) == svg(replace(shown))


def test_ten_players_at_all_stages_stay_small() -> None:
    changes = [(9 - stage, seat, stage) for stage in range(7, 0, -1) for seat in range(10)]
    assert len(svg(picture(TEN, changes)).encode()) < 30_000
