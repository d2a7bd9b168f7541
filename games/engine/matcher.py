"""The reference matcher: a command is accepted exactly when it fits a legal-move template (api: section 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from games.engine.cards import CHANGE_COLOR, TAKIS, codes_of
from games.engine.commands import CatchLastCard, Command, DrawCards, Pass, PlayCards, SayLastCard
from games.engine.templates import CatchMove, DrawMove, PassMove, PlayMove, Run, Template


def matches(templates: Iterable[Template], command: Command) -> bool:
    """Tell whether the command fits one of the templates of its seat."""
    return any(fits(template, command) for template in templates)


def fits(template: Template, command: Command) -> bool:
    """Tell whether the command fits this template."""
    if isinstance(template, PlayMove):
        return isinstance(command, PlayCards) and _fits_play(template, command)
    if isinstance(template, DrawMove):
        return isinstance(command, DrawCards) and not command.answer
    if isinstance(template, PassMove):
        return isinstance(command, Pass) and (template.answer or not command.answer)
    if isinstance(template, CatchMove):
        return isinstance(command, CatchLastCard) and command.target == template.target
    return isinstance(command, SayLastCard)


def _fits_play(template: PlayMove, command: PlayCards) -> bool:
    first, *rest = codes_of(command.cards)
    if first != template.card or (command.answer and not template.answer):
        return False
    if (command.color is not None) is not (command.cards[-1] == CHANGE_COLOR):
        return False
    run = template.run
    if command.run_color is not (run.color if run and "run_color" in template.needs else None):
        return False
    if run is None:
        return not rest
    return not (command.close and command.cards[-1] in TAKIS) and _fits_run(run, rest)


def _fits_run(run: Run, rest: list[str]) -> bool:
    if rest and rest[-1] in run.may_end_with:
        rest = rest[:-1]
    head = list(takewhile(_is_taki, rest))
    own = {"super-taki", f"{run.color.value}-taki"}
    if own.issuperset(head):
        return _between(rest, run.required, run.cards)
    turned = [code.removesuffix("-taki") for code in head if code != "super-taki"][-1]
    return any(
        way.color.value == turned
        and _between(rest, way.required, way.cards)
        and all(code == "super-taki" or code.startswith(turned) for code in rest[len(head) :])
        for way in run.turns_to
    )


def _is_taki(code: str) -> bool:
    return code.endswith("taki")


def _between(cards: Sequence[str], least: Sequence[str], most: Sequence[str]) -> bool:
    counted = Counter(cards)
    return Counter(least) <= counted <= Counter(most)
