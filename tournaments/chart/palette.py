"""Ten colors and ten shapes, one of each for a seat, and the style sheet in a light and a dark form.

The colors were searched for, not chosen: any two differ to every eye, that of protan, deutan and tritan color blindness
included, and all stand out from the background. The tests measure both.
"""

from __future__ import annotations

from typing import Final

LIGHT: Final = "#ffffff"
DARK: Final = "#12161c"
ON_LIGHT: Final = (
    "#568fde", "#d07901", "#0d6a0d", "#ab30cb", "#da4657", "#04363d", "#428978", "#472802", "#6a2891", "#390279",
)  # fmt: skip
ON_DARK: Final = (
    "#648dc7", "#fecda1", "#c6ffc1", "#d576f0", "#f57079", "#7dd9e7", "#21bfa2", "#fea43e", "#bfa3d5", "#e6e1fe",
)  # fmt: skip
INK: Final = ("#1b2430", "#e8ecf2")
MUTED: Final = ("#566070", "#a3adbb")
_BAND: Final = ("#f2f4f7", "#1a2029")
_EDGE: Final = ("#d3d9e1", "#333c49")

_OUTLINES: Final = (
    "M0-4A4 4 0 1 1-.01-4Z",
    "M-3.6-3.6H3.6V3.6H-3.6Z",
    "M0-4.6L4.4 3.4H-4.4Z",
    "M0-5L5 0L0 5L-5 0Z",
    "M0 4.6L4.4-3.4H-4.4Z",
)
SHAPES: Final = (*_OUTLINES, *_OUTLINES)
"""Outlines around the origin, by seat: five filled ones, then the same five hollow."""
FILLED: Final = len(_OUTLINES)

_FIXED: Final = (
    "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}"
    ".h{font-size:15px;font-weight:600}.s{font-size:11px}.n{font-weight:700}.e{text-anchor:end}.m{text-anchor:middle}"
    ".k line{stroke-width:2.2;stroke-linecap:round}.k path,.k use{stroke-width:1.6}"
    ".wide{display:none}@media(min-width:620px){.wide{display:inline}.narrow{display:none}}"
    ".k .v{stroke-width:1.4}.k .d{stroke-dasharray:1 4;stroke-width:1.6}.k .t{stroke-width:.8}"
)


def _scheme(number: int) -> str:
    background, colors = ((LIGHT, ON_LIGHT), (DARK, ON_DARK))[number]
    return (
        f".g{{fill:{background}}}text{{fill:{INK[number]}}}.s{{fill:{MUTED[number]}}}.b{{fill:{_BAND[number]}}}"
        f".x{{stroke:{_EDGE[number]}}}"
        + "".join(f".k{seat}{{stroke:{color};fill:{color}}}" for seat, color in enumerate(colors))
        + f".k .o{{fill:{background}}}"
    )


STYLE: Final = f"{_FIXED}{_scheme(0)}@media(prefers-color-scheme:dark){{{_scheme(1)}}}"
