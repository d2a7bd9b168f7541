"""The form of a scenario: its fields, its commands and its opening, read strictly and without files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.engine.cards import COLORS, Color
from games.engine.commands import CatchLastCard, Command, DrawCards, Leave, Pass, PlayCards, SayLastCard, TimeOut
from games.engine.position import read_cards
from games.engine.position_values import PositionFault, seat_named
from games.engine.refusals import REFUSALS
from games.engine.ruleset import DEFAULT_PRESET, Ruleset, RulesetFault, ruleset_from

_FIELDS: Final = frozenset({"id", "rule", "ruleset", "position", "when", "then"})
_STEP_FIELDS: Final = frozenset({"do", "reject", "at_ms"})
_ANYONE: Final = frozenset({"by", "answer", "say_last"})
_VERBS: Final[Mapping[str, frozenset[str]]] = {
    "play": _ANYONE | {"cards", "color", "run_color", "close"},
    "draw": _ANYONE,
    "pass": _ANYONE,
    "say_last": _ANYONE,
    "catch": _ANYONE | {"target"},
    "leave": _ANYONE,
    "timeout": frozenset({"for"}),
}
_CODES: Final = frozenset(refusal.code for refusal in REFUSALS)


class CaseFault(Exception):
    """A scenario that cannot be run as written: where in it, and why."""

    def __init__(self, where: str, why: str) -> None:
        """Keep both for the report."""
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


class Step(Struct, frozen=True):
    """One command of `when`, as written."""

    do: str
    by: str | None = None
    cards: bytes = b""
    color: Color | None = None
    run_color: Color | None = None
    close: bool = False
    say_last: bool = False
    answer: bool = False
    target: str | None = None
    awaited: str | None = None
    reject: str | None = None
    at_ms: int | None = None
    shown: str = ""


class Case(Struct, frozen=True):
    """One scenario; `position` and `then` are checked where they are used."""

    id: str
    rule: str
    rules: Ruleset
    position: Mapping[str, object]
    steps: tuple[Step, ...]
    then: Mapping[str, object]


def read_case(raw: object) -> Case:
    """Read one scenario; CaseFault says what is wrong with it."""
    fields = mapping_of(raw, "scenario")
    _refuse_unknown(fields, _FIELDS, "scenario")
    identity = fields.get("id")
    if not isinstance(identity, str) or not identity:
        raise CaseFault("id", "missing, or no text")
    steps = fields.get("when")
    if steps is not None and not isinstance(steps, list):
        raise CaseFault("when", "must be a list of commands")
    return Case(
        id=identity,
        rule=str(fields.get("rule", "")),
        rules=_read_rules(fields.get("ruleset")),
        position=mapping_of(fields.get("position"), "position"),
        steps=tuple(_read_step(step, f"step {number}") for number, step in enumerate(steps or (), 1)),
        then=mapping_of(fields.get("then"), "then"),
    )


def _read_rules(raw: object) -> Ruleset:
    options = mapping_of(raw, "ruleset")
    preset = options.pop("preset", DEFAULT_PRESET)
    if type(options.get("deck")) is int:
        options["deck"] = str(options["deck"])
    try:
        return ruleset_from(options, str(preset))
    except RulesetFault as fault:
        raise CaseFault(f"ruleset: {fault.field}", f"{fault.code} {dict(fault.params)}") from None


def _read_step(raw: object, where: str) -> Step:
    fields = mapping_of(raw, where)
    verb = fields.get("do")
    if not isinstance(verb, str) or verb not in _VERBS:
        raise CaseFault(where, f"unknown command {verb!r}")
    _refuse_unknown(fields, _VERBS[verb] | _STEP_FIELDS, where)
    reject = _text(fields, "reject", where)
    if reject is not None and reject not in _CODES:
        raise CaseFault(where, f"unknown refusal {reject!r}")
    if verb != "timeout" and fields.get("by") is None:
        raise CaseFault(where, "`by` is missing")
    return Step(
        do=verb,
        by=_text(fields, "by", where),
        cards=_read_played(fields, where) if verb == "play" else b"",
        color=_color(fields, "color", where),
        run_color=_color(fields, "run_color", where),
        close=_flag(fields, "close", where),
        say_last=_flag(fields, "say_last", where),
        answer=_flag(fields, "answer", where),
        target=_text(fields, "target", where),
        awaited=_text(fields, "for", where),
        reject=reject,
        at_ms=_moment(fields, where),
        shown=_shown(fields),
    )


def command_of(step: Step, seats: Mapping[str, int], where: str) -> Command:
    """Turn a step into the command it means; a player who is not at the table is a stranger (22.17)."""
    if step.do == "timeout":
        return TimeOut()
    seat = seats.get(step.by or "")
    if step.do == "play":
        return PlayCards(
            seat,
            step.cards,
            color=step.color,
            run_color=step.run_color,
            close=step.close,
            say_last=step.say_last,
            answer=step.answer,
        )
    if step.do == "pass":
        return Pass(seat, say_last=step.say_last, answer=step.answer)
    if step.do == "catch":
        return CatchLastCard(seat, seat_of(step.target, seats, f"{where}: target"))
    if step.do == "draw":
        return DrawCards(seat, answer=step.answer)
    return SayLastCard(seat) if step.do == "say_last" else Leave(seat)


# --- kinds of values -----------------------------------------------------------------------------


def mapping_of(raw: object, where: str) -> dict[str, object]:
    """Take a mapping, or nothing for an absent one."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise CaseFault(where, "must be a mapping")
    return {str(name): value for name, value in raw.items()}


def seat_of(name: object, seats: Mapping[str, int], where: str) -> int:
    """Find the seat of a player that a scenario names."""
    try:
        return seat_named(name, where, seats)
    except PositionFault as fault:
        raise CaseFault(where, f"{fault.code} {name!r}") from None


def cards_of(raw: object, where: str) -> bytes:
    """Read a list of card codes."""
    try:
        return read_cards(raw, where)
    except PositionFault as fault:
        raise CaseFault(where, str(fault)) from None


def _read_played(fields: Mapping[str, object], where: str) -> bytes:
    cards = cards_of(fields.get("cards"), f"{where}: cards")
    if not cards:
        raise CaseFault(where, "a play needs at least one card")
    return cards


def _refuse_unknown(fields: Mapping[str, object], known: frozenset[str], where: str) -> None:
    for name in fields:
        if name not in known:
            raise CaseFault(where, f"unknown field {name!r}")


def _text(fields: Mapping[str, object], name: str, where: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise CaseFault(where, f"`{name}` must be a text")
    return value


def _color(fields: Mapping[str, object], name: str, where: str) -> Color | None:
    code = _text(fields, name, where)
    if code is None:
        return None
    for color in COLORS:
        if color.value == code:
            return color
    raise CaseFault(where, f"unknown color {code!r}")


def _flag(fields: Mapping[str, object], name: str, where: str) -> bool:
    value = fields.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise CaseFault(where, f"`{name}` must be true or false")
    return value


def _moment(fields: Mapping[str, object], where: str) -> int | None:
    value = fields.get("at_ms")
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseFault(where, "`at_ms` must be a whole number of milliseconds")
    return value


def _shown(fields: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{name}: {_plain(value)}" for name, value in fields.items()) + "}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
