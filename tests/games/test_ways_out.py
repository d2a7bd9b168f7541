"""No way out of a running game tells of a card that its reader may not see: twins look alike, logs and Redis hear nothing."""

from __future__ import annotations

from typing import Final

import pytest
import redis

from games.models import Game, Seed
from taki_project.celery import app
from tests.games.hidden_plans import plan_with
from tests.games.people import Json
from tests.games.twin_walks import Company, walk
from tests.games.twins import OPTIONS
from tests.games.ways_out import CODES, differing, logged, masked, spellings, told_to_redis

pytestmark = pytest.mark.django_db

FULL_RUNS: Final[Json] = {"taki_run_length": "all", "plus_must_play": True, "plus3_window": "holders_only"}
TABLES: Final[dict[str, Json]] = {
    "all are asked": OPTIONS,
    "a tournament with catches": {**OPTIONS, "mode": "tournament", "last_card_mode": "catch"},
    "only holders are asked, runs are played whole": {**OPTIONS, **FULL_RUNS},
    "a tournament where only holders are asked": {
        **OPTIONS,
        **FULL_RUNS,
        "mode": "tournament",
        "last_card_mode": "catch",
    },
}


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_games_that_differ_in_hidden_cards_alone_look_alike(options: Json, redis_client: redis.Redis) -> None:
    drawn = plan_with(options, length=5, window=True)
    company = Company.gathered(3)
    with told_to_redis(redis_client) as told, logged() as first_lines:
        first = walk(drawn, company, drawn.deck, options)
    with logged() as second_lines:
        second = walk(drawn, company.alike(), drawn.twin, options)

    assert differing(first, second) == []
    assert [masked(line) for line in first_lines.lines] == [masked(line) for line in second_lines.lines]
    assert told
    assert_silent(first_lines.text, second_lines.text, *told)


def assert_silent(*texts: str) -> None:
    """No card is named in these texts, no hand, pile or state of any game, and no seed."""
    text = "\n".join(texts)
    assert CODES.findall(text) == []
    secrets = [bytes(seed.value) for seed in Seed.objects.all()]
    secrets += [bytes(game.state) for game in Game.objects.all() if game.state is not None]
    assert [secret for secret in secrets for spelled in spellings(secret) if spelled in text] == []


def test_workers_are_told_what_to_do_and_of_no_game(redis_client: redis.Redis) -> None:
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert {task.name for task in ours} >= {"settle_expired_turns", "draw_due_penalties", "make_checkpoint"}
    with told_to_redis(redis_client) as told:
        for task in ours:
            assert task.run.__code__.co_argcount == 0
            task.apply_async()
    text = "\n".join(told)
    assert [task.name for task in ours if task.name not in text] == []
    assert "argsrepr" in text
    assert CODES.findall(text) == []
