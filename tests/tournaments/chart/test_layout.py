"""Where things stand."""

from itertools import pairwise

import pytest

from tests.tournaments.chart.pictures import MINUTE, picture
from tournaments.chart.layout import LABEL, LEFT, RIGHT, layout_of, spread

TEN = [f"Player {number}" for number in range(10)]


@pytest.mark.parametrize("seats", [2, 5, 10])
@pytest.mark.parametrize("stages", [1, 8])
def test_no_lane_of_a_seat_at_a_stage_is_that_of_another(seats: int, stages: int) -> None:
    layout = layout_of(picture(TEN[:seats], stages=stages))
    lanes = sorted(layout.y(stage, seat) for stage in range(1, stages + 1) for seat in range(seats))
    assert min(low - high for high, low in pairwise(lanes)) >= 4.5
    assert lanes[-1] < layout.bottom


def test_who_is_ahead_stands_higher() -> None:
    layout = layout_of(picture())
    assert [layout.y(stage, 0) for stage in range(9)] == sorted(layout.y(stage, 0) for stage in range(9))


def test_time_runs_from_the_left_edge_to_the_right() -> None:
    layout = layout_of(picture(minutes=10))
    assert [layout.x(at) for at in (0, 5 * MINUTE, 10 * MINUTE)] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]


def test_a_tournament_of_no_duration_has_a_place_for_everything() -> None:
    assert layout_of(picture(minutes=0)).x(0) == LEFT


@pytest.mark.parametrize("heights", [[300.0] * 10, [100.0, 104.0, 300.0], [0.0, 500.0]])
def test_labels_never_lie_upon_each_other_nor_outside(heights: list[float]) -> None:
    placed = sorted(spread(dict(enumerate(heights)), 60, 320).values())
    assert all(low - high >= LABEL for high, low in pairwise(placed))
    assert (placed[0] >= 60, placed[-1] <= 320) == (True, True)


def test_labels_with_room_stand_where_they_belong() -> None:
    assert spread({0: 100.0, 1: 200.0}, 60, 320) == {0: 100.0, 1: 200.0}


def test_the_fewest_stages_leave_room_for_ten_labels() -> None:
    layout = layout_of(picture(TEN, stages=1))
    assert layout.bottom - layout.top_of(0) >= 10 * LABEL
