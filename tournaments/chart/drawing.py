"""Draws the picture: bands, ways, labels at their ends, the list of players below."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from tournaments.chart.layout import GOAL, LEFT, RIGHT, ROW, TOP, Layout, layout_of, spread
from tournaments.chart.palette import FILLED, SHAPES, STYLE
from tournaments.chart.picture import Line, Picture
from tournaments.chart.times import ticks
from tournaments.chart.words import description_of, shortened, standing_of, state_of, title_of
from tournaments.courses import Course

EDGE = "12"
_SHORT_TITLE = 30
_SHORT_NAME = 19
_CROSS = "M-4-4L4 4M-4 4L4-4"


def svg(picture: Picture) -> str:
    """The chart, as wide as its place; its height follows from players and stages alone."""
    layout = layout_of(picture)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{layout.height}" role="img" lang="en" ',
            'aria-labelledby="taki-title taki-desc">',
            f'<title id="taki-title">{escape(title_of(picture))}</title>',
            f'<desc id="taki-desc">{escape(description_of(picture))}</desc>',
            f"<style>{STYLE}</style>",
            *_shapes(picture),
            '<rect class="g" width="100%" height="100%" rx="6"/>',
            *_heading(picture),
            *_bands(layout),
            *_axis(picture, layout),
            *_ways(picture, layout),
            *_legend(picture, layout),
            "</svg>\n",
        )
    )


def _shapes(picture: Picture) -> Iterator[str]:
    yield f'<defs><path id="taki-gone" d="{_CROSS}"/>'
    for line in picture.lines:
        yield f'<path id="taki-{line.seat}" d="{SHAPES[line.seat]}"/>'
    yield "</defs>"


def _n(number: float) -> str:
    """A number as short as the eye needs it."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _text(x: str, y: float, text: str, classes: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{x}" y="{_n(y)}"{named}>{escape(text)}</text>'


def _heading(picture: Picture) -> Iterator[str]:
    name = picture.name or "Tournament"
    short = shortened(name, _SHORT_TITLE)
    if short == name:
        yield _text(EDGE, 22, name, "h")
    else:
        yield _text(EDGE, 22, short, "h narrow") + _text(EDGE, 22, name, "h wide")
    yield _text(EDGE, 39, state_of(picture), "s")


def _bands(layout: Layout) -> Iterator[str]:
    for stage in range(layout.stages + 1):
        top, height = layout.top_of(stage), layout.band if stage else GOAL
        if stage % 2 == 0:
            yield f'<rect class="b" y="{_n(top)}" width="{_n(RIGHT)}%" height="{_n(height)}"/>'
        if stage:
            yield _text(EDGE, top + height / 2 + 4, str(stage))
    yield _text(EDGE, TOP - 6, "stage", "s")
    yield _text(f"{_n(LEFT + 1.5)}%", TOP + GOAL / 2 + 4, "through", "s")


def _axis(picture: Picture, layout: Layout) -> Iterator[str]:
    if picture.began is None:
        return
    bottom = layout.bottom
    for at, word in ((0, "start"), *ticks(picture.elapsed)):
        x = _n(layout.x(picture.began + at))
        yield (
            f'<line class="x" x1="{x}%" x2="{x}%" y1="{_n(TOP)}" y2="{_n(bottom + 4)}"/>'
            + _text(f"{x}%", bottom + 17, word, "s m")
        )


def _ways(picture: Picture, layout: Layout) -> Iterator[str]:
    wanted = {line.seat: layout.y(line.course.reached, line.seat) for line in picture.lines if line.course}
    labels = spread(wanted, TOP + 6, layout.bottom - 6)
    for line in picture.lines:
        if line.course is not None:
            yield f'<g class="k k{line.seat}">'
            yield from _way(line.course, layout)
            yield from _end(line.course, layout, labels[line.seat])
            yield "</g>"
            yield _text(f"{_n(RIGHT + 6)}%", labels[line.seat] + 4, str(line.seat), "n")


def _way(course: Course, layout: Layout) -> Iterator[str]:
    """Stays and rises, then the marks upon them."""
    reached = [(layout.x(span.began), layout.y(span.stage, course.seat)) for span in course.spans]
    if course.reached == 0:
        reached.append((layout.x(course.since), layout.y(0, course.seat)))
    for span, (begin, y) in zip(course.spans, reached, strict=False):
        yield f'<line x1="{_n(begin)}%" x2="{_n(layout.x(span.ended))}%" y1="{_n(y)}" y2="{_n(y)}"/>'
    for (_, low), (x, high) in pairwise(reached):
        yield f'<line class="v" x1="{_n(x)}%" x2="{_n(x)}%" y1="{_n(low)}" y2="{_n(high)}"/>'
    for x, y in reached[1:]:
        yield _mark(course.seat, f"{_n(x)}%", y)


def _mark(seat: int, x: str, y: float) -> str:
    hollow = "" if seat < FILLED else ' class="o"'
    return f'<use href="#taki-{seat}"{hollow} x="{x}" y="{_n(y)}"/>'


def _end(course: Course, layout: Layout, label: float) -> Iterator[str]:
    y, x = layout.y(course.reached, course.seat), layout.x(course.since if course.reached == 0 else course.until)
    if course.left:
        yield f'<use href="#taki-gone" x="{_n(x)}%" y="{_n(y)}"/>'
    else:
        yield _mark(course.seat, f"{_n(x)}%", y)
    if course.left and x < RIGHT:
        yield f'<line class="d" x1="{_n(x)}%" x2="{_n(RIGHT)}%" y1="{_n(y)}" y2="{_n(y)}"/>'
    yield f'<line class="t" x1="{_n(RIGHT + 1.5)}%" x2="{_n(RIGHT + 5)}%" y1="{_n(y)}" y2="{_n(label)}"/>'


def _legend(picture: Picture, layout: Layout) -> Iterator[str]:
    for row, line in enumerate(picture.ranked()):
        y = layout.legend + row * ROW
        place = "" if line.place is None else f"{line.place}."
        yield _text("28", y + 4, place, "s e") if place else ""
        yield f'<g class="k k{line.seat}">{_mark(line.seat, "42", y)}</g>'
        yield _text("54", y + 4, str(line.seat), "n")
        # A frame of its own cuts what an unusual letter makes longer than expected.
        yield f'<svg x="68" y="{_n(y - 10)}" width="136" height="{ROW}">{_name(line)}</svg>'
        yield _text("208", y + 4, standing_of(line, picture), "s")


def _name(line: Line) -> str:
    return _text("0", 14, shortened(line.name, _SHORT_NAME))
