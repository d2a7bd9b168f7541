"""What Hypothesis draws: rules of any kind, tables in the middle of a game, and players."""

from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

from bench.players import RandomPlayer
from bench.tables import VALUES, random_deal, random_table
from games.engine.ruleset import Ruleset
from games.engine.state import State


def _default_first(name: str, default: Any) -> st.SearchStrategy[Any]:
    """The values of one option; examples shrink towards the default."""
    return st.sampled_from(sorted(VALUES[name], key=lambda value: value != default))


def rulesets(**fixed: Any) -> st.SearchStrategy[Ruleset]:
    """Rulesets over all values of all options but those fixed."""
    drawn = {
        field.name: _default_first(field.name, field.default)
        for field in msgspec.structs.fields(Ruleset)
        if field.name not in fixed
    }
    return st.builds(Ruleset, **drawn, **{name: st.just(value) for name, value in fixed.items()})


seeds = st.integers(min_value=0, max_value=2**32 - 1)


def players() -> st.SearchStrategy[RandomPlayer]:
    """Players who choose at random."""
    return st.builds(RandomPlayer, seeds)


@st.composite
def tables(draw: st.DrawFn, rules: st.SearchStrategy[Ruleset] | None = None) -> State:
    """Tables with few cards about, or fresh from the deal."""
    chosen = draw(rulesets() if rules is None else rules)
    random = Random(draw(seeds))
    if draw(st.booleans()):
        return random_table(random, chosen)
    return random_deal(random, chosen).state
