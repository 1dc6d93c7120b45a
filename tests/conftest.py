"""Fixtures shared by all rooms: one broker and one JVM for the whole run."""

import gc
import os

from hypothesis import settings

# The same examples in every run, so that a change is judged by itself; for a search of new ones:
# HYPOTHESIS_PROFILE=search make test
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

pytest_plugins = ["tests.fixtures.browser", "tests.fixtures.kafka", "tests.fixtures.spark"]


def pytest_unconfigure() -> None:
    """Undo the parser's ``gc.freeze``: to DuckDB's binding, what is frozen at exit has leaked."""
    gc.unfreeze()
