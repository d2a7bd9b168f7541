"""How thoroughly Hypothesis searches: the same examples every time, or `HYPOTHESIS_PROFILE=deep` for many new ones."""

import os

from hypothesis import HealthCheck, settings

SLOW_TO_DRAW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("suite", max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW_TO_DRAW)
settings.register_profile("deep", max_examples=3000, deadline=None, suppress_health_check=SLOW_TO_DRAW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
