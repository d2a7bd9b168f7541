"""Spans in words and ticks."""

import pytest

from tournaments.chart.times import DAY, HOUR, MINUTE, MOST_TICKS, SECOND, duration, ticks


@pytest.mark.parametrize(
    "ms, words",
    [
        (0, "0.0 s"),
        (420, "0.4 s"),
        (SECOND, "1 s"),
        (59_999, "59 s"),
        (MINUTE, "1 min"),
        (3 * MINUTE + 20 * SECOND, "3 min 20 s"),
        (2 * HOUR + 59 * SECOND, "2 h"),
        (2 * HOUR + 5 * MINUTE, "2 h 5 min"),
        (3 * DAY + 4 * HOUR, "3 d 4 h"),
    ],
)
def test_a_span_is_told_in_its_two_largest_units(ms: int, words: str) -> None:
    assert duration(ms) == words


@pytest.mark.parametrize("span", [1, 99, 700, 12_345, 61 * MINUTE, 5 * HOUR, 13 * DAY, 900 * DAY])
def test_ticks_are_few_even_and_within_the_span(span: int) -> None:
    moments = [at for at, _ in ticks(span)]
    assert len(moments) <= MOST_TICKS
    assert moments == [moments[0] * number for number in range(1, len(moments) + 1)] if moments else span < 100
    assert all(at <= span for at in moments)


def test_ticks_are_told_in_one_unit() -> None:
    assert [word for _, word in ticks(61 * MINUTE)] == ["15 min", "30 min", "45 min", "60 min"]
    assert [word for _, word in ticks(900)] == ["0.2 s", "0.4 s", "0.6 s", "0.8 s"]
