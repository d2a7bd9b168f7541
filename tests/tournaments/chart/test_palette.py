"""Colors that everybody can tell apart, measured: WCAG contrast, and distance in Oklab under simulated color blindness."""

import math
from itertools import combinations

import pytest

from tournaments.chart.palette import DARK, FILLED, INK, LIGHT, MUTED, ON_DARK, ON_LIGHT, SHAPES

Color = tuple[float, float, float]
Matrix = tuple[Color, Color, Color]
# G. M. Machado et al., A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.0.
EYES: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# Björn Ottosson, https://bottosson.github.io/posts/oklab/
TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
SCHEMES = [(LIGHT, ON_LIGHT), (DARK, ON_DARK)]


def times(matrix: Matrix, color: Color) -> Color:
    first, second, third = (sum(a * b for a, b in zip(row, color, strict=True)) for row in matrix)
    return first, second, third


def linear(code: str) -> Color:
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def one(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return one(red), one(green), one(blue)


def contrast(one: str, other: str) -> float:
    dark, light = sorted(
        sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (light + 0.05) / (dark + 0.05)


def seen(code: str, eye: str) -> Color:
    cones = times(TO_CONES, times(EYES[eye], linear(code)))
    first, second, third = (math.copysign(abs(part) ** (1 / 3), part) for part in cones)
    return times(TO_LAB, (first, second, third))


@pytest.mark.parametrize("background, colors", SCHEMES)
def test_every_line_stands_out_from_the_background(background: str, colors: tuple[str, ...]) -> None:
    assert min(contrast(color, background) for color in colors) >= 3  # WCAG 1.4.11


@pytest.mark.parametrize("scheme", [0, 1])
def test_every_text_can_be_read_on_its_background(scheme: int) -> None:
    background = (LIGHT, DARK)[scheme]
    assert min(contrast(color[scheme], background) for color in (INK, MUTED)) >= 4.5  # WCAG 1.4.3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("background, colors", SCHEMES)
def test_any_two_seats_differ_to_every_eye(background: str, colors: tuple[str, ...], eye: str) -> None:
    nearest = min(math.dist(seen(one, eye), seen(other, eye)) for one, other in combinations(colors, 2))
    assert nearest > 0.05  # a just noticeable difference is about 0.02


def test_no_two_seats_have_the_same_mark() -> None:
    marks = [(shape, seat < FILLED) for seat, shape in enumerate(SHAPES)]
    assert len(set(marks)) == len(ON_LIGHT) == len(ON_DARK) == 10
