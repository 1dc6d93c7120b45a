"""The check as a fixture: it writes a small run to a fresh broker and lake, and checks it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from check import Verdict, run_check
from tests.sample.small_run import SmallRun


@pytest.fixture
def check(fresh_topics: str, tmp_path: Path) -> Callable[[SmallRun], Verdict]:
    return lambda run: run_check(run.write(fresh_topics, tmp_path))
