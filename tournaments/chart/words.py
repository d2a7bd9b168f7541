"""The words of the chart: headings, the state of each player, and the whole of it for those who do not see it."""

from __future__ import annotations

import unicodedata
from typing import Final

from tournaments.chart.picture import Line, Picture
from tournaments.chart.times import duration

_WIDE: Final = frozenset("WF")
_JOINED: Final = frozenset({"Mn", "Me", "Cf"})
_ENDED: Final = {
    "forfeit": "{winner} won by forfeit after {time}",
    "no_winner": "ended without a winner after {time}",
    "stalemate": "stalemate after {time}",
    "void": "void after {time}",
}


def state_of(picture: Picture) -> str:
    """How far the tournament has come."""
    if picture.began is None:
        return "void before the start" if picture.status == "void" else "not started yet"
    time = duration(picture.elapsed)
    if picture.ended is None:
        return f"running for {time}"
    winner = next((isolated(line.name) for line in picture.lines if line.seat == picture.winner), "nobody")
    return _ENDED.get(picture.ended, "{winner} won after {time}").format(winner=winner, time=time)


def standing_of(line: Line, picture: Picture) -> str:
    """How far a player has come."""
    course = line.course
    if course is None:
        return "" if picture.status == "void" else "seated"
    if course.reached == 0:
        return "through"
    if course.left:
        return f"left at stage {course.reached}"
    return f"stage {course.reached} · {line.cards} {'card' if line.cards == 1 else 'cards'}"


def title_of(picture: Picture) -> str:
    """What the chart is."""
    return f"Stages of the tournament {isolated(picture.name)}" if picture.name else "Stages of a tournament"


def description_of(picture: Picture) -> str:
    """All that the chart tells, for those who hear it."""
    return " ".join((f"State: {state_of(picture)}.", *(_told(line, picture) for line in picture.ranked())))


def _told(line: Line, picture: Picture) -> str:
    who = f"{isolated(line.name)} (seat {line.seat})"
    if line.course is None:
        return f"{who}."
    place = "" if line.place is None else f"{line.place}. "
    way = "; ".join(f"stage {span.stage} for {duration(span.ended - span.began)}" for span in line.course.spans)
    return f"{place}{who}: {standing_of(line, picture).replace(' ·', ',')}. {way}."


def isolated(name: str) -> str:
    """A name that may run from right to left, kept from turning the words around it."""
    return f"\u2068{name}\u2069"


def shortened(name: str, width: int) -> str:
    """A name cut to so many narrow letters; wide ones count twice, joined ones nothing and are not torn off."""
    used = 0
    kept: list[str] = []
    for letter in name:
        joined = unicodedata.category(letter) in _JOINED
        used += 0 if joined else 2 if unicodedata.east_asian_width(letter) in _WIDE else 1
        if used > width:
            return "".join(kept).rstrip("\u200d ") + "…"
        kept.append(letter)
    return name
