"""From moments to spans."""

from tournaments.courses import Change, Course, Frame, Span, courses

FRAME = Frame(stages=(3, 3), began=100, ended=900)


def test_a_player_who_emptied_no_hand_is_at_the_first_stage_all_the_time() -> None:
    assert courses(FRAME, [], {})[0] == Course(0, 3, 100, 900, left=False, spans=(Span(3, 100, 900),))


def test_each_change_ends_a_span_and_begins_the_next() -> None:
    _, way = courses(FRAME, [Change(300, 1, 3, 2), Change(700, 1, 2, 1)], {})
    assert way.spans == (Span(3, 100, 300), Span(2, 300, 700), Span(1, 700, 900))
    assert (way.reached, way.since, way.until) == (1, 700, 900)


def test_who_is_through_has_no_span_after_it() -> None:
    way, _ = courses(FRAME, [Change(200, 0, 3, 2), Change(300, 0, 2, 1), Change(900, 0, 1, 0)], {})
    assert (way.reached, way.since, way.spans[-1]) == (0, 900, Span(1, 300, 900))


def test_a_leavers_last_span_ends_with_the_departure() -> None:
    way, _ = courses(FRAME, [Change(200, 0, 3, 2)], {0: 450})
    assert (way.left, way.reached, way.until, way.spans[-1]) == (True, 2, 450, Span(2, 200, 450))


def test_two_stages_cleared_at_once_leave_a_span_of_no_length() -> None:
    way, _ = courses(FRAME, [Change(200, 0, 3, 2), Change(200, 0, 2, 1)], {})
    assert [span.ended - span.began for span in way.spans] == [100, 0, 700]


def test_a_seat_that_begins_elsewhere_is_there_until_its_first_change() -> None:
    first, second = courses(Frame((2, 5), 100, 900), [Change(300, 0, 3, 2)], {})
    assert first.spans == (Span(3, 100, 300), Span(2, 300, 900))
    assert second.spans == (Span(5, 100, 900),)
