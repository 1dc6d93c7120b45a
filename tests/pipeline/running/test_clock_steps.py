"""A clock that is set back, as a time service or a resumed machine does."""

import time
from datetime import timedelta

import pytest

from pipeline.running.clock_steps import ClockSteps


def test_only_a_clock_that_was_set_back_by_more_than_some_seconds_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, now = [1000.0], 50.0
    monkeypatch.setattr(time, "time", lambda: clock[0])
    monkeypatch.setattr(time, "monotonic", lambda: now)
    steps = ClockSteps()
    for moved, told in (
        (3600, None),  # forward
        (-2, None),
        (-150, timedelta(seconds=150)),
        (0, None),  # told once
        (-3600, timedelta(hours=1)),
    ):
        clock[0] += moved
        assert steps.set_back_by() == told, moved
