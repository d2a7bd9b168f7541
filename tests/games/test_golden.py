"""Events of the game as they were stored once are read today as they were then."""

import pytest

from games.log import CODEC
from tests.golden.goldens import Golden, goldens, reread


@pytest.mark.parametrize("golden", goldens("games"), ids=lambda golden: f"{golden.kind}.{golden.kind_version}")
def test_an_event_stored_once_is_read_as_it_was(golden: Golden) -> None:
    assert reread(CODEC, golden) == golden.today
