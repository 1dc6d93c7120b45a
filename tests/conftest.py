"""What all rooms share: one broker and one JVM for each worker, and the order of the tests."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from contract.java import QUICK_COMPILER_OPTIONS

# The same examples in every run, so that a change is judged by itself; for a search of new ones:
# HYPOTHESIS_PROFILE=search make test
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# No Spark of a test runs long enough for what Java's second compiler costs.
os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join(QUICK_COMPILER_OPTIONS))

pytest_plugins = [
    "tests.fixtures.browser",
    "tests.fixtures.kafka",
    "tests.fixtures.object_store",
    "tests.fixtures.secured_kafka",
    "tests.fixtures.spark",
]

TESTS = Path(__file__).parent
LONGEST_FIRST = ("cluster", "e2e", "demo", "notebooks", "pipeline", "examples")
"""Folders whose tests take long: they begin first, so that the workers end at the same time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest."""
    rank = {folder: number for number, folder in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.relative_to(TESTS).parts[0], len(rank)))


def pytest_unconfigure() -> None:
    """Undo the parser's ``gc.freeze``: to DuckDB's binding, what is frozen at exit has leaked."""
    gc.unfreeze()
